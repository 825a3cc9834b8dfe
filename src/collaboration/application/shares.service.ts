import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { requireFuture } from '../../kernel/errors/require-future.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type ConfirmRights, NO_RIGHTS, userNotFound, Users } from '../../identity/index.js';
import { type Access, type ShareScope } from '../../privacy/index.js';
import { endedFollow } from '../domain/follow.js';
import {
  recipientsRights,
  type Rights,
  RIGHTS,
  rightsOf,
  type Share,
  type Subject,
} from '../domain/share.js';
import { FollowsRepository } from '../infrastructure/follows.repository.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';
import { FollowRecords } from './follow-records.js';
import { ShareRecords } from './share-records.js';
import { ShareSubjects } from './share-subjects.js';

/** The fields of a share that a write sends; an absent field stays unchanged. */
export interface ShareFields extends Partial<Rights> {
  scope?: ShareScope;
  tag_ids?: string[];
  node_ids?: string[];
  expires_at?: Date | null;
}

export type NewShare = ShareFields & { scope: ShareScope; shared_with_user_id: string };

/** Sharing between users (specification, Sharing; rules 10.7, 10.8). Every step is one unit of work. */
@Injectable()
export class SharesService {
  constructor(
    private readonly shares: SharesRepository,
    private readonly follows: FollowsRepository,
    private readonly records: ShareRecords,
    private readonly followRecords: FollowRecords,
    private readonly subjects: ShareSubjects,
    private readonly users: Users,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws VALIDATION_ERROR; NOT_FOUND for an unknown user; what `confirm` throws */
  async create(sharer: Access, wanted: NewShare, confirm: ConfirmRights): Promise<Share> {
    const now = this.clock.now();
    const rights = rightsOf({
      can_read: wanted.can_read ?? true,
      can_write: wanted.can_write ?? false,
      can_delete: wanted.can_delete ?? false,
      can_share: wanted.can_share ?? false,
    });
    const expires_at = requireFuture('expires_at', wanted.expires_at ?? null, now);
    const recipient = await this.users.find(wanted.shared_with_user_id.toLowerCase());
    if (recipient?.id === sharer.ownerId) throw toOwner();
    return this.units.run(async () => {
      const subject = await this.subject(sharer, wanted);
      if (recipient === null) throw userNotFound(['shared_with_user_id']);
      refuseOwner(subject, recipient.id);
      const share = newShare({ sharerId: sharer.ownerId, recipientId: recipient.id, at: now }, subject, {
        ...rights,
        expires_at,
      });
      await confirm(NO_RIGHTS, recipientsRights(share));
      await this.records.add(share);
      return share;
    });
  }

  /** @throws VALIDATION_ERROR; INVALID_STATE_TRANSITION when it is revoked; what `confirm` throws */
  async update(
    sharer: Access,
    located: Share,
    { fields, confirm }: { fields: ShareFields; confirm: ConfirmRights },
  ): Promise<Share> {
    return this.units.run(async () => {
      const share = await this.locked(located);
      if (share.revoked_at !== null)
        throw new DomainError('INVALID_STATE_TRANSITION', 'A revoked share cannot be changed');
      const rights = rightsOf({ ...pick(share), ...given(fields) });
      if (share.source === 'follow' && RIGHTS.some((right) => rights[right] && !share[right])) {
        throw DomainError.validation('can_write', 'must be false: followers may only read');
      }
      const { expires_at } = fields;
      const time =
        expires_at === undefined
          ? {}
          : { expires_at: requireFuture('expires_at', expires_at, this.clock.now()) };
      const isAboutOthers = [fields.scope, fields.tag_ids, fields.node_ids].some((one) => one !== undefined);
      const subject = isAboutOthers ? await this.subject(sharer, fields, share) : null;
      if (subject !== null) refuseOwner(subject, share.shared_with_user_id);
      const changes = { ...rights, ...time, ...subject };
      await confirm(recipientsRights(share), recipientsRights({ ...share, ...changes }));
      return this.records.revise(share, changes);
    });
  }

  /**
   * Revokes a share for the sharer or the recipient. A share that belongs to a follow ends the follow with
   * it (rule 10.9).
   */
  async revoke(located: Share): Promise<Share> {
    return this.units.run(async () => {
      const { owner_id, follow_id } = located;
      // The follow is locked first, in the same order as when a follow ends.
      const follow = follow_id === null ? null : await this.follows.lock(owner_id, follow_id);
      const revoked = await this.records.revoke(await this.locked(located));
      if (follow !== null && follow.status !== 'revoked')
        await this.followRecords.revise(follow, endedFollow(follow));
      return revoked;
    });
  }

  /**
   * Revokes all shares between two people for the recipient, those that are hidden because they have blocked
   * the sharer included, and ends their follow. Each page is a unit of work: earlier versions accepted any
   * number of shares.
   * @returns the number of revoked shares
   * @throws NOT_FOUND for an unknown sharer
   */
  async revokeReceived(recipientId: string, sharerId: string): Promise<number> {
    const { id } = await this.users.get(sharerId.toLowerCase());
    for (let count = 0; ;) {
      const revoked = await this.units.run(() => this.revokePage(recipientId, id));
      if (revoked === 0) return count;
      count += revoked;
    }
  }

  private async revokePage(recipientId: string, sharerId: string): Promise<number> {
    // The follow is locked first, as in `revoke`.
    const follow = await this.follows.lockShared(recipientId, sharerId);
    const shares = await this.shares.lockReceived(recipientId, sharerId);
    if (shares.length > 0) await this.records.revokeAll(shares);
    if (follow !== null && shares.some(({ follow_id }) => follow_id === follow.id))
      await this.followRecords.revise(follow, endedFollow(follow));
    return shares.length;
  }

  private subject(sharer: Access, fields: ShareFields, share?: Share): Promise<Subject> {
    const scope = fields.scope ?? (share as Share).scope;
    const { tag_ids: tagIds, node_ids: nodeIds } = fields;
    return this.subjects.find(sharer, { scope, tagIds, nodeIds, ...(share ? { changed: share } : {}) });
  }

  private async locked({ owner_id, id }: Share): Promise<Share> {
    const share = await this.shares.lock(owner_id, id);
    if (share === null) throw shareNotFound();
    return share;
  }
}

export const shareNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Share not found');

const toOwner = (): DomainError =>
  DomainError.validation('shared_with_user_id', 'must not be the owner of the shared nodes');

function refuseOwner({ graph_owner_id }: Subject, recipientId: string): void {
  if (graph_owner_id === recipientId) throw toOwner();
}

const pick = ({ can_read, can_write, can_delete, can_share }: Rights): Rights => ({
  can_read,
  can_write,
  can_delete,
  can_share,
});

/** The other rights imply read, so a share has it unless the write takes it away. */
const given = (fields: ShareFields): Partial<Rights> =>
  Object.fromEntries(
    RIGHTS.flatMap((right) => (fields[right] === undefined ? [] : [[right, fields[right]]])),
  );

/** Builds a new share. */
export function newShare(
  {
    sharerId,
    recipientId,
    at,
    followId = null,
  }: { sharerId: string; recipientId: string; at: Date; followId?: string | null },
  subject: Subject,
  terms: Rights & { expires_at: Date | null },
): Share {
  return {
    ...subject,
    ...terms,
    owner_id: sharerId,
    id: newId(),
    shared_with_user_id: recipientId,
    source: followId === null ? 'manual' : 'follow',
    follow_id: followId,
    version: 1,
    created_at: at,
    updated_at: at,
    revoked_at: null,
  };
}
