import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppSessions } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { visibly } from '../../kernel/text/unseen-characters.js';
import { type Access } from '../domain/access.js';
import { endOf } from '../domain/authorization.js';
import { type KnownAuthorization } from '../infrastructure/authorizations.queries.js';
import { CurrentAccess } from './current-access.js';
import { AppSessionsDto, AppSessionsQuery, EndedSessionDto } from './dto/authorizations.dto.js';

const authorization = (verb: string): Requirement => ({
  callers: 'user',
  resource: { kind: 'authorization', param: 'authorization_id', verb },
});

/** The devices on which a connected app holds tokens (rule 14.5). */
@ApiTags('Authorizations')
@Controller('authorizations/:authorization_id/sessions')
export class AppSessionsController {
  constructor(
    private readonly sessions: AppSessions,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List the sessions of an authorization',
    description:
      'The devices that are connected by OAuth, the last used first; with `status=ended` those that no longer are, the ' +
      'last ended first, for 90 days. Keys are no sessions.',
    requires: authorization('read'),
    endsAccess: true,
    answers: AppSessionsDto,
  })
  async list(
    @Located('authorization') { authorization }: KnownAuthorization,
    @Query() query: AppSessionsQuery,
  ): Promise<AppSessionsDto> {
    const { limit, offset } = query;
    const endedAt = endOf(authorization, this.clock.now());
    const { sessions, total } = await this.sessions.listOf({ ...authorization, endedAt }, query);
    const shown = sessions.map((session) => ({
      id: session.id,
      status: session.endedAt === null ? ('active' as const) : ('ended' as const),
      device: session.device && visibly(session.device),
      scopes: session.scopes,
      created_at: session.createdAt,
      last_used_at: session.lastUsedAt,
      ended_at: session.endedAt,
      end_reason: session.endReason,
    }));
    return { sessions: shown, total, limit, offset };
  }

  @Delete(':app_session_id')
  @Endpoint({
    summary: 'End a session',
    description: 'The next request of the device is refused. The authorization and its other devices stay.',
    requires: authorization('delete'),
    endsAccess: true,
    answers: EndedSessionDto,
    errors: ['NOT_FOUND'],
  })
  async end(
    @CurrentAccess() { ownerId }: Access,
    @Located('authorization') { authorization: { id } }: KnownAuthorization,
    @Param('app_session_id') sessionId: string,
  ): Promise<EndedSessionDto> {
    await this.sessions.end(ownerId, id, sessionId);
    return { message: 'Session ended', id: sessionId.toLowerCase() };
  }
}
