import { Body, Controller, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { pageWithinBytes } from '../../kernel/http/answers/page-within-bytes.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { SessionsService } from '../application/sessions.service.js';
import { type Session } from '../domain/session.js';
import { SessionsRepository } from '../infrastructure/sessions.repository.js';
import {
  AdvanceSessionBody,
  BeginSessionBody,
  SessionDto,
  SessionsDto,
  SessionsQuery,
} from './sessions.dto.js';
import { SessionsPresenter } from './sessions.presenter.js';

const session = (verb: string): Requirement => ({
  callers: 'any',
  resource: { kind: 'session', param: 'session_id', verb },
});

/** Passes of agents over some material (rules 7.4, 7.5). */
@ApiTags('Sessions')
@Controller('sessions')
export class SessionsController {
  constructor(
    private readonly service: SessionsService,
    private readonly sessions: SessionsRepository,
    private readonly presenter: SessionsPresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Begin a session',
    description:
      'A write that names an unknown session in `agent_metadata.session_id` begins it as well. A repeated `external_id` answers with the existing session.',
    requires: { callers: 'any' },
    status: 201,
    alsoStatus: 200,
    answers: SessionDto,
  })
  async begin(
    @CurrentAccess() access: Access,
    @Body() body: BeginSessionBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto> {
    const begun = await this.service.begin(access, body);
    if (begun.isNew) return this.presenter.presentBegun(access, begun.session);
    response.status(200);
    return this.one(access, begun.session);
  }

  @Get()
  @Endpoint({
    summary: 'List sessions',
    holdsNoSecret: true,
    description: 'An app sees those that it began, and those that touched a node it can read.',
    requires: { callers: 'any' },
    answers: SessionsDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: SessionsQuery): Promise<SessionsDto> {
    const { limit, offset } = query;
    const status = query.status === 'all' ? undefined : query.status;
    const { items: sessions, ...page } = await pageWithinBytes<Session, SessionDto>({
      limit,
      offset,
      read: (room) => this.sessions.list(access, { status, ...room }),
      show: (rows) => this.presenter.present(access, rows),
      isWhole: () => access.isOwner,
    });
    return { sessions, ...page };
  }

  @Get(':session_id')
  @Endpoint({
    summary: 'Get a session',
    holdsNoSecret: true,
    description:
      'An app sees the sessions that it made and those that touched a node it can read; its statistics count readable nodes only.',
    requires: session('read'),
    answers: SessionDto,
  })
  get(@CurrentAccess() access: Access, @Located('session') located: Session): Promise<SessionDto> {
    return this.one(access, located);
  }

  @Patch(':session_id')
  @Endpoint({
    summary: 'Change the state of a session',
    description:
      'created → processing, completed or failed; processing → completed or failed. Only the user and the app that began the session may do this.',
    requires: session('change'),
    answers: SessionDto,
    errors: ['INVALID_STATE_TRANSITION'],
  })
  async advance(
    @CurrentAccess() access: Access,
    @Located('session') located: Session,
    @Body() body: AdvanceSessionBody,
  ): Promise<SessionDto> {
    return this.one(access, await this.service.advance(access, located, body));
  }

  private async one(access: Access, session: Session): Promise<SessionDto> {
    const [shown] = await this.presenter.present(access, [session]);
    return shown as SessionDto;
  }
}
