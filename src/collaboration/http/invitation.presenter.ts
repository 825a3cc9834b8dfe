import { Injectable } from '@nestjs/common';
import { Names } from '../../identity/index.js';
import { ProfileNames } from '../../privacy/index.js';
import { type NamedInvitation } from '../infrastructure/invitations.repository.js';
import { type InvitationDto } from './groups.dto.js';

/** Presents invitations with the names beside their ids (rule 11.13). */
@Injectable()
export class InvitationPresenter {
  constructor(
    private readonly names: Names,
    private readonly profiles: ProfileNames,
  ) {}

  /** Invitations as the invited user sees them: which profile they will have is for admins. */
  async presentAll(invitations: readonly NamedInvitation[]): Promise<InvitationDto[]> {
    const person = await this.names.people(
      invitations.flatMap(({ invited_user_id, invited_by }) => [invited_user_id, invited_by]),
    );
    return invitations.map(({ owner_id, group_name, ...invitation }) => ({
      id: invitation.id,
      group_id: owner_id,
      group_name,
      invited_user_id: invitation.invited_user_id,
      invited_by: invitation.invited_by,
      role: invitation.role,
      message: invitation.message,
      status: invitation.status,
      created_at: invitation.created_at,
      responded_at: invitation.responded_at,
      group: { id: owner_id, name: group_name },
      invited_user: person(invitation.invited_user_id),
      inviter: person(invitation.invited_by),
    }));
  }

  /** Invitations of one group as its admins see them. */
  async presentAllOfGroup(
    groupId: string,
    invitations: readonly NamedInvitation[],
  ): Promise<InvitationDto[]> {
    const profileIds = invitations.map(({ exposure_profile_id }) => exposure_profile_id);
    const profiles = await this.profiles.of(groupId, profileIds);
    const shown = await this.presentAll(invitations);
    return shown.map((invitation, index) => {
      const id = profileIds[index] ?? null;
      return {
        ...invitation,
        exposure_profile_id: id,
        exposure_profile: (id === null ? undefined : profiles.get(id)) ?? null,
      };
    });
  }
}
