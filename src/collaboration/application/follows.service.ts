import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isUniqueViolation } from '../../kernel/database/violations.js';
import { type ConfirmRights, NO_RIGHTS, Users } from '../../identity/index.js';
import { type Access, type ShareScope } from '../../privacy/index.js';
import { answeredFollow, endedFollow, type Follow, notPending } from '../domain/follow.js';
import { recipientsRights, type Subject } from '../domain/share.js';
import { FollowsRepository } from '../infrastructure/follows.repository.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';
import { FollowRecords } from './follow-records.js';
import { ShareRecords } from './share-records.js';
import { ShareSubjects } from './share-subjects.js';
import { newShare } from './shares.service.js';

/** The part of the followed user's graph that a follower may read. */
export interface FollowTerms {
  scope: ShareScope;
  tag_ids?: string[];
  node_ids?: string[];
}

const READ_ONLY = { can_read: true, can_write: false, can_delete: false, can_share: false, expires_at: null };

/** Following other users (specification, Follow status; rule 10.9). Every step is one unit of work. */
@Injectable()
export class FollowsService {
  constructor(
    private readonly follows: FollowsRepository,
    private readonly shares: SharesRepository,
    private readonly records: FollowRecords,
    private readonly shareRecords: ShareRecords,
    private readonly subjects: ShareSubjects,
    private readonly users: Users,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Follows a public user at once, with a read-only share of everything; asks a private user.
   * @throws VALIDATION_ERROR for oneself; NOT_FOUND for an unknown user; FOLLOW_EXISTS
   */
  async create(followerId: string, targetId: string, message: string | null): Promise<Follow> {
    if (targetId.toLowerCase() === followerId)
      throw DomainError.validation('target_user_id', 'must be another user');
    const now = this.clock.now();
    return this.units.run(async () => {
      const target = await this.users.get(targetId.toLowerCase());
      const asked: Follow = {
        owner_id: target.id,
        id: newId(),
        follower_id: followerId,
        status: 'pending',
        message,
        share_id: null,
        version: 1,
        created_at: now,
        responded_at: null,
      };
      const everything = ownSubject(target.id);
      const shareId = target.isPublic ? await this.share(asked, everything, now) : null;
      const follow: Follow =
        shareId === null ? asked : { ...asked, status: 'accepted', share_id: shareId, responded_at: now };
      await this.add(follow);
      return follow;
    });
  }

  /**
   * Accepts a follow for the followed user.
   * @throws INVALID_STATE_TRANSITION; VALIDATION_ERROR for things that cannot be shared; what `confirm`
   * throws
   */
  async accept(
    target: Access,
    located: Follow,
    { terms, confirm }: { terms: FollowTerms; confirm: ConfirmRights },
  ): Promise<Follow> {
    return this.units.run(async () => {
      const follow = await this.locked(located);
      if (follow.status !== 'pending') throw notPending(follow.status);
      const at = this.clock.now();
      const { scope, tag_ids, node_ids } = terms;
      const subject = await this.subjects.find(target, { scope, tagIds: tag_ids, nodeIds: node_ids });
      if (subject.graph_owner_id === follow.follower_id)
        throw DomainError.validation('share.node_ids', 'must not be nodes of the follower');
      await confirm(NO_RIGHTS, recipientsRights({ ...subject, ...READ_ONLY }));
      const shareId = await this.share(follow, subject, at);
      return this.records.revise(follow, answeredFollow(follow, 'accepted', { at, shareId }));
    });
  }

  /** Declines a follow for the followed user. @throws INVALID_STATE_TRANSITION */
  async decline(located: Follow): Promise<Follow> {
    return this.units.run(async () => {
      const follow = await this.locked(located);
      const at = this.clock.now();
      return this.records.revise(follow, answeredFollow(follow, 'declined', { at, shareId: null }));
    });
  }

  /** Ends a follow for either user, together with its share. */
  async end(located: Follow): Promise<Follow> {
    return this.units.run(async () => {
      const follow = await this.locked(located);
      if (follow.status === 'revoked') return follow;
      const share =
        follow.share_id === null ? null : await this.shares.lock(follow.owner_id, follow.share_id);
      if (share !== null) await this.shareRecords.revoke(share);
      return this.records.revise(follow, endedFollow(follow));
    });
  }

  private async share({ owner_id, id, follower_id }: Follow, subject: Subject, at: Date): Promise<string> {
    const share = newShare(
      { sharerId: owner_id, recipientId: follower_id, at, followId: id },
      subject,
      READ_ONLY,
    );
    await this.shareRecords.add(share);
    return share.id;
  }

  private async add(follow: Follow): Promise<void> {
    try {
      await this.records.add(follow);
    } catch (error) {
      if (!isUniqueViolation(error, 'follows_pair')) throw error;
      throw new DomainError('FOLLOW_EXISTS', 'You already follow this user, or your request is pending');
    }
  }

  private async locked({ owner_id, id }: Follow): Promise<Follow> {
    const follow = await this.follows.lock(owner_id, id);
    if (follow === null) throw followNotFound();
    return follow;
  }
}

export const followNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Follow not found');

const ownSubject = (ownerId: string): Subject => ({
  graph_owner_id: ownerId,
  scope: 'all',
  tag_ids: [],
  node_ids: [],
  parent_owner_id: null,
  parent_share_id: null,
});
