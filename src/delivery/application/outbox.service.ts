import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Access, Accesses } from '../../privacy/index.js';
import { inForce, type Subscription, targetsOf } from '../domain/subscription.js';
import { DeliveriesRepository, type NewDelivery } from '../infrastructure/deliveries.repository.js';
import { type LoggedChange, LoggedChanges } from '../infrastructure/logged-changes.queries.js';
import { type LeasedSubscription } from '../infrastructure/subscriptions.repository.js';
import { DatabaseBulkhead } from './database-bulkhead.js';
import { type EventDecision, EventDecisions } from './event-decisions.service.js';

/** Changes looked at in one transaction. */
const PAGE = 500;
/** The number of changes after which the ended deliveries of a subscription are counted. */
const TRIM_EVERY = 1_000;

/**
 * Makes deliveries of changes. The change log is the outbox: deliveries and the position up to which the log was read
 * are written together, so an event exists exactly once, and only if its change committed, whatever crashes (rule 9.5).
 * A change that the receiver may not know makes no delivery: the list of deliveries must not reveal it.
 */
@Injectable()
export class Outbox {
  private readonly logger = new Logger('deliveries');

  constructor(
    private readonly loggedChanges: LoggedChanges,
    private readonly decisions: EventDecisions,
    private readonly deliveries: DeliveriesRepository,
    private readonly accesses: Accesses,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly bulkhead: DatabaseBulkhead,
  ) {}

  /**
   * Reads the log for a subscription that the caller has leased; as a draft, because masks judge the changes.
   * @returns its position now; the same position if there was nothing new
   */
  read(subscription: LeasedSubscription): Promise<number> {
    return this.bulkhead.draft(() => this.readNext(subscription));
  }

  private async readNext(subscription: LeasedSubscription): Promise<number> {
    const { changes, position } = await this.next(subscription);
    if (position === subscription.position) return position;
    const { appId, ownerId } = subscription;
    const access = await this.bulkhead.run(() => this.accesses.ofAbsentApp(appId, ownerId));
    const standing = inForce(subscription, access?.authorizationId);
    const deliveries = changes.length === 0 ? [] : await this.deliveriesOf(standing, access, changes);
    const isAdvanced = await this.bulkhead.run(() =>
      this.units.autocommit(() => this.deliveries.advance(subscription, position, deliveries)),
    );
    // Another worker has taken over, or the user has changed the subscription: the deliveries are discarded.
    if (!isAdvanced) return subscription.position;
    if (Math.floor(position / TRIM_EVERY) > Math.floor(subscription.position / TRIM_EVERY))
      await this.bulkhead.run(() => this.units.autocommit(() => this.deliveries.trim(subscription)));
    return position;
  }

  /** The changes to judge, and the position after them. A disabled subscription passes all of them over. */
  private async next(
    subscription: LeasedSubscription,
  ): Promise<{ changes: readonly LoggedChange[]; position: number }> {
    if (subscription.status === 'disabled') return { changes: [], position: subscription.changes };
    if (subscription.isFull) return { changes: [], position: subscription.position };
    return this.loggedChanges.after(subscription, PAGE);
  }

  private async deliveriesOf(
    subscription: Subscription,
    access: Access | null,
    changes: readonly LoggedChange[],
  ): Promise<NewDelivery[]> {
    const createdAt = this.clock.now();
    /** Nodes that deliveries of this page are about, and whether the receiver then has them. */
    const held = new Map<string, boolean>();
    const deliveries: NewDelivery[] = [];
    for (const change of changes) {
      const { sequence, entityId } = change;
      const isHeld = held.get(entityId);
      const known = isHeld === undefined ? change : { ...change, mayHaveNode: isHeld, hasNode: isHeld };
      const decision = await this.decisionOn(subscription, access, known);
      if (decision === null) continue;
      const targets = targetsOf(subscription, decision.event);
      if (targets.length > 0 && decision.hasNodeAfter !== undefined)
        held.set(entityId, decision.hasNodeAfter);
      const { event } = decision;
      for (const target of targets)
        deliveries.push({ id: newId(), target, sequence, event, entityId, createdAt });
    }
    return deliveries;
  }

  /** Skips a change that cannot be judged: it would block everything after it. */
  private async decisionOn(
    subscription: Subscription,
    access: Access | null,
    change: LoggedChange,
  ): Promise<EventDecision | null> {
    try {
      return await this.decisions.of(subscription, access, change);
    } catch (error) {
      this.logger.error(
        { err: error, sequence: change.sequence },
        'a change cannot be judged; it makes no event',
      );
      return null;
    }
  }
}
