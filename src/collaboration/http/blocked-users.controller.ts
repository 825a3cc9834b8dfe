import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Users } from '../../identity/index.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { BlockedUsersService } from '../application/blocked-users.service.js';
import { type BlockedUser, BlockedUsersRepository } from '../infrastructure/blocked-users.repository.js';
import { BlockedUserDto, BlockedUsersDto, UnblockedUserDto } from './blocked-users.dto.js';

/** The people from whom a person receives nothing (rule 10.7i). */
@ApiTags('Sharing')
@Controller('blocked-users')
export class BlockedUsersController {
  constructor(
    private readonly service: BlockedUsersService,
    private readonly blocked: BlockedUsersRepository,
    private readonly users: Users,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List the users whom you have blocked, newest first',
    description: 'Nobody else learns of this list.',
    requires: { callers: 'user' },
    answers: BlockedUsersDto,
  })
  async list(
    @CurrentAccess() { ownerId }: Access,
    @Query() { limit, offset }: PageQuery,
  ): Promise<BlockedUsersDto> {
    const { blocked, total } = await this.blocked.list(ownerId, { limit, offset });
    const users = await this.users.findAll(blocked.map(({ user_id }) => user_id));
    const blocked_users = blocked.map((one) => ({
      ...one,
      username: users.get(one.user_id)?.username ?? null,
    }));
    return { blocked_users, total, limit, offset };
  }

  @Put(':user_id')
  @Endpoint({
    summary: 'Block a user',
    description:
      'From the next request on you receive nothing from them: their shares, re-shares of their nodes, requests to follow ' +
      'you and invitations do not exist for you. They get the same answers as before. What you share with them, and ' +
      'accepted follows, stay until you end them.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: BlockedUserDto,
    errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  })
  async block(
    @CurrentAccess() { ownerId }: Access,
    @Param('user_id') userId: string,
  ): Promise<BlockedUserDto> {
    const { blocked, user } = await this.service.block(ownerId, userId);
    return { user_id: user.id, username: user.username, created_at: blocked.created_at };
  }

  @Delete(':user_id')
  @Endpoint({
    summary: 'Unblock a user',
    description:
      'Shares, requests and invitations that are still in force show again, also those made meanwhile.',
    requires: { callers: 'user', resource: { kind: 'blocked_user', param: 'user_id', verb: 'unblock' } },
    answers: UnblockedUserDto,
  })
  async unblock(
    @CurrentAccess() { ownerId }: Access,
    @Located('blocked_user') located: BlockedUser,
  ): Promise<UnblockedUserDto> {
    await this.service.unblock(ownerId, located);
    return { user_id: located.user_id, message: 'User unblocked' };
  }
}
