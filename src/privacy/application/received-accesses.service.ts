import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Stamp } from '../../kernel/changes/sequences.js';
import { Clock } from '../../kernel/clock.js';
import { openTransaction } from '../../kernel/persistence/database.js';
import { type Access } from '../domain/access.js';
import {
  type Given,
  NOTHING_RECEIVED,
  type Received,
  receivedFrom,
  type ReceivedNodes,
} from '../domain/received-access.js';
import {
  type GrantingShare,
  isInForce,
  shareVisibility,
  type ShareWorth,
  uniteVisibilities,
  worthOf,
} from '../domain/share-worth.js';
import { SharesQueries } from '../infrastructure/shares.queries.js';

/** A share to the caller, and its effective rights. */
export interface ReceivedShare {
  share: GrantingShare;
  worth: ShareWorth;
}

interface Known {
  policy: number;
  shares: readonly ReceivedShare[];
  decided: Decided | null;
}

/** The shared nodes of each owner, valid until the owners' counters or the time change. */
interface Decided extends Given {
  /**
   * Sums of all sharers' counters, which only rise: equal sums mean that none has moved. Read before anything
   * else.
   */
  sums: Stamp;
  validUntil: number;
  livingTags: ReadonlySet<string>;
}

const MAX_KNOWN = 10_000;
const MAX_KNOWN_SHARES = 200_000;
const BEGINNING: Stamp = { changes: 0, policy: 0 };

/**
 * The accesses to nodes that others share with a caller, loaded only where they can matter: without incoming
 * shares the cost is one look-up in memory. Shares are cached by the recipient's policy counter, which every
 * change of a share (or of a parent of it) raises; living tags, by the owners' counters; expiry is compared
 * each time (rules 2.8, 10.7, 10.8).
 */
@Injectable()
export class ReceivedAccesses {
  private readonly known = new LRUCache<string, Known>({
    max: MAX_KNOWN,
    maxSize: MAX_KNOWN_SHARES,
    sizeCalculation: ({ shares }) => shares.length + 1,
  });
  private decisions = 0;

  constructor(
    private readonly queries: SharesQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * The shared access of a caller.
   * @param access to the own graph. Shared nodes reach an app only when its profile reads all tags (rule
   *   3.21); a group and a shared graph receive nothing.
   */
  async of(access: Access): Promise<Received> {
    const mayReceive = access.receives && access.tags.read.allowAll;
    if (!mayReceive) return NOTHING_RECEIVED;
    const decided = await this.decide(access.ownerId, await this.recall(access));
    return decided.nodes.size === 0 ? NOTHING_RECEIVED : receivedFrom(access, decided);
  }

  /** The shares to a user that are in force now. */
  async sharesTo(userId: string): Promise<ReceivedShare[]> {
    const now = this.clock.now();
    return (await this.load(userId)).filter(({ worth }) => isInForce(worth, now));
  }

  /** The nodes that a share reaches now. */
  async nodesOf({ share, worth }: ReceivedShare): Promise<ReturnType<typeof shareVisibility>> {
    const living = await this.queries.livingTags([share.graphOwnerId], tagIdsOf([{ share, worth }]));
    return shareVisibility(worth, (id) => living.has(id));
  }

  private async recall({ ownerId, policy }: Access): Promise<Known> {
    const isReading = openTransaction.getStore() === null;
    const known = this.known.get(ownerId);
    if (isReading && known?.policy === policy) return known;
    const loaded: Known = { policy, shares: await this.load(ownerId), decided: null };
    // A unit of work sees uncommitted rows, which no other request may see.
    if (isReading) this.known.set(ownerId, loaded);
    return loaded;
  }

  private async load(userId: string): Promise<ReceivedShare[]> {
    const chains = await this.queries.received(userId);
    return chains
      .map((chain) => ({ share: chain[0] as GrantingShare, worth: worthOf(chain) }))
      .filter(({ worth }) => worth.isLiving);
  }

  private async decide(userId: string, known: Known): Promise<Decided> {
    // Without shares nothing is read: a new share to the user raises the user's own counter.
    if (known.shares.length === 0) return NOTHING_DECIDED;
    const now = this.clock.now();
    const sums = await this.queries.sums(userId);
    const decided = known.decided !== null && now.getTime() < known.decided.validUntil ? known.decided : null;
    if (decided && sums.policy === decided.sums.policy && sums.changes === decided.sums.changes)
      return decided;
    const inForce = known.shares.filter(({ worth }) => isInForce(worth, now));
    const ownerIds = [...new Set(inForce.map(({ share }) => share.graphOwnerId))].sort();
    const stamps = await this.queries.stamps(ownerIds);
    const changesOf = (ownerId: string): number => (stamps.get(ownerId) ?? BEGINNING).changes;
    const changes = ownerIds.reduce((total, ownerId) => total + changesOf(ownerId), 0);
    const standing = { sums, changes, changesOf };
    const livingTags = await this.queries.livingTags(ownerIds, tagIdsOf(inForce));
    // Most changes that raise an owner's counters do not concern shared nodes.
    if (decided && isSame(livingTags, decided.livingTags))
      return (known.decided = { ...decided, ...standing });
    return (known.decided = { ...standing, ...this.made(inForce, livingTags), livingTags });
  }

  private made(
    inForce: readonly ReceivedShare[],
    livingTags: ReadonlySet<string>,
  ): Pick<Decided, 'validUntil' | 'nodes' | 'key'> {
    const ends = inForce.flatMap(({ worth }) => worth.expiresAt?.getTime() ?? []);
    // An owner whose shares name only deleted tags shares nothing.
    const nodes = nodesByOwner(inForce, (id) => livingTags.has(id)).filter(
      ({ read }) => read.kind !== 'none',
    );
    return {
      validUntil: Math.min(Infinity, ...ends),
      nodes: new Map(nodes.map((given) => [given.ownerId, given])),
      key: `received ${++this.decisions}`,
    };
  }
}

const NOTHING_DECIDED: Decided = {
  sums: BEGINNING,
  changes: 0,
  changesOf: () => 0,
  validUntil: Infinity,
  livingTags: new Set(),
  nodes: new Map(),
  key: 'nothing',
};

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((id) => other.has(id));

function nodesByOwner(
  shares: readonly ReceivedShare[],
  isLivingTag: (id: string) => boolean,
): ReceivedNodes[] {
  const byOwner = new Map<string, ReceivedShare[]>();
  for (const one of shares) {
    const others = byOwner.get(one.share.graphOwnerId);
    if (others) others.push(one);
    else byOwner.set(one.share.graphOwnerId, [one]);
  }
  return [...byOwner].map(([ownerId, given]) => {
    const those = (has: (worth: ShareWorth) => boolean) =>
      uniteVisibilities(
        given.filter(({ worth }) => has(worth)).map(({ worth }) => shareVisibility(worth, isLivingTag)),
      );
    return {
      ownerId,
      read: those(({ canRead }) => canRead),
      edit: those(({ canWrite }) => canWrite),
      delete: those(({ canDelete }) => canDelete),
    };
  });
}

const tagIdsOf = (shares: readonly ReceivedShare[]): string[] => [
  ...new Set(
    shares.flatMap(({ worth }) =>
      worth.chain.flatMap(({ scope, tagIds }) => (scope === 'specific_tags' ? tagIds : [])),
    ),
  ),
];
