import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../kernel/database/violations.js';
import { LivingAccounts, Users } from '../../identity/index.js';
import { answered, type Invitation, type Member, type Role } from '../domain/group.js';
import { GroupGraphsQueries } from '../infrastructure/group-graphs.queries.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { InvitationsRepository } from '../infrastructure/invitations.repository.js';
import { GroupRecords } from './group-records.js';
import { refuseBeyondBounds } from './invitation-bounds.js';
import { foreignProfile, refuseUnlessAdmin } from './members.service.js';

export interface NewInvitation {
  user_id: string;
  role: Role;
  /** Absent: the profile that the user had as a former member. */
  exposure_profile_id?: string | null;
  message?: string | null;
}

/** The most ended invitations of a group that are stored. */
const MOST_ENDED = 1_000;

/** Invitations into groups (rule 10.3). The group is locked first, as for every change of its members. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly groups: GroupsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly profiles: GroupGraphsQueries,
    private readonly records: GroupRecords,
    private readonly users: Users,
    private readonly accounts: LivingAccounts,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws NOT_FOUND for an unknown user; ALREADY_MEMBER, INVITATION_EXISTS, QUOTA_EXCEEDED; VALIDATION_ERROR for a
   * profile that is not the group's, and when none is named and the profile of a former member no longer
   * exists
   */
  async invite(
    groupId: string,
    byUserId: string,
    { user_id, role, exposure_profile_id, message }: NewInvitation,
  ): Promise<Invitation> {
    return this.units.run(async () => {
      await this.records.lock(groupId);
      const user = await this.users.get(user_id.toLowerCase());
      const members = await this.groups.members(groupId);
      refuseUnlessAdmin(members, byUserId);
      if (members.some((member) => member.user_id === user.id))
        throw new DomainError('ALREADY_MEMBER', 'This user is already a member');
      const invitation: Invitation = {
        owner_id: groupId,
        id: newId(),
        invited_user_id: user.id,
        invited_by: byUserId,
        role,
        exposure_profile_id: await this.profileOf(groupId, user.id, exposure_profile_id),
        message: message ?? null,
        status: 'pending',
        created_at: this.clock.now(),
        responded_at: null,
      };
      await this.add(invitation);
      return invitation;
    });
  }

  /**
   * Answers an invitation for the invited user.
   * @throws INVALID_STATE_TRANSITION, also when the profile of the invitation no longer exists; NOT_FOUND
   * when the group has been disbanded
   */
  async answer(located: Invitation, status: 'accepted' | 'declined'): Promise<Invitation> {
    return this.units.run(async () => {
      if (status === 'accepted') await this.accounts.keep(located.invited_user_id);
      await this.records.lock(located.owner_id);
      const invitation = await this.locked(located);
      const at = this.clock.now();
      const done = answered(invitation, status, at);
      await this.invitations.update(done);
      if (status === 'accepted') {
        const { owner_id, invited_user_id: user_id, role, exposure_profile_id } = invitation;
        await this.join({ owner_id, user_id, role, exposure_profile_id, joined_at: at });
      }
      return done;
    });
  }

  /** An invitation of the group. @throws NOT_FOUND */
  async ofGroup(groupId: string, id: string): Promise<Invitation> {
    const invitation = isId(id) ? await this.invitations.ofGroup(groupId, id) : null;
    if (invitation === null) throw invitationNotFound();
    return invitation;
  }

  /** Cancels an invitation for an admin. @throws NOT_FOUND, INVALID_STATE_TRANSITION */
  async cancel(located: Invitation, byUserId: string): Promise<Invitation> {
    return this.units.run(async () => {
      await this.records.lock(located.owner_id);
      refuseUnlessAdmin(await this.groups.members(located.owner_id), byUserId);
      const done = answered(await this.locked(located), 'cancelled', this.clock.now());
      await this.invitations.update(done);
      return done;
    });
  }

  private async profileOf(
    groupId: string,
    userId: string,
    given: string | null | undefined,
  ): Promise<string | null> {
    if (given === null) return null;
    const id = given?.toLowerCase() ?? (await this.groups.formerProfile(groupId, userId));
    if (id === null) return null;
    if (isId(id) && (await this.profiles.profile(groupId, id)) !== null) return id;
    throw given === undefined ? formerProfileGone() : foreignProfile();
  }

  private async join(member: Member): Promise<void> {
    try {
      await this.records.join(member);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      throw new DomainError(
        'INVALID_STATE_TRANSITION',
        'The exposure profile of this invitation was deleted; ask for a new invitation',
      );
    }
  }

  private async locked({ owner_id, id }: Invitation): Promise<Invitation> {
    const invitation = await this.invitations.lock(owner_id, id);
    if (invitation === null) throw invitationNotFound();
    return invitation;
  }

  private async add(invitation: Invitation): Promise<void> {
    const { owner_id, invited_user_id, invited_by } = invitation;
    const pending = await this.invitations.makeRoom(owner_id, invited_user_id, MOST_ENDED);
    try {
      await this.invitations.insert(invitation);
    } catch (error) {
      if (!isUniqueViolation(error, 'group_invitations_pending')) throw error;
      throw new DomainError('INVITATION_EXISTS', 'This user is already invited');
    }
    refuseBeyondBounds(pending + 1, await this.invitations.received(invited_by, invited_user_id));
  }
}

const formerProfileGone = (): DomainError =>
  DomainError.validation(
    'exposure_profile_id',
    'is required: the profile that this user had as a member was deleted; null lets them read everything',
  );

export const invitationNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Invitation not found');
