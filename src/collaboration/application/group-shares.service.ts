import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../kernel/database/violations.js';
import { type ConfirmRights } from '../../identity/index.js';
import { profileNotFound } from '../../privacy/index.js';
import { groupsRights, type GroupShare, notAMember } from '../domain/group.js';
import { GroupGraphsQueries } from '../infrastructure/group-graphs.queries.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { GroupRecords } from './group-records.js';

interface Sharing {
  groupId: string;
  userId: string;
}

/**
 * The parts of their own graphs that members share with a group, each through one of the member's profiles
 * (rule 10.6).
 */
@Injectable()
export class GroupSharesService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly profiles: GroupGraphsQueries,
    private readonly records: GroupRecords,
    private readonly changes: ChangeLog,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND */
  async get({ groupId, userId }: Sharing): Promise<GroupShare> {
    const share = await this.groups.share(groupId, userId);
    if (share === null) throw new DomainError('NOT_FOUND', 'You share nothing with this group');
    return share;
  }

  /** @throws NOT_FOUND for a profile that is not the user's; SHARE_EXISTS */
  create(sharing: Sharing, profileId: string): Promise<GroupShare> {
    return this.run(sharing, async () => {
      const now = this.clock.now();
      const share = {
        owner_id: sharing.userId,
        group_id: sharing.groupId,
        exposure_profile_id: await this.ownProfile(sharing, profileId),
        created_at: now,
        updated_at: now,
      };
      await this.groups.addShare(share);
      this.record(share, 'created');
      return share;
    });
  }

  /** @throws NOT_FOUND, what `confirm` throws */
  update(sharing: Sharing, profileId: string, confirm: ConfirmRights): Promise<GroupShare> {
    return this.run(sharing, async () => {
      const share = await this.get(sharing);
      const exposure_profile_id = await this.ownProfile(sharing, profileId);
      const changed = { ...share, exposure_profile_id, updated_at: this.clock.now() };
      await confirm(groupsRights(share), groupsRights(changed));
      await this.groups.updateShare(changed);
      this.record(changed, 'updated');
      return changed;
    });
  }

  /** @throws NOT_FOUND */
  revoke(sharing: Sharing): Promise<GroupShare> {
    return this.run(sharing, async () => {
      const share = await this.get(sharing);
      await this.groups.removeShare(share);
      this.record(share, 'revoked');
      return share;
    });
  }

  /** Runs work with the group locked and the user verified to be a member. */
  private run({ groupId, userId }: Sharing, work: () => Promise<GroupShare>): Promise<GroupShare> {
    return this.units.run(async () => {
      await this.records.lock(groupId);
      const members = await this.groups.members(groupId);
      if (!members.some(({ user_id }) => user_id === userId)) throw notAMember();
      try {
        return await work();
      } catch (error) {
        if (isUniqueViolation(error))
          throw new DomainError('SHARE_EXISTS', 'You already share with this group');
        throw isForeignKeyViolation(error) ? profileNotFound() : error;
      }
    });
  }

  private async ownProfile({ userId }: Sharing, id: string): Promise<string> {
    const profile = isId(id) ? await this.profiles.profile(userId, id.toLowerCase()) : null;
    if (profile === null) throw profileNotFound();
    return profile.id;
  }

  private record(share: GroupShare, action: string): void {
    const { owner_id: ownerId, group_id: entityId } = share;
    this.changes.append({ ownerId, entity: 'group_share', entityId, action, version: 1, snapshot: share });
    for (const id of [entityId, ownerId]) this.changes.bumpPolicyVersion(id);
  }
}
