import { Body, Controller, Delete, Get, Post, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { StepUp } from '../../identity/index.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { GroupSharesService } from '../application/group-shares.service.js';
import { GroupsService } from '../application/groups.service.js';
import { type Membership } from '../domain/group.js';
import { GroupsRepository } from '../infrastructure/groups.repository.js';
import { GroupPresenter } from './group.presenter.js';
import {
  CreateGroupBody,
  DisbandedGroupDto,
  GroupDto,
  GroupsDto,
  GroupShareBody,
  GroupShareDto,
  RevokedGroupShareDto,
  UpdateGroupBody,
} from './groups.dto.js';
import { presentGroup } from './presenters.js';

const group = (verb: 'member' | 'admin'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group', param: 'group_id', verb },
});

/** Groups, and members' shares with them (specification, Group; rules 10.1, 10.6). */
@ApiTags('Groups')
@Controller('groups')
export class GroupsController {
  constructor(
    private readonly service: GroupsService,
    private readonly shares: GroupSharesService,
    private readonly groups: GroupsRepository,
    private readonly presenter: GroupPresenter,
    private readonly stepUp: StepUp,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create a group',
    description: 'You become its admin.',
    requires: { callers: 'user' },
    status: 201,
    answers: GroupDto,
  })
  async create(@CurrentAccess() { ownerId }: Access, @Body() body: CreateGroupBody): Promise<GroupDto> {
    return presentGroup(await this.service.create(ownerId, body));
  }

  @Get()
  @Endpoint({
    summary: 'List your groups',
    description: 'Lists the groups that you are a member of, with your role in each.',
    requires: { callers: 'user' },
    answers: GroupsDto,
  })
  async list(@CurrentAccess() { ownerId }: Access): Promise<GroupsDto> {
    const memberships = await this.groups.ofUser(ownerId);
    return { groups: memberships.map(presentGroup), total: memberships.length };
  }

  @Get(':group_id')
  @Endpoint({
    summary: 'Get a group',
    description: 'For its members; an inactive one reads as absent.',
    requires: group('member'),
    answers: GroupDto,
    errors: ['NOT_A_MEMBER'],
  })
  get(@Located('group') membership: Membership): GroupDto {
    return presentGroup(membership);
  }

  @Put(':group_id')
  @Endpoint({
    summary: 'Change a group',
    description: 'For admins of the group. Absent fields stay unchanged.',
    requires: group('admin'),
    answers: GroupDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  async update(@Located('group') membership: Membership, @Body() body: UpdateGroupBody): Promise<GroupDto> {
    return presentGroup(await this.service.update(membership, body));
  }

  @Delete(':group_id')
  @Endpoint({
    summary: 'Disband a group',
    description: 'Its data is kept and can no longer be reached; shares by its members are revoked.',
    requires: group('admin'),
    endsAccess: true,
    answers: DisbandedGroupDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  async disband(@Located('group') membership: Membership): Promise<DisbandedGroupDto> {
    await this.service.disband(membership);
    return { message: 'Group disbanded', id: membership.group.id };
  }

  @Post(':group_id/share')
  @Endpoint({
    summary: 'Share your data with a group',
    description: 'Shares what one of your own exposure profiles allows, for reading only.',
    requires: { ...group('member'), stepUp: 'always' },
    status: 201,
    answers: GroupShareDto,
    errors: ['NOT_A_MEMBER', 'SHARE_EXISTS'],
  })
  async share(
    @Located('group') membership: Membership,
    @Body() { exposure_profile_id }: GroupShareBody,
  ): Promise<GroupShareDto> {
    return this.presenter.share(
      await this.shares.create(shareOf(membership), exposure_profile_id),
      membership,
    );
  }

  @Get(':group_id/share')
  @Endpoint({
    summary: 'Get your share with a group',
    description: 'Your own share with this group; those of other members are not shown.',
    requires: group('member'),
    answers: GroupShareDto,
    errors: ['NOT_A_MEMBER'],
  })
  async getShare(@Located('group') membership: Membership): Promise<GroupShareDto> {
    return this.presenter.share(await this.shares.get(shareOf(membership)), membership);
  }

  @Put(':group_id/share')
  @Endpoint({
    summary: 'Share your data with a group through another profile',
    description:
      'From now on the group can read what that profile of yours allows. Another profile needs a log-in ' +
      'from the last five minutes.',
    requires: { ...group('member'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: GroupShareDto,
    errors: ['NOT_A_MEMBER'],
  })
  async changeShare(
    @Located('group') membership: Membership,
    @Body() { exposure_profile_id }: GroupShareBody,
    @Req() request: Request,
  ): Promise<GroupShareDto> {
    const confirm = this.stepUp.confirmation(request);
    const share = await this.shares.update(shareOf(membership), exposure_profile_id, confirm);
    return this.presenter.share(share, membership);
  }

  @Delete(':group_id/share')
  @Endpoint({
    summary: 'Stop sharing your data with a group',
    description: 'From the next request on the group sees nothing of yours. Leaving the group does the same.',
    requires: group('member'),
    endsAccess: true,
    answers: RevokedGroupShareDto,
    errors: ['NOT_A_MEMBER'],
  })
  async revokeShare(@Located('group') membership: Membership): Promise<RevokedGroupShareDto> {
    await this.shares.revoke(shareOf(membership));
    return { message: 'The group no longer sees your data', group_id: membership.group.id };
  }
}

const shareOf = ({ group, member }: Membership) => ({ groupId: group.id, userId: member.user_id });
