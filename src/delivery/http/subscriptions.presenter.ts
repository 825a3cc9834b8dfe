import { type Delivery, type Subscription } from '../domain/subscription.js';
import { type ReceiverKey } from '../application/subscriptions.service.js';
import { isPersonsEvent, proposalEventNamed } from '../domain/events.js';
import { type DeliveryDto, type ProposalSubscriptionDto, type SubscriptionDto } from './webhooks.dto.js';

/** To a key, a person's subscription shows neither its address nor anything of the events for people (rule 9.1f). */
export const presentSubscription = (known: Subscription, { isByKey }: Asked): SubscriptionDto =>
  presented(isByKey && known.isUsers ? withoutPersons(known) : known);

type Asked = Pick<ReceiverKey, 'isByKey'>;

const withoutPersons = (subscription: Subscription): Subscription => ({
  ...subscription,
  webhookUrl: null,
  events: subscription.events.filter((event) => !isPersonsEvent(event)),
  consecutiveFailures: 0,
  lastDeliveryAt: null,
});

const presented = (subscription: Subscription): SubscriptionDto => ({
  id: subscription.id,
  app_id: subscription.appId,
  user_id: subscription.ownerId,
  webhook_url: subscription.webhookUrl,
  events: subscription.events,
  status: subscription.status,
  disabled_reason: subscription.disabledReason,
  consecutive_failures: subscription.consecutiveFailures,
  last_delivery_at: subscription.lastDeliveryAt?.toISOString() ?? null,
  created_at: subscription.createdAt.toISOString(),
  updated_at: subscription.updatedAt.toISOString(),
});

export const presentProposalSubscription = (subscription: Subscription): ProposalSubscriptionDto => ({
  id: subscription.id,
  app_id: subscription.appId,
  user_id: subscription.ownerId,
  event_types: subscription.proposalEvents.map((event) => proposalEventNamed(event) as string),
  webhook_url: subscription.proposalsUrl as string,
  status: subscription.status,
  created_at: subscription.createdAt.toISOString(),
});

export const presentDelivery = (delivery: Delivery): DeliveryDto => ({
  id: delivery.id,
  webhook_id: delivery.subscriptionId,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts,
  response_status: delivery.responseStatus,
  created_at: delivery.createdAt.toISOString(),
  delivered_at: delivery.deliveredAt?.toISOString() ?? null,
});
