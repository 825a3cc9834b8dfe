import { Body, Controller, Delete, Get, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { StepUp, Users } from '../../identity/index.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { FollowsService } from '../application/follows.service.js';
import { type Follow } from '../domain/follow.js';
import { FollowsRepository } from '../infrastructure/follows.repository.js';
import {
  CreateFollowBody,
  EndedFollowDto,
  FollowDto,
  FollowsDto,
  FollowsQuery,
  RespondBody,
} from './follows.dto.js';
import { presentFollow } from './presenters.js';

const follow = (verb: 'respond' | 'end'): Requirement => ({
  callers: 'user',
  resource: { kind: 'follow', param: 'follow_id', verb },
});

/** Follows of other users (specification, Follow; rule 10.9). */
@ApiTags('Follows')
@Controller('follows')
export class FollowsController {
  constructor(
    private readonly service: FollowsService,
    private readonly follows: FollowsRepository,
    private readonly users: Users,
    private readonly stepUp: StepUp,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Follow a user',
    description:
      'A public user is followed at once, with a read-only share of everything; a private one must accept.',
    requires: { callers: 'user' },
    status: 201,
    answers: FollowDto,
    errors: ['NOT_FOUND', 'FOLLOW_EXISTS'],
  })
  async create(@CurrentAccess() { ownerId }: Access, @Body() body: CreateFollowBody): Promise<FollowDto> {
    return this.present(await this.service.create(ownerId, body.target_user_id, body.message ?? null));
  }

  @Get('incoming')
  @Endpoint({
    summary: 'List your followers, newest first',
    description: 'For the followed user; `status` restricts the list.',
    requires: { callers: 'user' },
    answers: FollowsDto,
  })
  async incoming(@CurrentAccess() { ownerId }: Access, @Query() query: FollowsQuery): Promise<FollowsDto> {
    const { status, limit, offset } = query;
    const { follows, total } = await this.follows.incoming(ownerId, { status, limit, offset });
    return { follows: await this.presentAll(follows), total, limit, offset };
  }

  @Get('outgoing')
  @Endpoint({
    summary: 'List the users you follow, newest first',
    description: 'For the follower; `status` restricts the list.',
    requires: { callers: 'user' },
    answers: FollowsDto,
  })
  async outgoing(@CurrentAccess() { ownerId }: Access, @Query() query: FollowsQuery): Promise<FollowsDto> {
    const { status, limit, offset } = query;
    const { follows, total } = await this.follows.outgoing(ownerId, { status, limit, offset });
    return { follows: await this.presentAll(follows), total, limit, offset };
  }

  @Put(':follow_id/respond')
  @Endpoint({
    summary: 'Accept or decline a follow',
    description:
      'Accepting names what the follower may read. Scopes `all` and `specific_tags`, and more than 20 single nodes, need ' +
      'a log-in from the last five minutes.',
    requires: { ...follow('respond'), stepUp: 'sometimes' },
    answers: FollowDto,
    errors: ['INVALID_STATE_TRANSITION'],
  })
  async respond(
    @CurrentAccess() access: Access,
    @Located('follow') located: Follow,
    @Body() { action, share }: RespondBody,
    @Req() request: Request,
  ): Promise<FollowDto> {
    if (action === 'decline') return this.present(await this.service.decline(located));
    if (!share) throw DomainError.validation('share', 'is required to accept');
    const confirm = this.stepUp.confirmation(request);
    return this.present(await this.service.accept(access, located, { terms: share, confirm }));
  }

  @Delete(':follow_id')
  @Endpoint({
    summary: 'Stop following, or remove a follower',
    description: 'Also ends the share that belongs to the follow.',
    requires: follow('end'),
    endsAccess: true,
    answers: EndedFollowDto,
  })
  async end(@Located('follow') located: Follow): Promise<EndedFollowDto> {
    const { id } = await this.service.end(located);
    return { id, status: 'revoked', message: 'Follow ended' };
  }

  private async present(one: Follow): Promise<FollowDto> {
    const [shown] = await this.presentAll([one]);
    return shown as FollowDto;
  }

  private async presentAll(follows: readonly Follow[]): Promise<FollowDto[]> {
    const users = await this.users.findAll(
      follows.flatMap(({ owner_id, follower_id }) => [owner_id, follower_id]),
    );
    return follows.map((one) => presentFollow(one, users));
  }
}
