import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { isRetryable, isUnavailable } from '../../kernel/persistence/violations.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { requestContext, SYSTEM_ACTOR } from '../../kernel/request-context.js';
import { Accesses } from '../../privacy/index.js';
import { PING } from '../domain/events.js';
import { signedHeaders } from '../domain/signature.js';
import { type Delivery, type Subscription, targetsOf, urlOf } from '../domain/subscription.js';
import { type AttemptResult, DeliveriesRepository } from '../infrastructure/deliveries.repository.js';
import { Happenings } from '../infrastructure/happenings.queries.js';
import { Receivers } from '../infrastructure/receiver.js';
import { SubscriptionsRepository } from '../infrastructure/subscriptions.repository.js';
import { EventBodies } from './event-body.service.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { type ToldEvent, ToldEvents } from './told-events.service.js';

const GONE = 410;
/** A worker may have been woken by a request: what it sends is not that request's answer. */
const NO_REQUEST = { requestId: '', actor: SYSTEM_ACTOR, changeReason: null };

type Content = Pick<Message, 'told' | 'body'>;

interface Message {
  told: ToldEvent;
  body: string;
  headers: Record<string, string>;
}

/** One attempt of a delivery: the permission is asked and the body made now, then it is sent and the outcome kept. */
@Injectable()
export class Attempts {
  private readonly logger = new Logger('deliveries');

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly units: UnitOfWork,
    private readonly accesses: Accesses,
    private readonly happenings: Happenings,
    private readonly told: ToldEvents,
    private readonly bodies: EventBodies,
    private readonly secrets: SubscriptionSecrets,
    private readonly receivers: Receivers,
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /** @returns whether the subscription can go on */
  async make(subscription: Subscription, delivery: Delivery): Promise<boolean> {
    const url = urlOf(subscription, delivery.target);
    let message: Message | null;
    try {
      message = url === null ? null : await this.messageOf(subscription, delivery);
    } catch (error) {
      if (url === null || isUnavailable(error) || isRetryable(error)) throw error;
      // Else it would be tried again at once, for ever, and what waits behind it would never go out.
      this.logger.error({ err: error }, 'a delivery cannot be made; it counts as an attempt that failed');
      return this.failed(delivery, { event: delivery.event }, { status: null, url });
    }
    if (url === null || message === null) {
      await this.units.run(() => this.deliveries.drop(delivery));
      return true;
    }
    const { told, body, headers } = message;
    const status = await this.receivers.post(url, headers, body);
    return status !== null && status >= 200 && status < 300
      ? this.succeeded(delivery, told, status)
      : this.failed(delivery, told, { status, url });
  }

  /** Null: there is nothing that the receiver may be told (any more). */
  private async messageOf(subscription: Subscription, delivery: Delivery): Promise<Message | null> {
    const content = await requestContext.run(NO_REQUEST, () => this.contentOf(subscription, delivery));
    if (content === null) return null;
    const at = this.clock.now();
    const secrets = this.secrets.signing(subscription, at);
    const { told, body } = content;
    return { told, body, headers: signedHeaders({ id: delivery.id, event: told.event, at, body, secrets }) };
  }

  private async contentOf(subscription: Subscription, delivery: Delivery): Promise<Content | null> {
    const { sequence, target } = delivery;
    if (sequence === null) return this.ping(subscription);
    const happening = await this.happenings.at(
      { ownerId: subscription.ownerId, id: subscription.id },
      sequence,
    );
    if (happening === null) return null;
    const access = await this.accesses.ofAbsentApp(subscription.appId, subscription.ownerId);
    const told = this.told.of(subscription, access, happening);
    if (access === null || told === null || !targetsOf(subscription, told.event).includes(target))
      return null;
    return { told, body: await this.bodies.of(subscription, access, { told, happening }) };
  }

  private ping({ ownerId, id }: Subscription): Content {
    const timestamp = this.clock.now().toISOString();
    const data = { subscription_id: id };
    return {
      told: { event: PING },
      body: JSON.stringify({ event: PING, timestamp, user_id: ownerId, data }),
    };
  }

  private async succeeded(delivery: Delivery, told: ToldEvent, status: number): Promise<boolean> {
    const at = this.clock.now();
    return this.units.run(async () => {
      // The subscription first, as whoever changes it does.
      if ((await this.subscriptions.lockKnown(keyOf(delivery))) === null) return false;
      if (!(await this.deliveries.record(delivery, result('succeeded', { told, status, at })))) return true;
      await this.subscriptions.succeeded(keyOf(delivery), at);
      if (told.isHeld !== undefined) await this.deliveries.setTold(delivery, told.isHeld);
      return true;
    });
  }

  private async failed(
    delivery: Delivery,
    told: ToldEvent,
    { status, url }: { status: number | null; url: string },
  ): Promise<boolean> {
    const at = this.clock.now();
    const key = keyOf(delivery);
    const wait = this.config.webhookRetrySeconds[delivery.roundAttempts];
    const reason = status === GONE ? 'gone' : wait === undefined ? 'delivery_failures' : null;
    return this.units.run(async () => {
      const known = await this.subscriptions.lockKnown(key);
      if (known === null) return false;
      const isReplaced = urlOf(known, delivery.target) !== url;
      const isOver = reason !== null && !isReplaced;
      const nextAttemptAt = isOver ? null : new Date(at.getTime() + (wait ?? 0) * 1000);
      const outcome = { ...result(isOver ? 'failed' : 'pending', { told, status, at }), nextAttemptAt };
      if (!(await this.deliveries.record(delivery, outcome))) return true;
      if (isReplaced) {
        // What the old address answered is not the new one's fault: it gets its own first try.
        await this.deliveries.again(delivery, at);
        return true;
      }
      const isDisabled = await this.subscriptions.failed(key, reason);
      if (isDisabled) await this.deliveries.failWaiting(key);
      return !isDisabled;
    });
  }
}

const keyOf = ({ ownerId, subscriptionId }: Delivery) => ({ ownerId, id: subscriptionId });

const result = (
  status: Delivery['status'],
  { told, status: responseStatus, at }: { told: ToldEvent; status: number | null; at: Date },
): AttemptResult => ({ status, event: told.event, responseStatus, nextAttemptAt: null, at });
