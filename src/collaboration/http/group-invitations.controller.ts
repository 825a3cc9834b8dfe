import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { InvitationsService } from '../application/invitations.service.js';
import { type Invitation, type Membership } from '../domain/group.js';
import { InvitationsRepository, type NamedInvitation } from '../infrastructure/invitations.repository.js';
import { AnswerBody, InvitationDto, InvitationsDto, InviteBody } from './groups.dto.js';
import { InvitationPresenter } from './invitation.presenter.js';

const ADMIN: Requirement = {
  callers: 'user',
  resource: { kind: 'group', param: 'group_id', verb: 'admin' },
};

/** Invitations into groups (rule 10.3). */
@ApiTags('Groups')
@Controller('groups')
export class GroupInvitationsController {
  constructor(
    private readonly service: InvitationsService,
    private readonly invitations: InvitationsRepository,
    private readonly presenter: InvitationPresenter,
  ) {}

  @Get('invitations/incoming')
  @Endpoint({
    summary: 'List the invitations that wait for your answer, newest first',
    description: 'Lists only invitations that were sent to you.',
    requires: { callers: 'user' },
    answers: InvitationsDto,
  })
  async incoming(
    @CurrentAccess() { ownerId }: Access,
    @Query() { limit, offset }: PageQuery,
  ): Promise<InvitationsDto> {
    const { invitations, total } = await this.invitations.incoming(ownerId, { limit, offset });
    return { invitations: await this.presenter.presentAll(invitations), total, limit, offset };
  }

  @Put('invitations/:invitation_id')
  @Endpoint({
    summary: 'Accept or decline an invitation',
    description: 'For the invited user only. Accepting makes them a member at once, with the offered role.',
    requires: {
      callers: 'user',
      resource: { kind: 'invitation', param: 'invitation_id', verb: 'answer' },
    },
    answers: InvitationDto,
    errors: ['INVALID_STATE_TRANSITION'],
  })
  async answer(
    @Located('invitation') located: NamedInvitation,
    @Body() { action }: AnswerBody,
  ): Promise<InvitationDto> {
    const status = action === 'accept' ? 'accepted' : 'declined';
    const answered = await this.service.answer(located, status);
    const [shown] = await this.presenter.presentAll([{ ...answered, group_name: located.group_name }]);
    return shown as InvitationDto;
  }

  @Post(':group_id/invitations')
  @Endpoint({
    summary: 'Invite a user into a group',
    description:
      "For admins of the group. The invited user sees the group's name, and nothing in it before accepting.",
    requires: { ...ADMIN, stepUp: 'always' },
    status: 201,
    answers: InvitationDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'ALREADY_MEMBER', 'INVITATION_EXISTS'],
  })
  async invite(
    @Located('group') { group: { id, name }, member }: Membership,
    @Body() body: InviteBody,
  ): Promise<InvitationDto> {
    return this.ofGroup(await this.service.invite(id, member.user_id, body), name);
  }

  @Get(':group_id/invitations')
  @Endpoint({
    summary: 'List the invitations of a group that wait for an answer, newest first',
    description: 'For admins of the group.',
    requires: ADMIN,
    answers: InvitationsDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  async pending(
    @Located('group') { group: { id } }: Membership,
    @Query() { limit, offset }: PageQuery,
  ): Promise<InvitationsDto> {
    const { invitations, total } = await this.invitations.pending(id, { limit, offset });
    return { invitations: await this.presenter.presentAllOfGroup(id, invitations), total, limit, offset };
  }

  @Delete(':group_id/invitations/:invitation_id')
  @Endpoint({
    summary: 'Cancel an invitation',
    description: 'For admins of the group, until the invitation is answered.',
    requires: {
      callers: 'user',
      resource: { kind: 'group_invitation', param: 'invitation_id', verb: 'cancel' },
    },
    endsAccess: true,
    answers: InvitationDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'INVALID_STATE_TRANSITION'],
  })
  async cancel(
    @Located('group_invitation') located: NamedInvitation,
    @CurrentAccess() { ownerId }: Access,
  ): Promise<InvitationDto> {
    return this.ofGroup(await this.service.cancel(located, ownerId), located.group_name);
  }

  private async ofGroup(invitation: Invitation, group_name: string): Promise<InvitationDto> {
    const [shown] = await this.presenter.presentAllOfGroup(invitation.owner_id, [
      { ...invitation, group_name },
    ]);
    return shown as InvitationDto;
  }
}
