import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { openTransaction } from '../../kernel/database/transaction.js';
import { requestContext } from '../../kernel/request-context.js';
import { hasBumpedPolicy } from '../../kernel/change-log/call-scope.js';
import { type Access } from '../domain/access.js';
import {
  type GrantsOfSharers,
  NO_INCOMING_SHARES,
  type IncomingShares,
  incomingShares,
} from '../domain/shared-access.js';
import { ReceivedGrants } from '../domain/shared-grants.js';
import {
  type GrantingShare,
  isInForce,
  shareVisibility,
  type EffectiveShare,
  effectiveShare,
} from '../domain/effective-share.js';
import {
  type Recipient,
  type SharersSums,
  type SharesAbove,
  SharesQueries,
} from '../infrastructure/shares.queries.js';

/** A share to the caller, and its effective rights. */
export interface IncomingShare {
  share: GrantingShare;
  worth: EffectiveShare;
}

interface CachedShares {
  policy: number;
  grants: ReceivedGrants;
  /** True if nobody shares anything with the user, not even by a re-share whose parent has ended. */
  isNone: boolean;
  /** The time until which the recipient's acquaintances are the same, unless the policy counter moves. */
  until: number;
  /** Sums with which the grants are known to hold. Read before anything else. */
  sums: SharersSums;
  above: SharesAbove;
  decided: Decided | null;
}

/** The shared nodes of each owner, valid until the owners' counters or the time change. */
interface Decided extends GrantsOfSharers {
  /**
   * Sums of all sharers' counters, which only rise: equal sums mean that none has moved. Read before anything
   * else.
   */
  sums: SharersSums;
  validUntil: number;
  tags: ReadonlyMap<string, TagsOfSharer>;
}

/** The living tags that one owner's shares name, and the owner's counter, read before them. */
interface TagsOfSharer {
  policy: number;
  living: ReadonlySet<string>;
}

const MAX_KNOWN = 10_000;
const MIB = 1024 * 1024;
/** The bound of all cached grants and what is decided from them. */
const MAX_BYTES = 64 * MIB;
const BEGINNING: CounterValues = { changes: 0, policy: 0 };
const NO_SHARES: SharersSums = { ...BEGINNING, shares: 0 };
const NONE_ABOVE: SharesAbove = { shares: 0, versions: 0 };

/**
 * The accesses to nodes that others share with a caller, loaded only where they can matter: without incoming
 * shares the cost is one look-up in memory. Grants are cached by the recipient's policy counter, which every
 * change of a share raises, by the number of shares, which an erasure lowers, and by the versions of the shares above
 * re-shares, which are compared when the policy counter of a graph's owner has moved (ADR 75). Living tags are cached by
 * the owners' counters; expiry is compared each time (rules 2.8, 10.7, 10.8).
 */
