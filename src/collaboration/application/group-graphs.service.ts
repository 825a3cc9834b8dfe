import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { openTransaction } from '../../kernel/database/transaction.js';
import { requestContext } from '../../kernel/request-context.js';
import { type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { rest } from '../../kernel/slices.js';
import { type Node, NodesRepository, NodeTagNames } from '../../graph/index.js';
import {
  type Access,
  Accesses,
  haveEqualRights,
  memberAccess,
  NO_INCOMING_SHARES,
  type IncomingShares,
  type SharedAccess,
  incomingSharesOf,
  sees,
  type SharedIn,
  sharedIn,
  sharedInAccess,
  SharesQueries,
} from '../../privacy/index.js';
import { type Membership, notAMember } from '../domain/group.js';
import {
  GroupGraphsQueries,
  profileBytes,
  type StoredProfile,
  type StoredSharer,
} from '../infrastructure/group-graphs.queries.js';

/** The access of a member to a group's graph and to what other members share with the group. */
export interface GroupReach {
  own: Access;
  received: IncomingShares;
}

const MIB = 1024 * 1024;
/** The bound of all cached grants of sharers. */
const MAX_BYTES = 16 * MIB;
const BEGINNING: CounterValues = { changes: 0, policy: 0 };

/**
 * The access to a group's graph. It is built from the current membership and profile, read again for each
 * request (rules 2.8, 10.5).
 */
@Injectable()
export class GroupGraphs {
  private readonly given = new LRUCache<string, SharedIn>({
    maxSize: MAX_BYTES,
    sizeCalculation: profileBytes,
  });

  constructor(
    private readonly queries: GroupGraphsQueries,
    private readonly accesses: Accesses,
    private readonly stamps: SharesQueries,
    private readonly nodes: NodesRepository,
    private readonly tagNames: NodeTagNames,
  ) {}

  /** The access to the group's own nodes and tags. */
  async accessOf(membership: Membership): Promise<Access> {
    const profile = await this.profileOf(membership);
    const stamps = await this.stamps.stamps([membership.group.id]);
    return this.own(membership, profile, stamps);
  }

  /**
   * The access to the group's graph and to what members share with the group. A request that takes long depends on the
   * latter, too, of which its guards do not decide (rule 2.8).
   */
  async reachOf(membership: Membership): Promise<GroupReach> {
    const reach = await this.reachNow(membership);
    if (openTransaction.getStore() === null)
      requestContext.current().rights?.dependOn('shared in', () => this.isStill(membership, reach));
    return reach;
  }

  /** True if members share with the group what they shared when the reach was found. */
  private async isStill(membership: Membership, { received: then }: GroupReach): Promise<boolean> {
    const { received: now } = await this.reachNow(membership);
    if (now.ownerIds.join() !== then.ownerIds.join()) return false;
    for (const access of then.accesses) {
      await rest();
      if (!haveEqualRights(access, now.accessTo(access.ownerId) as SharedAccess)) return false;
    }
    return true;
  }

  private async reachNow(membership: Membership): Promise<GroupReach> {
    const groupId = membership.group.id;
    const profile = await this.profileOf(membership);
    const sharers = await this.queries.sharers(groupId, membership.member.user_id);
    const stamps = await this.stamps.stamps([groupId, ...sharers.map(({ userId }) => userId)]);
    const own = await this.own(membership, profile, stamps);
    if (sharers.length === 0) return { own, received: NO_INCOMING_SHARES };
    const accesses: SharedAccess[] = [];
    for (const sharer of sharers) {
      // Masks of one sharer take some milliseconds to prepare.
      await rest();
      const access = await this.sharedIn(own, { sharer, profile, stamps });
      if (access.nodes.read.kind !== 'none') accesses.push(access);
    }
    return {
      own,
      received: incomingSharesOf(accesses, {
        within: own.nodes.read,
        key: [own.key, ...accesses.map(({ key }) => key)].join(' '),
      }),
    };
  }

  /** A node of the group, or one that a member shares with it, and the access to its owner. */
  async find(membership: Membership, id: string): Promise<{ access: Access; node: Node | null }> {
    const { own, received } = await this.reachNow(membership);
    const node = await this.nodes.find(own.ownerId, id);
    if (node !== null && sees(own.nodes.read, node.facts)) return { access: own, node };
    // One statement for any result: a hidden node takes as long as an absent one.
    for (const shared of await this.nodes.findAmong(received.ownerIds, id)) {
      const access = received.accessTo(shared.record.owner_id);
      if (access === undefined || !sees(access.nodes.read, shared.facts)) continue;
      return { access: await this.tagNames.knowing(access, shared.tagIds), node: shared };
    }
    return { access: own, node: null };
  }

  private async profileOf({ group, member }: Membership): Promise<StoredProfile | null> {
    const { role, exposure_profile_id } = member;
    if (role === 'admin' || exposure_profile_id === null) return null;
    const profile = await this.queries.memberProfile(group.id, member.user_id);
    if (profile === undefined) throw notAMember();
    return profile;
  }

  private async own(
    { group, member }: Membership,
    profile: StoredProfile | null,
    stamps: ReadonlyMap<string, CounterValues>,
  ): Promise<Access> {
    const stamp = stamps.get(group.id) ?? BEGINNING;
    const seenAs = profile === null ? member.role : `${member.user_id} ${profile.id} ${profile.version}`;
    return memberAccess(
      {
        ownerId: group.id,
        vocabulary: await this.accesses.vocabularyOf(group.id, stamp),
        key: `group ${group.id} ${stamp.policy} ${seenAs}`,
        changes: stamp.changes,
        policy: stamp.policy,
      },
      {
        actor: requestContext.current().actor,
        isAdmin: member.role === 'admin',
        profile,
        pseudonymKey: this.accesses.pseudonymKey(member.user_id, group.id),
      },
    );
  }

  private async sharedIn(
    reader: Access,
    {
      sharer: { userId, profile: given },
      profile,
      stamps,
    }: { sharer: StoredSharer; profile: StoredProfile | null; stamps: ReadonlyMap<string, CounterValues> },
  ): Promise<SharedAccess> {
    const stamp = stamps.get(userId) ?? BEGINNING;
    const circumstances = {
      ownerId: userId,
      vocabulary: await this.accesses.vocabularyOf(userId, stamp),
      key: `${reader.key} shared in ${userId} ${stamp.policy} ${given.id} ${given.version}`,
      changes: stamp.changes,
      policy: stamp.policy,
    };
    return sharedInAccess(
      reader,
      { circumstances, given: this.sharedInBy(circumstances, given) },
      {
        rules: profile?.rules ?? null,
        pseudonymKey: this.accesses.pseudonymKey(reader.actor.userId ?? '', userId),
      },
    );
  }

  /** The same for all readers, and for as long as the sharer's tags and profile stay. */
  private sharedInBy(
    { ownerId, policy, vocabulary }: Pick<Access, 'ownerId' | 'policy' | 'vocabulary'>,
    profile: StoredProfile,
  ): SharedIn {
    const key = `${ownerId} ${policy} ${profile.id} ${profile.version}`;
    const known = this.given.get(key);
    if (known) return known;
    const given = sharedIn(profile, vocabulary);
    // A unit of work may see a version that is never committed.
    if (openTransaction.getStore() === null) this.given.set(key, given);
    return given;
  }
}
