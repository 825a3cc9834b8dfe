import { Injectable } from '@nestjs/common';
import { type ConfirmRights, NO_RIGHTS } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isPersonsEvent, PING } from '../domain/events.js';
import { isSecret, newSecret } from '../domain/signature.js';
import { type Delivery, receiversRights, type Subscription, type Target } from '../domain/subscription.js';
import { DeliveriesRepository } from '../infrastructure/deliveries.repository.js';
import { Receivers } from '../infrastructure/receiver.js';
import { MOST_PENDING, SubscriptionsRepository } from '../infrastructure/subscriptions.repository.js';
import { DeliveryQueue } from './delivery-queue.js';
import { SubscriptionSecrets } from './subscription-secrets.js';

/** The time for which both secrets of a rotation sign (rule 9.1). */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** The key of a receiver: an owner has one subscription for each app. */
export interface ReceiverKey {
  ownerId: string;
  appId: string;
  /** True if an app's key asks: it learns nothing that only people can subscribe to (rule 9.1f). */
  isByKey: boolean;
  /** The authorization to which the key is bound; null for all other callers. */
  authorizationId: string | null;
}

export interface SubscriptionRequest {
  target: Target;
  url: string;
  /** Dotted names. */
  events: string[];
  secret?: string | undefined;
  /** True if the user asked in person. */
  isUsers: boolean;
  confirm: ConfirmRights;
}

export interface SubscribeResult {
  subscription: Subscription;
  isNew: boolean;
  /** Set only when the service made it, and shown this once. */
  secret: string | null;
}

/** The receivers of a user's events: one for each app (rule 9.1). */
@Injectable()
export class Subscriptions {
  constructor(
    private readonly repository: SubscriptionsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly receivers: Receivers,
    private readonly secrets: SubscriptionSecrets,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly queue: DeliveryQueue,
  ) {}

  /**
   * Sets one of the two sets of events with its address; the other set stays.
   * @throws INVALID_WEBHOOK_URL; VALIDATION_ERROR for an invalid secret; errors of `confirm`
   */
  async subscribe(pair: ReceiverKey, wish: SubscriptionRequest): Promise<SubscribeResult> {
    if (wish.secret !== undefined && !isSecret(wish.secret)) {
      throw DomainError.validation(
        'secret',
        'must be whsec_ followed by 24 to 64 bytes in base64, or another text of at least 16 bytes',
      );
    }
    if (!(await this.receivers.mayCall(wish.url))) {
      throw new DomainError(
        'INVALID_WEBHOOK_URL',
        'webhook_url must be a public https address, without credentials and #fragment; for development WEBHOOK_ALLOW_PRIVATE=true lets http and loopback through',
      );
    }
    return this.units.run(async () => {
      const known = await this.repository.lock(pair.ownerId, pair.appId);
      if (known) return this.replace(known, pair, wish);
      const made = wish.secret === undefined ? newSecret() : null;
      const subscription = this.create(pair, wish, made ?? (wish.secret as string));
      await wish.confirm(NO_RIGHTS, receiversRights(subscription));
      // Another request was faster: its subscription is replaced.
      if (await this.repository.insert(subscription)) return { subscription, isNew: true, secret: made };
      const other = (await this.repository.lock(pair.ownerId, pair.appId)) as Subscription;
      return this.replace(other, pair, wish);
    });
  }

  find({ ownerId, appId }: ReceiverKey): Promise<Subscription | null> {
    return this.repository.find(ownerId, appId);
  }

  /** @throws NOT_FOUND */
  async get(pair: ReceiverKey): Promise<Subscription> {
    const subscription = await this.find(pair);
    if (!subscription) throw subscriptionNotFound();
    return subscription;
  }

  /** Deletes the subscription with both sets of events and all deliveries. @throws NOT_FOUND */
  async remove(pair: ReceiverKey): Promise<void> {
    await this.change(pair, (subscription) => this.repository.remove(subscription).then(() => subscription));
  }

  /** Sends events again, from now on (rule 9.2). @throws NOT_FOUND */
  enable(pair: ReceiverKey): Promise<Subscription> {
    return this.change(pair, (known) => this.save({ ...known, ...ACTIVE }));
  }

  /** @throws NOT_FOUND; PERMISSION_DENIED if a key asks for a person's subscription */
  async rotate(pair: ReceiverKey): Promise<{ subscription: Subscription; secret: string }> {
    const secret = newSecret();
    const previousUntil = new Date(this.clock.now().getTime() + OVERLAP_MS);
    const subscription = await this.change(pair, (known) => {
      if (pair.isByKey && known.isUsers) throw personsSecret();
      return this.save({
        ...known,
        secret: this.secrets.seal(secret),
        previousSecret: known.secret,
        previousUntil,
      });
    });
    return { subscription, secret };
  }

  /**
   * Sends a test event, with the retries of any other.
   * @throws NOT_FOUND; INVALID_STATE_TRANSITION if the subscription is disabled; TOO_MUCH_UNDER_WAY while too many
   *   deliveries of it wait
   */
  async ping(pair: ReceiverKey): Promise<string> {
    const id = newId();
    await this.change(pair, async (known) => {
      refuseDisabled(known);
      await this.refuseFull(known);
      const target: Target = known.webhookUrl === null ? 'proposals' : 'webhook';
      const createdAt = this.clock.now();
      const ping = {
        id,
        target,
        sequence: null,
        event: PING,
        entityId: null,
        createdAt,
      } as const;
      await this.deliveries.insert(known, ping);
      return this.makeDue(known);
    });
    return id;
  }

