import { Controller, type ExecutionContext, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { StreamTickets } from '../../identity/index.js';
import { bind } from '../../kernel/http/bodies/binding.js';
import { RequestScope } from '../../kernel/http/admission.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { OpenStreams } from '../../kernel/waiting/open-streams.js';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { refuseUnreadable, Sync } from '../application/sync.service.js';
import { SyncRequests } from './sync-request.js';
import { LongPoll } from './long-poll.js';
import {
  includedIn,
  SyncPageDto,
  SyncQuery,
  SyncStatusDto,
  SyncStreamQuery,
  SyncTicketDto,
} from './sync.dto.js';
import { presentPage, presentStatus } from './sync.presenter.js';
import { SyncStream } from './sync-stream.js';

/** Bound by hand: an invalid scope or cursor is reported before any other parameter (rule 7.11). */
type Raw = Record<string, unknown>;

/** Replicas that hold exactly what their caller can see (rules 7.7-7.11). */
@ApiTags('Sync')
@Controller('sync')
export class SyncController {
  constructor(
    private readonly sync: Sync,
    private readonly requests: SyncRequests,
    private readonly polls: LongPoll,
    private readonly streams: SyncStream,
    private readonly opened: OpenStreams,
    private readonly tickets: StreamTickets,
  ) {}

  @Get()
  @ApiQuery({ type: SyncQuery })
  @Endpoint({
    summary: 'List changes since a cursor',
    holdsNoSecret: true,
    lasts: true,
    description:
      'A client that applies all pages in order holds exactly what a full read would give: a created or updated node ' +
      'replaces the one with its id, a deleted one is removed. Without a cursor everything is sent, as creations. ' +
      'With `include`, the same holds for relationships (`GET /relationships?access=owned`) and tags (`GET /tags?access=owned`).',
    requires: { callers: 'any' },
    answers: SyncPageDto,
    errors: ['FORBIDDEN', 'INVALID_SCOPE', 'INVALID_CURSOR', 'NOT_FOUND', 'TOO_MANY_STREAMS'],
  })
  async changes(
    @RequestScope() context: ExecutionContext,
    @Query() raw: Raw,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SyncPageDto> {
    const request = this.requests.of(context);
    const nodes = await this.sync.view(request, raw['scope']);
    const replica = this.sync.open(nodes, raw['cursor']);
    const query = bind(SyncQuery, raw, 'query');
    const view = { ...nodes, include: includedIn(query) };
    // A person who reads as an app waits at a place of their own (rule 2.11).
    const waiting = request.movesPosition ? view.viewer : { ...view.viewer, appId: null };
    const ended = query.wait > 0 ? this.opened.open(waiting, response) : undefined;
    if (request.movesPosition) await this.sync.record(view, replica);
    const { view: last, pulled } = await this.polls.pull(
      { context, response, request, view, replica, ended },
      query,
    );
    return presentPage(pulled, this.sync.cursor(last, pulled.replica), query);
  }

  @Get('status')
  @Endpoint({
    summary: 'Get the state of replicas',
    description: "An app's position moves when it presents a cursor, not when a page is sent.",
    requires: { callers: 'any' },
    answers: SyncStatusDto,
    errors: ['FORBIDDEN'],
  })
  async status(
    @RequestScope() context: ExecutionContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SyncStatusDto> {
    return presentStatus(await this.sync.status(this.requests.of(context), goneSignal(response)));
  }

  @Post('ticket')
  @Endpoint({
    summary: 'Get a ticket for a stream',
    description:
      "A browser's `EventSource` sends no headers: `GET /sync/stream?ticket=…` opens one stream with the rights of this request, within a minute.",
    requires: { callers: 'any' },
    status: 201,
    answers: SyncTicketDto,
    errors: ['FORBIDDEN'],
  })
  async ticket(@CurrentAccess() access: Access, @Req() { headers }: Request): Promise<SyncTicketDto> {
    refuseUnreadable(access);
    const { ticket, expiresAt } = await this.tickets.issue(access.ownerId, headers);
    return { ticket, expires_at: expiresAt.toISOString() };
  }

  @Get('stream')
  @ApiQuery({ type: SyncStreamQuery })
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The cursor to continue from.' })
  @Endpoint({
    summary: 'Stream changes',
    description:
      'Sends server-sent events: each event is a page of `GET /sync`, its id is the cursor. The stream ends when access ends ' +
      'or changes; connect again to continue. A ticket (`POST /sync/ticket`) opens it without any other credential.',
    requires: { callers: 'any' },
    produces: 'text/event-stream',
    takesTicket: true,
    lasts: true,
    asApp: false,
    errors: ['FORBIDDEN', 'INVALID_SCOPE', 'INVALID_CURSOR', 'NOT_FOUND', 'TOO_MANY_STREAMS'],
  })
  async stream(
    @RequestScope() context: ExecutionContext,
    @Query() raw: Raw,
    @Res() response: Response,
  ): Promise<void> {
    const request = this.requests.of(context);
    const nodes = await this.sync.view(request, raw['scope']);
    const cursor = response.req.headers['last-event-id'] ?? raw['cursor'];
    const opened = this.sync.open(nodes, cursor);
    const query = bind(SyncStreamQuery, raw, 'query');
    const view = { ...nodes, include: includedIn(query) };
    const isFromNow = query.from === 'now' && cursor === undefined;
    const ended = this.opened.open(view.viewer, response);
    if (!isFromNow) await this.sync.record(view, opened);
    const replica = isFromNow ? this.sync.present(view) : opened;
    await this.streams.run({ context, response, request, view, replica, ended }, query);
  }
}
