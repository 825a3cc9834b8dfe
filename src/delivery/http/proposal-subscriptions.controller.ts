import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { type Caller, CurrentCaller, StepUp } from '../../identity/index.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { Subscriptions } from '../application/subscriptions.service.js';
import { proposalEventNamed, unknownEvent } from '../domain/events.js';
import { ReceivingApp } from './receiving-app.js';
import { presentProposalSubscription } from './subscriptions.presenter.js';
import { ProposalSubscriptionDto, SubscribeToProposalsBody } from './webhooks.dto.js';

/** The set of proposal events of the same subscription (rules 8.8, 9.1). */
@ApiTags('Proposals')
@Controller('proposals')
export class ProposalSubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly receiving: ReceivingApp,
    private readonly stepUp: StepUp,
  ) {}

  @Post('subscribe')
  @Endpoint({
    summary: 'Subscribe to proposal events',
    description:
      'A second call replaces events and address. With a JWT, additional events or another address need a log-in from the ' +
      'last five minutes.',
    requires: { callers: 'any', stepUp: 'sometimes' },
    status: 201,
    answers: ProposalSubscriptionDto,
    errors: ['INVALID_WEBHOOK_URL', 'INVALID_EVENT', 'NOT_FOUND'],
  })
  async subscribe(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Body() { event_types, webhook_url: url, app_id }: SubscribeToProposalsBody,
    @Req() request: Request,
  ): Promise<ProposalSubscriptionDto> {
    const pair = await this.receiving.authorizedReceiverOf(caller, access.ownerId, app_id);
    const isUsers = caller.kind === 'user';
    const confirm = this.stepUp.confirmation(request);
    const wish = {
      target: 'proposals' as const,
      url,
      events: proposalEventsIn(event_types),
      isUsers,
      confirm,
    };
    const { subscription, secret } = await this.subscriptions.subscribe(pair, wish);
    return { ...presentProposalSubscription(subscription), ...(secret === null ? {} : { secret }) };
  }
}

/** Dotted names. @throws INVALID_EVENT */
function proposalEventsIn(given: readonly string[]): string[] {
  return given.map((text) => {
    const event = proposalEventNamed(text);
    if (event === null) throw unknownEvent('event_types', text);
    return `proposal.${event}`;
  });
}
