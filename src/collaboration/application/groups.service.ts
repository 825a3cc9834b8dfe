import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { isId, newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { LivingAccounts } from '../../identity/index.js';
import { type DeletionPolicy, type Group, type Membership, notAMember } from '../domain/group.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { GroupRecords, groupNotFound } from './group-records.js';
import { refuseUnlessAdmin } from './members.service.js';

export interface GroupFields {
  name?: string;
  description?: string | null;
  deletion_policy?: DeletionPolicy;
}

/** Groups themselves (specification, Group; rule 10.1). */
@Injectable()
export class GroupsService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly records: GroupRecords,
    private readonly accounts: LivingAccounts,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * The membership of a user in a group.
   * @throws NOT_FOUND for an unknown or disbanded group; NOT_A_MEMBER
   */
  async membership(groupId: string, userId: string): Promise<Membership> {
    const found = isId(groupId) ? await this.groups.find(groupId.toLowerCase(), userId) : null;
    if (found === null) throw groupNotFound();
    if (found.membership === null) throw notAMember();
    return found.membership;
  }

  /** Creates a group whose creator is its admin. */
  async create(
    userId: string,
    { name, description, deletion_policy }: GroupFields & { name: string },
  ): Promise<Membership> {
    const now = this.clock.now();
    const group: Group = {
      id: newId(),
      name,
      description: description ?? null,
      deletion_policy: deletion_policy ?? 'disband',
      created_by: userId,
      is_active: true,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    const member = {
      owner_id: group.id,
      user_id: userId,
      role: 'admin' as const,
      exposure_profile_id: null,
      joined_at: now,
    };
    await this.units.run(async () => {
      await this.accounts.keep(userId);
      await this.records.add(group);
      await this.records.join(member);
    });
    return { group, member, memberCount: 1 };
  }

  async update(
    membership: Membership,
    { name, description, deletion_policy }: GroupFields,
  ): Promise<Membership> {
    return this.units.run(async () => {
      const before = await this.lockedBy(membership);
      const group = await this.records.revise(before, {
        name: name ?? before.name,
        description: description === undefined ? before.description : description,
        deletion_policy: deletion_policy ?? before.deletion_policy,
      });
      return { ...membership, group };
    });
  }

  async disband(membership: Membership): Promise<void> {
    await this.units.run(async () => {
      await this.records.disband(await this.lockedBy(membership));
    });
  }

  /** Locks the group and requires that the member is still an admin. */
  private async lockedBy({ group, member }: Membership): Promise<Group> {
    const locked = await this.records.lock(group.id);
    refuseUnlessAdmin(await this.groups.members(group.id), member.user_id);
    return locked;
  }
}
