import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, Accesses } from '../../privacy/index.js';
import { type EventDecision } from '../domain/event-decision.js';
import { PING, type ThingEntity, thingOf } from '../domain/events.js';
import { type Delivery, inForce, type Subscription, targetsOf, urlOf } from '../domain/subscription.js';
import { LoggedChanges, type LoggedChangeWithContent } from '../infrastructure/logged-changes.queries.js';
import { DatabaseBulkhead } from './database-bulkhead.js';
import { EventBodies } from './event-body.service.js';
import { EventDecisions } from './event-decisions.service.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { ThingDecisions } from './thing-decisions.service.js';

/** The decision that a message is for, or a test. */
export type Decided = EventDecision | { event: typeof PING; hasNodeAfter?: undefined };

/** A message as it would be sent now. */
export interface Content {
  decision: Decided;
  body: string;
  /** Ids of the nodes and entities that the body names, and of those that it depends on. */
  ids: readonly string[];
  /** The secrets that sign it, the newest first. */
  secrets: [string, ...string[]];
  /** The receiver may already have the node. */
  mayHaveNode: boolean;
}

type Message = Omit<Content, 'secrets'>;

/** A logged change, for one receiver now. */
interface Occasion {
  subscription: Subscription;
  access: Access;
  change: LoggedChangeWithContent;
  slices: Slices;
}

/** Makes the messages of deliveries: the decision on the change is made again, by the permission of this moment. */
@Injectable()
export class Contents {
  constructor(
    private readonly clock: Clock,
    private readonly bulkhead: DatabaseBulkhead,
    private readonly accesses: Accesses,
    private readonly loggedChanges: LoggedChanges,
    private readonly decisions: EventDecisions,
    private readonly things: ThingDecisions,
    private readonly bodies: EventBodies,
    private readonly secrets: SubscriptionSecrets,
  ) {}

  /** Null: the receiver may not see anything of it (any longer). */
  async of(subscription: Subscription, delivery: Delivery, slices: Slices): Promise<Content | null> {
    const { sequence, target } = delivery;
    const { ownerId, id, appId } = subscription;
    const access = await this.bulkhead.run(() => this.accesses.ofAbsentApp(appId, ownerId));
    if (access === null) return null;
    const standing = inForce(subscription, access.authorizationId);
    if (urlOf(standing, target) === null) return null;
    const secrets = this.secrets.signing(subscription, this.clock.now());
    if (sequence === null) return { ...this.ping(subscription), secrets };
    const change = await this.loggedChanges.at({ ownerId, id }, sequence);
    if (change === null) return null;
    const thing = thingOf(delivery.event);
    const occasion = { subscription, access, change, slices };
    const message =
      thing === null
        ? await this.ofChange(occasion)
        : await this.ofThing(occasion, { entity: thing, entityId: delivery.entityId as string });
    const isWanted = message !== null && targetsOf(standing, message.decision.event).includes(target);
    return isWanted ? { ...message, secrets } : null;
  }

  private async ofChange({ subscription, access, change, slices }: Occasion): Promise<Message | null> {
    const decision = await this.decisions.of(subscription, access, change);
    if (decision === null) return null;
    const body = await this.bodies.of(subscription, access, { decision, change, slices });
    if (body === null) return null;
    const ids = [change.entityId, ...this.bodies.namedIn(change)];
    return { decision, body, ids, mayHaveNode: change.mayHaveNode };
  }

  /** A relationship or tag, which another entity may have changed. */
  private async ofThing(
    { subscription, access, change, slices }: Occasion,
    thing: { entity: ThingEntity; entityId: string },
  ): Promise<Message | null> {
    const { sequence, changedAt, entityId } = change;
    const isOwn = entityId === thing.entityId;
    const [step] = await this.things.read(subscription, [{ ...thing, sequence, changedAt, isOwn }]);
    const decision = step === undefined ? null : await this.things.decision(access, step, slices);
    if (step === undefined || decision === null) return null;
    const { event } = decision;
    const data = await this.things.data(access, step, { decision, slices });
    const timestamp = this.things.time(access, step);
    const body = JSON.stringify({ event, timestamp, user_id: subscription.ownerId, data });
    const ids = [entityId, ...this.things.namedIn(step)];
    return { decision, body, ids, mayHaveNode: step.held.mayHave };
  }

  private ping({ ownerId, id }: Subscription): Message {
    const timestamp = this.clock.now().toISOString();
    const data = { subscription_id: id };
    const body = JSON.stringify({ event: PING, timestamp, user_id: ownerId, data });
    return { decision: { event: PING }, body, ids: [], mayHaveNode: false };
  }
}
