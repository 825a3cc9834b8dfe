import { Controller, type ExecutionContext, Get, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { callerOf } from '../../identity/index.js';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { Admission, RequestScope } from '../../kernel/http/admission.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { ChangeWaits } from '../../kernel/waiting/change-waits.service.js';
import { OpenStreams } from '../../kernel/waiting/open-streams.js';
import { type Access, accessOf } from '../../privacy/index.js';
import { EventPositions } from '../infrastructure/event-positions.js';
import { type LoggedEvent, ProposalEventsQueries } from '../infrastructure/proposal-events.queries.js';
import { ProposalEventsPresenter } from './proposal-events.presenter.js';
import { ProposalEventsDto } from './proposal-events.dto.js';
import { ProposalEventsQuery } from './proposals.dto.js';

interface Poll {
  access: Access;
  /** The position behind which events are read. */
  from: number;
  limit: number;
}

interface Found {
  access: Access;
  page: { events: LoggedEvent[]; hasMore: boolean };
}

/**
 * Events of proposals, for apps without webhooks (specification, Proposal event subscription and polling).
 */
@ApiTags('Proposals')
@Controller('proposals')
export class ProposalEventsController {
  constructor(
    private readonly queries: ProposalEventsQueries,
    private readonly positions: EventPositions,
    private readonly presenter: ProposalEventsPresenter,
    private readonly admission: Admission,
    private readonly waits: ChangeWaits,
    private readonly opened: OpenStreams,
  ) {}

  @Get('events')
  @Endpoint({
    summary: 'Poll events of proposals',
    lasts: 'waiting',
    description:
      'Oldest first, 30 days back. An app receives the events of its own proposals for this user, the user those of all apps.',
    requires: { callers: 'any' },
    answers: ProposalEventsDto,
    errors: ['INVALID_CURSOR', 'TOO_MANY_STREAMS'],
  })
  async poll(
    @RequestScope() context: ExecutionContext,
    @Query() { after, limit, wait }: ProposalEventsQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposalEventsDto> {
    const begun = accessOf(context.switchToHttp().getRequest<Request>());
    const reader = `${begun.ownerId}:${begun.actor.appId ?? ''}`;
    const from = after === undefined ? 0 : this.positions.open(reader, after);
    const poll = { access: begun, from, limit };
    const { access, page } = await (wait === 0
      ? this.read(poll)
      : this.awaited(context, { poll, response, until: performance.now() + wait * 1000 }));
    const events = await this.presenter.present(access, reader, page.events);
    const cursor = this.positions.seal(reader, page.events[events.length - 1]?.sequence ?? from);
    const hasMore = page.hasMore || events.length < page.events.length;
    const applied = hasMore ? events.length : limit;
    return { events, cursor, has_more: hasMore, limit: applied } as unknown as ProposalEventsDto;
  }

  private async read({ access, from, limit }: Poll): Promise<Found> {
    const { ownerId, actor } = access;
    return { access, page: await this.queries.after({ ownerId, appId: actor.appId }, from, limit) };
  }

  /** The first page with an event, or an empty one when the time is over or the place was given away (rule 8.8). */
  private async awaited(
    context: ExecutionContext,
    { poll, response, until }: { poll: Poll; response: Response; until: number },
  ): Promise<Found> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = callerOf(request);
    const { ownerId, actor } = poll.access;
    // A person who reads as an app waits at a place of their own (rule 2.11).
    const isPerson = caller.kind === 'user' || caller.readBy !== undefined;
    const ended = this.opened.open({ ownerId, appId: isPerson ? null : actor.appId }, response);
    const gone = AbortSignal.any([goneSignal(response), ended]);
    const ids = actor.appId === null ? [ownerId] : [ownerId, actor.appId];
    let found = await this.read(poll);
    while (found.page.events.length === 0) {
      const ms = until - performance.now();
      if (ms <= 0 || (await this.waits.wait(ids, callerOf(request).stamps, { ms, gone })) !== 'moved') break;
      // Nothing outlives a revocation, a deleted key or an expired token.
      await this.admission.again(context);
      found = await this.read({ ...poll, access: accessOf(request) });
    }
    return found;
  }
}