@Injectable()
export class SharedAccesses {
  private readonly known = new LRUCache<string, CachedShares>({
    max: MAX_KNOWN,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ grants }) => grants.bytes,
  });
  /** Work under way: concurrent reads at the same counters share it, within one request too. */
  private readonly loading = new Map<string, Promise<CachedShares>>();
  private readonly deciding = new Map<string, Promise<Decided>>();
  private decisions = 0;

  constructor(
    private readonly queries: SharesQueries,
    private readonly clock: Clock,
  ) {}

  /**
   * The shared access of a caller.
   * @param access to the own graph. Shared nodes reach an app only when its profile reads all tags and hides
   *   nothing by tags, and only from acquaintances (rule 3.21); a group and a shared graph receive nothing.
   */
  async of(access: Access): Promise<IncomingShares> {
    const mayReceive = access.receives && access.tags.read.allowAll;
    if (!mayReceive) return NO_INCOMING_SHARES;
    const recipient: Recipient = {
      userId: access.ownerId,
      from: access.isOwner ? 'anybody' : 'acquaintances',
    };
    const decided = await this.decide(recipient, await this.recall(recipient, access));
    if (decided.nodes.size === 0) return NO_INCOMING_SHARES;
    const { rights } = requestContext.current();
    if (openTransaction.getStore() === null)
      rights?.dependOn('received', () => this.isStill(recipient, decided));
    return incomingShares(access, decided);
  }

  /** True if others share with the user what they shared when it was decided. */
  private async isStill(recipient: Recipient, { key }: Decided): Promise<boolean> {
    const { userId } = recipient;
    const { policy } = (await this.queries.stamps([userId])).get(userId) ?? BEGINNING;
    return (await this.decide(recipient, await this.knownAt(recipient, policy, 'request'))).key === key;
  }

  /** The shares by which a user may re-share these nodes of one owner now, as far as ids tell. */
  async reshareable(
    userId: string,
    graphOwnerId: string,
    nodeIds: readonly string[],
  ): Promise<IncomingShare[]> {
    const now = this.clock.now();
    return (await this.queries.reshareable(userId, graphOwnerId, nodeIds))
      .map((chain) => ({ share: chain[0] as GrantingShare, worth: effectiveShare(chain) }))
      .filter(({ worth }) => worth.canShare && isInForce(worth, now));
  }

  /** True if a share is in force now and may be re-shared. */
  async mayReshare(share: Pick<GrantingShare, 'ownerId' | 'id'>): Promise<boolean> {
    const [chain] = await this.queries.terms([share]);
    if (chain === undefined) return false;
    const worth = effectiveShare(chain);
    return worth.canShare && isInForce(worth, this.clock.now());
  }

  /** The nodes that a share reaches now. */
  async nodesOf({ share, worth }: IncomingShare): Promise<ReturnType<typeof shareVisibility>> {
    const tagIds = worth.chain.flatMap((one) => (one.scope === 'specific_tags' ? one.tagIds : []));
    const living = await this.queries.livingTags(share.graphOwnerId, tagIds);
    return shareVisibility(worth, (id) => living.has(id));
  }

  /**
   * The grants to a caller. A unit of work compares its own reading of the counter, because it may have
   * waited for locks; a unit that changed shares itself sees rows that no other request may see.
   */
  private async recall(recipient: Recipient, { policy }: Access): Promise<CachedShares> {
    const { userId } = recipient;
    if (openTransaction.getStore() === null) return this.knownAt(recipient, policy, 'request');
    if (hasBumpedPolicy(userId)) return this.load(recipient, policy);
    const stamps = await this.queries.stamps([userId]);
    return this.knownAt(recipient, (stamps.get(userId) ?? BEGINNING).policy, 'unit');
  }

  /** @param by units wait for units only: a request may wait for the connection that a unit holds */
  private knownAt(
    recipient: Recipient,
    policy: number,
    by: 'request' | 'unit',
  ): Promise<CachedShares> | CachedShares {
    const key = keyOf(recipient);
    const known = this.known.get(key) ?? this.nothing(recipient);
    return known?.policy === policy && this.clock.now().getTime() < known.until
      ? known
      : this.loadOnce(`${by} ${key} ${policy}`, recipient, policy);
  }

  /** Knowledge that nobody shares with a person: then no acquaintance does. */
  private nothing({ userId }: Recipient): CachedShares | undefined {
    const known = this.known.get(keyOf({ userId, from: 'anybody' }));
    return known?.isNone === true ? known : undefined;
  }

  /** Loads and caches the grants. */
  private loadOnce(key: string, recipient: Recipient, policy: number): Promise<CachedShares> {
    return once(this.loading, key, async () => {
      const loaded = await this.load(recipient, policy);
      const from = loaded.sums.shares === 0 ? 'anybody' : recipient.from;
      this.known.set(keyOf({ ...recipient, from }), loaded);
      return loaded;
    });
  }

  private async load(recipient: Recipient, policy: number): Promise<CachedShares> {
    const { userId } = recipient;
    const grants = new ReceivedGrants();
    const sums = await this.queries.sums(userId);
    if (sums.shares === 0)
      return {
        policy,
        grants,
        isNone: true,
        until: Infinity,
        sums: NO_SHARES,
        above: NONE_ABOVE,
        decided: null,
      };
    const above = await this.queries.above(userId);
    const now = this.clock.now();
    const end = recipient.from === 'anybody' ? null : await this.queries.firstEndOfAcquaintance(userId, now);
    let isNone = true;
    for await (const chains of this.queries.received(recipient, now))
      for (const chain of chains) {
        isNone = false;
        grants.add(effectiveShare(chain));
      }
    return { policy, grants, isNone, until: end?.getTime() ?? Infinity, sums, above, decided: null };
  }

  /**
   * The grants as of these sums. A share above a re-share that ends or changes raises the policy counter of the owner of
   * the nodes, and not those of the recipients below, who may be any number (ADR 75).
   */
  private async upToDate(
    recipient: Recipient,
    given: CachedShares,
    sums: SharersSums,
  ): Promise<CachedShares> {
    const { userId } = recipient;
    const isInUnit = openTransaction.getStore() !== null;
    const cached = isInUnit ? undefined : this.known.get(keyOf(recipient));
    const known = cached?.policy === given.policy ? cached : given;
    const isEqualNumber = sums.shares === known.sums.shares;
    if (isEqualNumber && sums.policy === known.sums.policy) return known;
    if (isEqualNumber && (await this.isSameAbove(userId, known))) {
      // A unit of work may see uncommitted shares.
      if (!isInUnit) known.sums = sums;
      return known;
    }
    if (isInUnit) return this.load(recipient, known.policy);
    const key = `request ${keyOf(recipient)} ${known.policy} ${sums.policy} ${sums.shares}`;
    return this.loadOnce(key, recipient, known.policy);
  }

  private async isSameAbove(userId: string, { above }: CachedShares): Promise<boolean> {
    if (above.shares === 0) return true;
    const { shares, versions } = await this.queries.above(userId);
    return shares === above.shares && versions === above.versions;
  }

  private async decide(recipient: Recipient, cached: CachedShares): Promise<Decided> {
    const { userId } = recipient;
    // Without shares nothing is read: a new share to the user raises the user's own counter.
    if (cached.isNone) return NOTHING_DECIDED;
    const now = this.clock.now();
    const sums = await this.queries.sums(userId);
    const known = await this.upToDate(recipient, cached, sums);
    if (known.grants.isEmpty) return NOTHING_DECIDED;
    const decided = known.decided !== null && now.getTime() < known.decided.validUntil ? known.decided : null;
    if (decided && sums.policy === decided.sums.policy && sums.changes === decided.sums.changes)
      return decided;
    const work = (): Promise<Decided> => this.decideAt(userId, { known, decided, sums, now });
    // A unit of work may see uncommitted tags.
    if (openTransaction.getStore() !== null) return work();
    const made = await once(
      this.deciding,
      `${keyOf(recipient)} ${known.policy} ${sums.policy} ${sums.changes} ${sums.shares}`,
      work,
    );
    if (now.getTime() >= made.validUntil) return work();
    known.decided = made;
    return made;
  }

  private async decideAt(
    userId: string,
    {
      known: { grants },
      decided,
      sums,
      now,
    }: { known: CachedShares; decided: Decided | null; sums: SharersSums; now: Date },
  ): Promise<Decided> {
    const ownerIds = grants.ownerIds(now);
    const stamps = await this.queries.stampsOfSharers(userId);
    const changesOf = (ownerId: string): number => (stamps.get(ownerId) ?? BEGINNING).changes;
    const changes = ownerIds.reduce((total, ownerId) => total + changesOf(ownerId), 0);
    const standing = { sums, changes, changesOf };
    const before = decided?.tags ?? new Map<string, TagsOfSharer>();
    const tags = await this.tagsOf(grants, { ownerIds, stamps, before });
    // Most changes that raise an owner's counters do not concern shared nodes.
    return decided && ownerIds.every((ownerId) => isSame(tags.get(ownerId), before.get(ownerId)))
      ? { ...decided, ...standing, tags }
      : { ...standing, ...this.made(grants, tags, now), tags };
  }

  /** The living tags that shares name, read again only for owners whose policy counter has moved since. */
  private async tagsOf(
    grants: ReceivedGrants,
    {
      ownerIds,
      stamps,
      before,
    }: {
      ownerIds: readonly string[];
      stamps: ReadonlyMap<string, CounterValues>;
      before: ReadonlyMap<string, TagsOfSharer>;
    },
  ): Promise<Map<string, TagsOfSharer>> {
    const policyOf = (ownerId: string): number => (stamps.get(ownerId) ?? BEGINNING).policy;
    const named = ownerIds.filter((ownerId) => grants.tagIdsOf(ownerId).size > 0);
    const moved = named.filter(
      (ownerId) => before.get(ownerId)?.policy !== policyOf(ownerId) || hasBumpedPolicy(ownerId),
    );
    const read = await this.queries.livingTagsOf(
      new Map(moved.map((ownerId) => [ownerId, grants.tagIdsOf(ownerId)])),
    );
    return new Map(
      named.map((ownerId) => {
        const living = read.get(ownerId);
        if (living === undefined) return [ownerId, before.get(ownerId) as TagsOfSharer];
        return [ownerId, { policy: policyOf(ownerId), living }];
      }),
    );
  }

  private made(
    grants: ReceivedGrants,
    tags: ReadonlyMap<string, TagsOfSharer>,
    now: Date,
  ): Pick<Decided, 'validUntil' | 'nodes' | 'key'> {
    // An owner whose shares name only deleted tags shares nothing.
    const isLiving = (ownerId: string, id: string): boolean => tags.get(ownerId)?.living.has(id) === true;
    const nodes = grants.nodes(now, isLiving).filter(({ read }) => read.kind !== 'none');
    return {
      validUntil: grants.firstEnd(now),
      nodes: new Map(nodes.map((given) => [given.ownerId, given])),
      key: `received ${++this.decisions}`,
    };
  }
}

const keyOf = ({ userId, from }: Recipient): string => `${userId} from ${from}`;

const NOTHING_DECIDED: Decided = {
  sums: NO_SHARES,
  changes: 0,
  changesOf: () => 0,
  validUntil: Infinity,
  tags: new Map(),
  nodes: new Map(),
  key: 'nothing',
};

/** Calls with one key share the work; should it fail, which may be the first caller's own doing, the others do it alone. */
function once<T>(running: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const shared = running.get(key);
  if (shared) return shared.catch(work);
  const begun = work().finally(() => running.delete(key));
  running.set(key, begun);
  return begun;
}

const isSame = (one: TagsOfSharer | undefined, other: TagsOfSharer | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.living.size === other.living.size &&
    [...one.living].every((id) => other.living.has(id)));
