import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Stamp } from '../../kernel/changes/sequences.js';
import { Clock } from '../../kernel/clock.js';
import { openTransaction } from '../../kernel/persistence/database.js';
import { type Access } from '../domain/access.js';
import {
  NOTHING_RECEIVED,
  type Received,
  receivedAccess,
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

/** A share to the caller, and what it is worth. */
export interface ReceivedShare {
  share: GrantingShare;
  worth: ShareWorth;
}

interface Known {
  policy: number;
  shares: readonly ReceivedShare[];
  decided: Decided | null;
}

/** Which nodes of whom, as long as the owners' tags and the time allow. */
interface Decided {
  /** Sum of the owners' policy counters, which rise with every change of their tags. */
  policies: number;
  validUntil: number;
  ownerIds: readonly string[];
  nodes: readonly ReceivedNodes[];
  key: string;
}

const MAX_KNOWN = 10_000;
const MAX_KNOWN_SHARES = 200_000;
const BEGINNING: Stamp = { changes: 0, policy: 0 };

/**
 * What others share with a caller, asked for only where it can matter: for who has received nothing that is one look
 * into memory. The shares are kept under the receiver's policy counter, which every change of a share (or of a parent
 * of it) raises; which tags live, under the owners' counters; expiry is looked at each time (decisions 2.8, 10.7,
 * 10.8).
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
   * @param access to the own graph. Shared nodes reach an app only when its profile reads all tags (decisions 3.21);
   *   a group and a received graph receive nothing.
   */
  async of(access: Access): Promise<Received> {
    const mayReceive = access.receives && access.tags.read.allowAll;
    if (!mayReceive) return NOTHING_RECEIVED;
    const known = await this.recall(access);
    const now = this.clock.now();
    const inForce = known.shares.filter(({ worth }) => isInForce(worth, now));
    if (inForce.length === 0) return NOTHING_RECEIVED;
    const ownerIds = [...new Set(inForce.map(({ share }) => share.graphOwnerId))].sort();
    const stamps = await this.queries.stamps(ownerIds);
    const decided = await this.decide(known, { inForce, ownerIds, stamps });
    return received(access, decided, stamps);
  }

  /** The shares to a user that are in force now. */
  async sharesTo(userId: string): Promise<ReceivedShare[]> {
    const now = this.clock.now();
    return (await this.load(userId)).filter(({ worth }) => isInForce(worth, now));
  }

  /** Which nodes a share is about now. */
  async nodesOf({ share, worth }: ReceivedShare): Promise<ReturnType<typeof shareVisibility>> {
    const living = await this.queries.livingTags([share.graphOwnerId], tagIdsOf([{ share, worth }]));
    return shareVisibility(worth, (id) => living.has(id));
  }

  private async recall({ ownerId, policy }: Access): Promise<Known> {
    const isReading = openTransaction.getStore() === undefined;
    const known = this.known.get(ownerId);
    if (isReading && known?.policy === policy) return known;
    const loaded: Known = { policy, shares: await this.load(ownerId), decided: null };
    // A unit of work sees what is not committed, which nobody else may be told.
    if (isReading) this.known.set(ownerId, loaded);
    return loaded;
  }

  private async load(userId: string): Promise<ReceivedShare[]> {
    const chains = await this.queries.received(userId);
    return chains
      .map((chain) => ({ share: chain[0] as GrantingShare, worth: worthOf(chain) }))
      .filter(({ worth }) => worth.isLiving);
  }

  private async decide(
    known: Known,
    {
      inForce,
      ownerIds,
      stamps,
    }: { inForce: readonly ReceivedShare[]; ownerIds: string[]; stamps: ReadonlyMap<string, Stamp> },
  ): Promise<Decided> {
    const policies = sum(ownerIds, stamps, 'policy');
    const now = this.clock.now().getTime();
    const { decided } = known;
    if (decided !== null && decided.policies === policies && now < decided.validUntil) return decided;
    const tags = await this.queries.livingTags(ownerIds, tagIdsOf(inForce));
    const ends = inForce.flatMap(({ worth }) => worth.expiresAt?.getTime() ?? []);
    return (known.decided = {
      policies,
      validUntil: Math.min(Infinity, ...ends),
      ownerIds,
      // An owner whose shares name deleted tags only gives nothing.
      nodes: nodesByOwner(inForce, (id) => tags.has(id)).filter(({ read }) => read.kind !== 'none'),
      key: `received ${++this.decisions}`,
    });
  }
}

function received(access: Access, decided: Decided, stamps: ReadonlyMap<string, Stamp>): Received {
  const key = `${access.key} ${decided.key}`;
  return {
    accesses: decided.nodes.map((nodes) =>
      receivedAccess(access, nodes, {
        key: `${key} ${nodes.ownerId}`,
        changes: (stamps.get(nodes.ownerId) ?? BEGINNING).changes,
      }),
    ),
    within: access.nodes.read,
    key,
    changes: sum(decided.ownerIds, stamps, 'changes'),
  };
}

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

const sum = (ids: readonly string[], stamps: ReadonlyMap<string, Stamp>, counter: keyof Stamp): number =>
  ids.reduce((total, id) => total + (stamps.get(id) ?? BEGINNING)[counter], 0);
