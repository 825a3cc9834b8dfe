import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { EventPositions } from '../infrastructure/event-positions.js';
import { ProposalEventsQueries } from '../infrastructure/proposal-events.queries.js';
import { ProposalEventsPresenter } from './proposal-events.presenter.js';
import { ProposalEventsDto } from './proposal-events.dto.js';
import { ProposalEventsQuery } from './proposals.dto.js';

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
  ) {}

  @Get('events')
  @Endpoint({
    summary: 'Poll events of proposals',
    description:
      'Oldest first, 30 days back. An app receives the events of its own proposals for this user, the user those of all apps.',
    requires: { callers: 'any' },
    answers: ProposalEventsDto,
    errors: ['INVALID_CURSOR'],
  })
  async poll(
    @CurrentAccess() access: Access,
    @Query() { after, limit }: ProposalEventsQuery,
  ): Promise<ProposalEventsDto> {
    const { ownerId, actor } = access;
    const reader = `${ownerId}:${actor.appId ?? ''}`;
    const from = after === undefined ? 0 : this.positions.open(reader, after);
    const page = await this.queries.after({ ownerId, appId: actor.appId }, from, limit);
    const events = await this.presenter.present(access, reader, page.events);
    const cursor = this.positions.seal(reader, page.events[events.length - 1]?.sequence ?? from);
    const hasMore = page.hasMore || events.length < page.events.length;
    const applied = hasMore ? events.length : limit;
    return { events, cursor, has_more: hasMore, limit: applied } as unknown as ProposalEventsDto;
  }
}
