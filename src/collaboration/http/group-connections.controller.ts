import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { ConnectionsService } from '../application/connections.service.js';
import { type Connection, type Membership } from '../domain/group.js';
import { ConnectionsRepository } from '../infrastructure/connections.repository.js';
import { ConnectBody, ConnectionDto, ConnectionsDto } from './group-connections.dto.js';
import { GroupPresenter } from './group.presenter.js';
import { AnswerBody } from './groups.dto.js';

const group = (verb: 'member' | 'admin'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group', param: 'group_id', verb },
});

const connection = (verb: 'answer' | 'revoke'): Requirement => ({
  callers: 'user',
  resource: { kind: 'group_connection', param: 'connection_id', verb },
});

/** Connections between groups; a connection gives no access by itself (rule 10.4). */
@ApiTags('Groups')
@Controller('groups/:group_id/connections')
export class GroupConnectionsController {
  constructor(
    private readonly service: ConnectionsService,
    private readonly connections: ConnectionsRepository,
    private readonly presenter: GroupPresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Request a connection to another group',
    description: 'For admins of the group. A connection gives no access to any node.',
    requires: group('admin'),
    status: 201,
    answers: ConnectionDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'CONNECTION_EXISTS'],
  })
  async request(@Located('group') membership: Membership, @Body() body: ConnectBody): Promise<ConnectionDto> {
    return this.presenter.connection(
      membership.group,
      await this.service.request(askingOf(membership), body),
    );
  }

  @Get()
  @Endpoint({
    summary: 'List the connections that a group has requested, newest first',
    description:
      'For members of the group; ended ones stay listed with their status until the next request to that group.',
    requires: group('member'),
    answers: ConnectionsDto,
    errors: ['NOT_A_MEMBER'],
  })
  async outgoing(
    @Located('group') { group }: Membership,
    @Query() { limit, offset }: PageQuery,
  ): Promise<ConnectionsDto> {
    const { connections, total } = await this.connections.outgoing(group.id, { limit, offset });
    return { connections: await this.presenter.connections(group, connections), total, limit, offset };
  }

  @Get('incoming')
  @Endpoint({
    summary: 'List the connections that wait for the answer of a group',
    description: 'For admins of the group that received the request.',
    requires: group('admin'),
    answers: ConnectionsDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED'],
  })
  async incoming(
    @Located('group') { group }: Membership,
    @Query() { limit, offset }: PageQuery,
  ): Promise<ConnectionsDto> {
    const { connections, total } = await this.connections.incoming(group.id, { limit, offset });
    return { connections: await this.presenter.connections(group, connections), total, limit, offset };
  }

  @Put(':connection_id')
  @Endpoint({
    summary: 'Accept or decline a connection',
    description: 'For admins of the group that received the request.',
    requires: connection('answer'),
    answers: ConnectionDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'INVALID_STATE_TRANSITION'],
  })
  async answer(
    @Located('group_connection') { membership, located }: LocatedConnection,
    @Body() { action }: AnswerBody,
  ): Promise<ConnectionDto> {
    const status = action === 'accept' ? 'accepted' : 'declined';
    return this.stepped(membership, located, status);
  }

  @Delete(':connection_id')
  @Endpoint({
    summary: 'Revoke a connection',
    description: 'For admins of either group.',
    requires: connection('revoke'),
    endsAccess: true,
    answers: ConnectionDto,
    errors: ['NOT_A_MEMBER', 'ADMIN_REQUIRED', 'INVALID_STATE_TRANSITION'],
  })
  async revoke(
    @Located('group_connection') { membership, located }: LocatedConnection,
  ): Promise<ConnectionDto> {
    return this.stepped(membership, located, 'revoked');
  }

  private async stepped(
    membership: Membership,
    located: Connection,
    status: 'accepted' | 'declined' | 'revoked',
  ): Promise<ConnectionDto> {
    const connection = await this.service.step(askingOf(membership), located, status);
    return this.presenter.connection(membership.group, connection);
  }
}

interface LocatedConnection {
  membership: Membership;
  located: Connection;
}

const askingOf = ({ group: { id }, member }: Membership) => ({ groupId: id, byUserId: member.user_id });
