import { Body, Controller, Delete, Get, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { StepUp } from '../../identity/index.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { type MemberChange, type MemberFields, MembersService } from '../application/members.service.js';
import { type Member, type Membership } from '../domain/group.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { GroupPresenter } from './group.presenter.js';
import { LeftGroupDto, MemberDto, MembersDto, UpdateMemberBody } from './groups.dto.js';

const member = (verb: 'edit' | 'remove'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group_member', param: 'user_id', verb },
});

/** The members of a group (rule 10.2). */
@ApiTags('Groups')
@Controller('groups/:group_id/members')
export class GroupMembersController {
  constructor(
    private readonly members: MembersService,
    private readonly groups: GroupsRepository,
    private readonly presenter: GroupPresenter,
    private readonly stepUp: StepUp,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List the members of a group, earliest first',
    description: 'For members of the group. Only admins see which exposure profile somebody else has.',
    requires: { callers: 'user', resource: { kind: 'group', param: 'group_id', verb: 'member' } },
    answers: MembersDto,
    errors: ['NOT_A_MEMBER'],
  })
  async list(@Located('group') { group: { id }, member: reader }: Membership): Promise<MembersDto> {
    const members = await this.presenter.members(id, await this.groups.members(id), reader);
    return { members, total: members.length };
  }

  @Put(':user_id')
  @Endpoint({
    summary: 'Change the role or the profile of a member',
    description:
      'Absent fields stay; null removes the profile. Another profile, or none, and the role of an admin need a log-in not ' +
      'older than five minutes.',
    requires: { ...member('edit'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: MemberDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'LAST_ADMIN'],
  })
  update(
    @Located('group_member') located: Member,
    @CurrentAccess() { ownerId }: Access,
    @Body() body: UpdateMemberBody,
    @Req() request: Request,
  ): Promise<MemberDto> {
    return this.change(located, this.by(ownerId, request), body);
  }

  @Post(':user_id/promote')
  @Endpoint({
    summary: 'Make a member an admin',
    description: 'For admins of the group with a log-in from the last five minutes.',
    requires: { ...member('edit'), stepUp: 'sometimes' },
    answers: MemberDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  promote(
    @Located('group_member') located: Member,
    @CurrentAccess() { ownerId }: Access,
    @Req() request: Request,
  ): Promise<MemberDto> {
    return this.change(located, this.by(ownerId, request), { role: 'admin' });
  }

  @Delete(':user_id')
  @Endpoint({
    summary: 'Remove a member, or leave',
    description:
      'Admins remove any member, members remove themselves. When the last admin leaves, `deletion_policy` applies; ' +
      'leaving the group to another member needs a log-in from the last five minutes.',
    requires: { ...member('remove'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: LeftGroupDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  async remove(
    @Located('group_member') { owner_id: groupId, user_id: userId }: Member,
    @CurrentAccess() { ownerId: byUserId }: Access,
    @Req() request: Request,
  ): Promise<LeftGroupDto> {
    const by = this.by(byUserId, request);
    const { isGroupActive, newAdminId } = await this.members.remove(groupId, { userId, ...by });
    const message = userId === byUserId ? 'You left the group' : 'Member removed';
    return { message, group_active: isGroupActive, new_admin_id: newAdminId };
  }

  private by(byUserId: string, request: Request): Omit<MemberChange, 'userId'> {
    return { byUserId, confirm: this.stepUp.confirmation(request) };
  }

  private async change(
    { owner_id: groupId, user_id: userId }: Member,
    by: Omit<MemberChange, 'userId'>,
    fields: MemberFields,
  ): Promise<MemberDto> {
    const changed = await this.members.update(groupId, { userId, ...by }, fields);
    const reader = { role: 'admin', user_id: by.byUserId } as const;
    const [shown] = await this.presenter.members(groupId, [changed], reader);
    return shown as MemberDto;
  }
}