  /**
   * Begins a new round of attempts; the delivery keeps its id. One that still waits is sent at once, and waits as before.
   * @throws NOT_FOUND; INVALID_STATE_TRANSITION if the subscription is disabled; TOO_MUCH_UNDER_WAY while too many
   *   deliveries of it wait
   */
  async redeliver(pair: ReceiverKey, deliveryId: string): Promise<string> {
    await this.change(pair, async (known) => {
      const delivery = isId(deliveryId) ? await this.deliveries.find(known, deliveryId) : null;
      if (!delivery || (pair.isByKey && isPersonsEvent(delivery.event)))
        throw new DomainError('NOT_FOUND', 'Delivery not found');
      refuseDisabled(known);
      if (delivery.status !== 'pending') await this.refuseFull(known);
      await this.deliveries.beginRound(delivery, this.clock.now());
      return this.makeDue(known);
    });
    return deliveryId.toLowerCase();
  }

  async listDeliveries(
    pair: ReceiverKey,
    page: { limit: number; offset: number },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const subscription = await this.find(pair);
    return subscription
      ? this.deliveries.list(subscription, { ...page, isByKey: pair.isByKey })
      : { deliveries: [], total: 0 };
  }

  private create(pair: ReceiverKey, wish: SubscriptionRequest, secret: string): Subscription {
    const { ownerId, appId } = pair;
    const now = this.clock.now();
    return {
      ownerId,
      id: newId(),
      appId,
      ...NO_SETS,
      ...requestedSet(pair, wish),
      isUsers: wish.isUsers,
      secret: this.secrets.seal(secret),
      previousSecret: null,
      previousUntil: null,
      ...ACTIVE,
      lastDeliveryAt: null,
      position: 0,
      expansion: null,
      isFull: false,
      createdAt: now,
      updatedAt: now,
    };
  }

  private async replace(
    known: Subscription,
    pair: ReceiverKey,
    wish: SubscriptionRequest,
  ): Promise<SubscribeResult> {
    const secret =
      wish.secret === undefined
        ? {}
        : { secret: this.secrets.seal(wish.secret), previousSecret: null, previousUntil: null };
    // Only the webhook set names shares, and only a user may subscribe to them.
    const isUsers = wish.target === 'webhook' ? wish.isUsers : known.isUsers;
    const changed = { ...known, ...requestedSet(pair, wish), ...secret, ...ACTIVE, isUsers };
    await wish.confirm(receiversRights(known), receiversRights(changed));
    const subscription = await this.save(changed);
    return { subscription, isNew: false, secret: null };
  }

  private async change(
    pair: ReceiverKey,
    step: (known: Subscription) => Promise<Subscription>,
  ): Promise<Subscription> {
    return this.units.run(async () => {
      const known = await this.repository.lock(pair.ownerId, pair.appId);
      if (!known) throw subscriptionNotFound();
      return step(known);
    });
  }

  private async save(changed: Subscription): Promise<Subscription> {
    // The time always moves: a worker recognizes a changed subscription by it.
    const updatedAt = new Date(Math.max(this.clock.now().getTime(), changed.updatedAt.getTime() + 1));
    const saved = { ...changed, updatedAt };
    await this.repository.update(saved);
    return saved;
  }

  private async refuseFull(known: Subscription): Promise<void> {
    if (await this.deliveries.isFull(known)) throw tooManyPending();
  }

  private async makeDue(known: Subscription): Promise<Subscription> {
    await this.repository.makeDue(known, this.clock.now());
    this.units.afterCommit(() => this.queue.wake());
    return known;
  }
}

const ACTIVE = { status: 'active', disabledReason: null, consecutiveFailures: 0 } as const;

const NO_SETS = {
  webhookUrl: null,
  events: [],
  webhookAuthorizationId: null,
  proposalsUrl: null,
  proposalEvents: [],
  proposalsAuthorizationId: null,
};

const requestedSet = (
  { authorizationId }: ReceiverKey,
  { target, url, events }: SubscriptionRequest,
): Partial<Subscription> =>
  target === 'webhook'
    ? { webhookUrl: url, events: [...new Set(events)], webhookAuthorizationId: authorizationId }
    : { proposalsUrl: url, proposalEvents: [...new Set(events)], proposalsAuthorizationId: authorizationId };

const subscriptionNotFound = (): DomainError =>
  new DomainError('NOT_FOUND', 'There is no webhook subscription');

function tooManyPending(): DomainError {
  const message = 'Too many deliveries of this subscription wait; try again when some of them have ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, {
    limit: 'subscription',
    max_pending_deliveries: MOST_PENDING,
  });
}

const personsSecret = (): DomainError =>
  new DomainError('PERMISSION_DENIED', 'Only the person who made this subscription can rotate its secret');

function refuseDisabled({ status }: Subscription): void {
  if (status === 'disabled')
    throw new DomainError('INVALID_STATE_TRANSITION', 'The subscription is disabled; enable it first');
}
