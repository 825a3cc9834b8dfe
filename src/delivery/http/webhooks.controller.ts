import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { type Caller, CurrentCaller, StepUp } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { type ReceiverKey, Subscriptions } from '../application/subscriptions.service.js';
import { eventNamed, isPersonsEvent, unknownEvent } from '../domain/events.js';
import { type Subscription } from '../domain/subscription.js';
import { ReceivingApp } from './receiving-app.js';
import { presentDelivery, presentSubscription } from './subscriptions.presenter.js';
import {
  AppQuery,
  DeliveriesDto,
  DeliveriesQuery,
  QueuedDeliveryDto,
  SubscribeBody,
  SubscribedDto,
  SubscriptionDto,
  UnsubscribedDto,
} from './webhooks.dto.js';

const ANY: Requirement = { callers: 'any' };

/** Webhook management (specification, Webhook management; rules 9.1, 9.2). */
@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly receiving: ReceivingApp,
    private readonly stepUp: StepUp,
  ) {}

  @Post('subscribe')
  @Endpoint({
    summary: 'Subscribe to events',
    description:
      'There is one subscription for each app and user; a second call replaces events and address (200), and enables a disabled one. ' +
      'With a JWT, additional events, another address or secret need a log-in from the last five minutes.',
    requires: { ...ANY, stepUp: 'sometimes' },
    status: 201,
    alsoStatus: 200,
    answers: SubscribedDto,
    errors: ['INVALID_WEBHOOK_URL', 'INVALID_EVENT', 'NOT_FOUND'],
  })
  async subscribe(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Body() body: SubscribeBody,
    @Req() request: Request,
  ): Promise<SubscribedDto> {
    const pair = await this.receiving.authorizedReceiverOf(caller, access.ownerId, body.app_id);
    const isUsers = caller.kind === 'user';
    const { webhook_url: url, secret } = body;
    const events = eventsIn(body.events, isUsers);
    const confirm = this.stepUp.confirmation(request);
    const wish = { target: 'webhook' as const, url, events, secret, isUsers, confirm };
    const subscribed = await this.subscriptions.subscribe(pair, wish);
    request.res?.status(subscribed.isNew ? 201 : 200);
    const made = subscribed.secret === null ? {} : { secret: subscribed.secret };
    return { ...(await this.present(subscribed.subscription, pair)), ...made };
  }

  @Get('subscription')
  @Endpoint({
    summary: 'Get the webhook subscription',
    description:
      'The subscription of the calling app for this user; with a JWT, name the app in `app_id`. The secret is never shown again. ' +
      'To a key, one that the user made shows no address, no share events, and neither failures nor the last delivery.',
    requires: ANY,
    answers: SubscriptionDto,
    errors: ['NOT_FOUND'],
  })
  async get(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Query() query: AppQuery,
  ): Promise<SubscriptionDto> {
    const pair = await this.receiving.receiverOf(caller, access.ownerId, query.app_id);
    return this.present(await this.subscriptions.get(pair), pair);
  }

  @Delete('subscription')
  @Endpoint({
    summary: 'Delete the webhook subscription',
    description: 'Also deletes all pending deliveries and the subscription to proposals.',
    requires: ANY,
    endsAccess: true,
    answers: UnsubscribedDto,
    errors: ['NOT_FOUND'],
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Query() query: AppQuery,
  ): Promise<UnsubscribedDto> {
    await this.subscriptions.remove(await this.receiving.receiverOf(caller, access.ownerId, query.app_id));
    return { message: 'The webhook subscription was removed' };
  }

  @Post('subscription/enable')
  @Endpoint({
    summary: 'Enable a disabled webhook subscription',
    description:
      'Enables the subscription of the calling app for this user and resets its failure count. Deliveries that ended meanwhile are only sent on request.',
    requires: { ...ANY, stepUp: 'always' },
    answers: SubscriptionDto,
    errors: ['NOT_FOUND'],
  })
  async enable(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Query() query: AppQuery,
  ): Promise<SubscriptionDto> {
    const pair = await this.receiving.receiverOf(caller, access.ownerId, query.app_id);
    return this.present(await this.subscriptions.enable(pair), pair);
  }

  @Post('subscription/rotate-secret')
  @Endpoint({
    summary: 'Rotate the webhook secret',
    description:
      'For 24 hours `webhook-signature` holds the signatures of both secrets. A key cannot rotate the secret of a subscription that the user made (403).',
    requires: { ...ANY, stepUp: 'always' },
    answers: SubscribedDto,
    errors: ['NOT_FOUND'],
  })
  async rotate(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Query() query: AppQuery,
  ): Promise<SubscribedDto> {
    const pair = await this.receiving.receiverOf(caller, access.ownerId, query.app_id);
    const { subscription, secret } = await this.subscriptions.rotate(pair);
    return { ...(await this.present(subscription, pair)), secret };
  }

  @Post('subscription/test')
  @Endpoint({
    summary: 'Send a test event',
    description: 'Queues a delivery of `webhook.test`, which is signed and retried like any other.',
    requires: ANY,
    status: 202,
    answers: QueuedDeliveryDto,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  })
  async test(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Query() query: AppQuery,
  ): Promise<QueuedDeliveryDto> {
    const pair = await this.receiving.authorizedReceiverOf(caller, access.ownerId, query.app_id);
    return { delivery_id: await this.subscriptions.ping(pair) };
  }

  @Get('deliveries')
  @Endpoint({
    summary: 'List deliveries',
    description:
      'Newest first, without their content. Deliveries are stored for 30 days. A key does not see those of share events.',
    requires: ANY,
    answers: DeliveriesDto,
    errors: ['NOT_FOUND'],
  })
  async deliveries(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Query() { app_id, limit, offset }: DeliveriesQuery,
  ): Promise<DeliveriesDto> {
    const pair = await this.receiving.receiverOf(caller, access.ownerId, app_id);
    const { deliveries, total } = await this.subscriptions.listDeliveries(pair, { limit, offset });
    return { deliveries: deliveries.map(presentDelivery), total, limit, offset };
  }

  @Post('deliveries/:delivery_id/redeliver')
  @Endpoint({
    summary: 'Redeliver an event',
    description: 'Sends it with the same `webhook-id`, and with the content that the app may see today.',
    requires: ANY,
    status: 202,
    answers: QueuedDeliveryDto,
    errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
  })
  async redeliver(
    @CurrentCaller() caller: Caller,
    @CurrentAccess() access: Access,
    @Param('delivery_id') deliveryId: string,
    @Query() query: AppQuery,
  ): Promise<QueuedDeliveryDto> {
    const pair = await this.receiving.authorizedReceiverOf(caller, access.ownerId, query.app_id);
    return { delivery_id: await this.subscriptions.redeliver(pair, deliveryId) };
  }

  private async present(subscription: Subscription, pair: ReceiverKey): Promise<SubscriptionDto> {
    return presentSubscription(await this.receiving.standing(subscription), pair);
  }
}

/** @throws INVALID_EVENT for an unknown name, and for an event of people with a key (rule 9.4d) */
function eventsIn(given: readonly string[], isUsers: boolean): string[] {
  return given.map((text) => {
    const event = eventNamed(text);
    if (event === null) throw unknownEvent('events', text);
    if (isPersonsEvent(event) && !isUsers)
      throw new DomainError(
        'INVALID_EVENT',
        'Events of shares and authorizations need a subscription made with a JWT',
        [{ field: 'events', message: `${event} needs a JWT` }],
      );
    return event;
  });
}
