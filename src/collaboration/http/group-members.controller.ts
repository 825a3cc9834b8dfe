import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { Users } from '../../identity/index.js';
import { type MemberFields, MembersService } from '../application/members.service.js';
import { type Membership } from '../domain/group.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { LeftGroupDto, MemberDto, MembersDto, UpdateMemberBody } from './groups.dto.js';
import { presentMember } from './presenters.js';

const group = (verb: 'member' | 'admin'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group', param: 'group_id', verb },
});

/** Who is in a group (decisions 10.2). */
@ApiTags('Groups')
@Controller('groups/:group_id/members')
export class GroupMembersController {
  constructor(
    private readonly members: MembersService,
    private readonly groups: GroupsRepository,
    private readonly users: Users,
  ) {}

  @Get()
  @Endpoint({
    summary: 'The members of a group, earliest first',
    description: 'For members of the group.',
    requires: group('member'),
    answers: MembersDto,
    errors: ['NOT_A_MEMBER'],
  })
  async list(@Located('group') { group: { id } }: Membership): Promise<MembersDto> {
    const members = await this.groups.members(id);
    const users = await this.users.findAll(members.map(({ user_id }) => user_id));
    return { members: members.map((member) => presentMember(member, users)), total: members.length };
  }

  @Put(':user_id')
  @Endpoint({
    summary: 'Change the role or the profile of a member',
    description: 'Absent stays; null takes the profile away.',
    requires: group('admin'),
    answers: MemberDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'LAST_ADMIN'],
  })
  update(
    @Located('group') membership: Membership,
    @Param('user_id') userId: string,
    @Body() body: UpdateMemberBody,
  ): Promise<MemberDto> {
    return this.change(membership, userId, body);
  }

  @Post(':user_id/promote')
  @Endpoint({
    summary: 'Make a member an admin',
    description: 'By an admin of the group.',
    requires: group('admin'),
    answers: MemberDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  promote(@Located('group') membership: Membership, @Param('user_id') userId: string): Promise<MemberDto> {
    return this.change(membership, userId, { role: 'admin' });
  }

  @Delete(':user_id')
  @Endpoint({
    summary: 'Remove a member, or leave',
    description:
      'An admin removes anybody, a member the own self. When the last admin leaves, `deletion_policy` says what follows.',
    requires: group('member'),
    answers: LeftGroupDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  async remove(
    @Located('group') { group: { id }, member: { user_id: byUserId } }: Membership,
    @Param('user_id') userId: string,
  ): Promise<LeftGroupDto> {
    const { isGroupActive, newAdminId } = await this.members.remove(id, { userId, byUserId });
    const message = userId.toLowerCase() === byUserId ? 'You left the group' : 'Member removed';
    return { message, group_active: isGroupActive, new_admin_id: newAdminId };
  }

  private async change(
    { group: { id }, member: { user_id: byUserId } }: Membership,
    userId: string,
    fields: MemberFields,
  ): Promise<MemberDto> {
    const member = await this.members.update(id, { userId, byUserId }, fields);
    return presentMember(member, await this.users.findAll([member.user_id]));
  }
}
