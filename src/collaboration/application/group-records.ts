import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Group, type Member } from '../domain/group.js';
import { ConnectionsRepository } from '../infrastructure/connections.repository.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { InvitationsRepository } from '../infrastructure/invitations.repository.js';

/**
 * Writes each step in the life of a group and its memberships: the rows, their entries in the group's
 * change log, and the end of what is cached for the group. Needs a unit of work, and the group locked.
 */
@Injectable()
export class GroupRecords {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND when the group has been disbanded meanwhile */
  async lock(groupId: string): Promise<Group> {
    const group = await this.groups.lock(groupId);
    if (group === null) throw groupNotFound();
    return group;
  }

  async add(group: Group): Promise<void> {
    await this.groups.insert(group);
    this.changes.count(group.created_by, { groups: 1 });
    this.record(group, 'created');
  }

  async revise(before: Group, changes: Partial<Group>, action = 'updated'): Promise<Group> {
    const after = { ...before, ...changes, version: before.version + 1, updated_at: this.clock.now() };
    await this.groups.update(after);
    this.record(after, action);
    return after;
  }

  /** Disbands a group. Shares by members, invitations and connections end with it. */
  async disband(group: Group): Promise<Group> {
    const at = this.clock.now();
    await this.groups.removeShares(group.id);
    await this.invitations.cancelAll(group.id, at);
    await this.connections.revokeAll(group.id, at);
    this.changes.count(group.created_by, { groups: -1 });
    return this.revise(group, { is_active: false }, 'deleted');
  }

  async join(member: Member): Promise<void> {
    await this.groups.addMember(member);
    this.recordMember(member, 'created');
  }

  /**
   * Updates a member. Invitations end with their maker's admin role, so that nobody joins at the invitation
   * of a former admin (rule 10.3).
   */
  async changeMember(member: Member): Promise<Member> {
    await this.groups.updateMember(member);
    if (member.role !== 'admin') await this.cancelInvitationsOf(member);
    this.recordMember(member, 'updated');
    return member;
  }

  /** Removes a member and ends the invitations that the member made (rule 10.3). */
  async leave(member: Member): Promise<void> {
    await this.groups.removeMember(member.owner_id, member.user_id);
    await this.cancelInvitationsOf(member);
    this.recordMember(member, 'deleted');
  }

  private async cancelInvitationsOf({ owner_id: groupId, user_id: userId }: Member): Promise<void> {
    await this.invitations.cancelOf(groupId, userId, this.clock.now());
  }

  private record(group: Group, action: string): void {
    this.append({ groupId: group.id, entity: 'group', entityId: group.id, action }, group);
  }

  private recordMember(member: Member, action: string): void {
    const { owner_id: groupId, user_id: entityId } = member;
    this.append({ groupId, entity: 'group_member', entityId, action }, member);
  }

  private append(
    { groupId, entity, entityId, action }: Record<'groupId' | 'entity' | 'entityId' | 'action', string>,
    snapshot: object,
  ): void {
    const version = 'version' in snapshot ? Number(snapshot.version) : 1;
    this.changes.append({ ownerId: groupId, entity, entityId, action, version, snapshot });
    this.changes.bumpPolicyVersion(groupId);
  }
}

export const groupNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Group not found');
