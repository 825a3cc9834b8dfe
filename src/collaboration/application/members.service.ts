import { Injectable } from '@nestjs/common';
import { type ConfirmRights } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isForeignKeyViolation } from '../../kernel/database/violations.js';
import {
  departure,
  type Departure,
  type Group,
  type Member,
  membersRights,
  notAMember,
  refuseLastDemotion,
  type Role,
} from '../domain/group.js';
import { GroupGraphsQueries } from '../infrastructure/group-graphs.queries.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { GroupRecords } from './group-records.js';

export interface MemberFields {
  role?: Role;
  exposure_profile_id?: string | null;
}

/** A change of a member, and the user who makes it. */
export interface MemberChange {
  userId: string;
  /** Must still be an admin once the group is locked. */
  byUserId: string;
  confirm: ConfirmRights;
}

export interface Leaving {
  isGroupActive: boolean;
  newAdminId: string | null;
}

/**
 * The members of a group and their roles (rule 10.2). The group is locked first, so that two admins who
 * leave at the same time leave one after the other.
 */
@Injectable()
export class MembersService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly profiles: GroupGraphsQueries,
    private readonly records: GroupRecords,
    private readonly units: UnitOfWork,
  ) {}

  /** @throws NOT_FOUND for a user who is not a member */
  async get(groupId: string, userId: string): Promise<Member> {
    return memberAmong(await this.groups.members(groupId), userId);
  }

  /**
   * Updates a member for an admin.
   * @throws NOT_FOUND for a user who is not a member; LAST_ADMIN; VALIDATION_ERROR for a profile that is
   * not the group's
   */
  async update(
    groupId: string,
    { userId, byUserId, confirm }: MemberChange,
    { role, exposure_profile_id }: MemberFields,
  ): Promise<Member> {
    return this.units.run(async () => {
      const { members, member } = await this.locked(groupId, userId);
      refuseUnlessAdmin(members, byUserId);
      if (member.role === 'admin' && role === 'member') refuseLastDemotion(members, member.user_id);
      const profileId =
        exposure_profile_id === undefined
          ? member.exposure_profile_id
          : await this.ownProfile(groupId, exposure_profile_id);
      const changed = { ...member, role: role ?? member.role, exposure_profile_id: profileId };
      await confirm(membersRights(member), membersRights(changed));
      try {
        return await this.records.changeMember(changed);
      } catch (error) {
        // The profile was deleted after it was looked up.
        throw isForeignKeyViolation(error) ? foreignProfile() : error;
      }
    });
  }

  /**
   * Removes a member for an admin, or for the member. @throws NOT_FOUND, ADMIN_REQUIRED; what `confirm`
   * throws about a successor
   */
  async remove(groupId: string, { userId, byUserId, confirm }: MemberChange): Promise<Leaving> {
    return this.units.run(async () => {
      const { group, members, member } = await this.locked(groupId, userId);
      if (member.user_id !== byUserId) refuseUnlessAdmin(members, byUserId);
      const consequence = departure(group, members, member.user_id);
      if (consequence.kind === 'passes on') {
        const { successor } = consequence;
        await confirm(membersRights(successor), membersRights({ ...successor, role: 'admin' }));
      }
      return this.leave(group, member, consequence);
    });
  }

  private async leave(group: Group, member: Member, consequence: Departure): Promise<Leaving> {
    await this.records.leave(member);
    if (consequence.kind === 'disbands') {
      await this.records.disband(group);
      return { isGroupActive: false, newAdminId: null };
    }
    if (consequence.kind === 'stays') return { isGroupActive: true, newAdminId: null };
    const { successor } = consequence;
    await this.records.changeMember({ ...successor, role: 'admin' });
    return { isGroupActive: true, newAdminId: successor.user_id };
  }

  private async locked(groupId: string, userId: string) {
    const group = await this.records.lock(groupId);
    const members = await this.groups.members(groupId);
    return { group, members, member: memberAmong(members, userId) };
  }

  private async ownProfile(groupId: string, given: string | null): Promise<string | null> {
    if (given === null) return null;
    const profile = isId(given) ? await this.profiles.profile(groupId, given.toLowerCase()) : null;
    if (profile === null) throw foreignProfile();
    return profile.id;
  }
}

function memberAmong(members: readonly Member[], userId: string): Member {
  const member = members.find(({ user_id }) => user_id === userId.toLowerCase());
  if (member === undefined) throw memberNotFound();
  return member;
}

/** Repeats the guard's check under the lock, because the role may have changed since. */
export function refuseUnlessAdmin(members: readonly Member[], userId: string): void {
  const member = members.find(({ user_id }) => user_id === userId);
  if (member === undefined) throw notAMember();
  if (member.role !== 'admin') throw adminRequired();
}

export const adminRequired = (): DomainError =>
  new DomainError('ADMIN_REQUIRED', 'Only an admin of the group may do this');

const memberNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Member not found');

export const foreignProfile = (): DomainError =>
  DomainError.validation('exposure_profile_id', "must be one of the group's own profiles");
