import { entityOf, eventNamed, type EventEntity } from './events.js';
import { NO_RIGHTS, type OthersRights, type Right } from '../../identity/index.js';

/** One of a subscription's two sets of events, each with its own address (rule 9.1). */
export type Target = 'webhook' | 'proposals';

/** The place reached within a change of a node with many relationships, which become events some at a time. */
export interface EdgePlace {
  /** The change, the next one behind the position. */
  sequence: number;
  /** The list of relationships, and the key of the last one looked at; null: none of this list. */
  list: number;
  after: string | null;
}

/** The place within a change at which a page ended. */
export interface Expansion extends EdgePlace {
  /** The time of all deliveries of this change: those of pages would show the number of hidden relationships between. */
  at: string;
}

/** One receiver: an app acting for a user. */
export interface Subscription {
  ownerId: string;
  id: string;
  appId: string;
  /** True if the user subscribed in person, not with a key. */
  isUsers: boolean;
  webhookUrl: string | null;
  /** Dotted names. */
  events: string[];
  proposalsUrl: string | null;
  /** Dotted names. */
  proposalEvents: string[];
  /** The authorization of the user key that has made the set; null: another caller has. */
  webhookAuthorizationId: string | null;
  proposalsAuthorizationId: string | null;
  /** Sealed. */
  secret: string;
  previousSecret: string | null;
  previousUntil: Date | null;
  status: 'active' | 'disabled';
  disabledReason: string | null;
  /** Attempts that failed since the last one that succeeded. */
  consecutiveFailures: number;
  lastDeliveryAt: Date | null;
  position: number;
  expansion: Expansion | null;
  /** True if many deliveries wait: no further changes are read until some of them have ended (rule 9.2f). */
  isFull: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export const urlOf = (subscription: Subscription, target: Target): string | null =>
  target === 'webhook' ? subscription.webhookUrl : subscription.proposalsUrl;

/**
 * The subscription without the sets that a user key of another authorization has made: they end with it, also if the app
 * is authorized again (rule 9.1g).
 * @param authorizationId the one by which the app acts now
 */
export function inForce(subscription: Subscription, authorizationId: string | undefined): Subscription {
  const { webhookAuthorizationId, proposalsAuthorizationId, webhookUrl, proposalsUrl } = subscription;
  const isOver = (madeBy: string | null): boolean => madeBy !== null && madeBy !== authorizationId;
  return {
    ...subscription,
    webhookUrl: isOver(webhookAuthorizationId) ? null : webhookUrl,
    proposalsUrl: isOver(proposalsAuthorizationId) ? null : proposalsUrl,
  };
}

/**
 * The subscription as it is shown: sets that have ended with the authorization of their user key have neither address nor
 * events, and without any other set it is disabled (rule 9.1g).
 * @param authorizationId the one by which the app acts now
 */
export function asItStands(subscription: Subscription, authorizationId: string | undefined): Subscription {
  const { webhookUrl, proposalsUrl } = inForce(subscription, authorizationId);
  const isEnded = webhookUrl !== subscription.webhookUrl || proposalsUrl !== subscription.proposalsUrl;
  if (!isEnded) return subscription;
  const { events, proposalEvents } = subscription;
  const standing = {
    ...subscription,
    webhookUrl,
    events: webhookUrl === null ? [] : events,
    proposalsUrl,
    proposalEvents: proposalsUrl === null ? [] : proposalEvents,
  };
  if (webhookUrl !== null || proposalsUrl !== null) return standing;
  return { ...standing, status: 'disabled', disabledReason: 'authorization_ended' };
}

/** True if a user key has made one of its sets, which ends with the authorization of that key. */
export const mayHaveEnded = (subscription: Subscription): boolean =>
  subscription.webhookAuthorizationId !== null || subscription.proposalsAuthorizationId !== null;

/** The events that its addresses receive, and the secret that signs them; nothing while it is disabled (rule 1.16). */
export function receiversRights(subscription: Subscription): OthersRights {
  const { status, webhookUrl, events, proposalsUrl, proposalEvents, secret } = subscription;
  if (status === 'disabled') return NO_RIGHTS;
  const received = (url: string | null, names: readonly string[]): Right[] =>
    url === null ? [] : names.map((kind) => ({ kind, over: url }));
  return {
    rights: [
      ...received(webhookUrl, events),
      ...received(proposalsUrl, proposalEvents),
      { kind: 'sign', over: secret },
    ],
  };
}

/** The addresses that an event goes to. */
export function targetsOf(subscription: Subscription, event: string): Target[] {
  const targets: Target[] = [];
  if (subscription.webhookUrl !== null && subscription.events.includes(event)) targets.push('webhook');
  if (subscription.proposalsUrl !== null && subscription.proposalEvents.includes(event))
    targets.push('proposals');
  return targets;
}

/** The entities that it has events of. */
export function wantedEntities(subscription: Subscription): ReadonlySet<EventEntity> {
  const { webhookUrl, events, proposalsUrl, proposalEvents } = subscription;
  const names = [...(webhookUrl === null ? [] : events), ...(proposalsUrl === null ? [] : proposalEvents)];
  return new Set(names.flatMap((name) => eventNamed(name) ?? []).map(entityOf));
}

type DeliveryStatus = 'pending' | 'succeeded' | 'failed';

/** One event on its way to one address. Its body is made again for each attempt (rule 9.4). */
export interface Delivery {
  ownerId: string;
  id: string;
  subscriptionId: string;
  target: Target;
  /** The number of the change; null for a test. */
  sequence: number | null;
  event: string;
  entityId: string | null;
  status: DeliveryStatus;
  attempts: number;
  roundAttempts: number;
  responseStatus: number | null;
  /** Set while it is pending. */
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
}
