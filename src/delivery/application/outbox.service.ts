import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Access, Accesses } from '../../privacy/index.js';
import { type Expansion, inForce, type Subscription, targetsOf } from '../domain/subscription.js';
import { DeliveriesRepository, type NewDelivery } from '../infrastructure/deliveries.repository.js';
import { type LoggedChange, LoggedChanges } from '../infrastructure/logged-changes.queries.js';
import { type LeasedSubscription } from '../infrastructure/subscriptions.repository.js';
import { ChangeDecisions } from './change-decisions.service.js';
import { DatabaseBulkhead } from './database-bulkhead.js';

/** Changes, and relationships of changed nodes, looked at in one transaction. */
const PAGE = 500;
/** The number of changes after which the ended deliveries of a subscription are counted. */
const TRIM_EVERY = 1_000;

/** The progress of a read. */
export interface ReadPage {
  position: number;
  hasRead: boolean;
}

/**
 * Makes deliveries of changes. The change log is the outbox: deliveries and the position up to which the log was read
 * are written together, so an event exists exactly once, and only if its change committed, whatever crashes (rule 9.5).
 * A change that the receiver may not know makes no delivery: the list of deliveries must not reveal it.
 */
@Injectable()
export class Outbox {
  constructor(
    private readonly loggedChanges: LoggedChanges,
    private readonly decisions: ChangeDecisions,
    private readonly deliveries: DeliveriesRepository,
    private readonly accesses: Accesses,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly bulkhead: DatabaseBulkhead,
  ) {}

  /**
   * Reads the log for a subscription that the caller has leased; as a draft, because masks judge the changes.
   * @returns its position now, which may be that before in the middle of a change
   */
  read(subscription: LeasedSubscription): Promise<ReadPage> {
    return this.bulkhead.draft(() => this.readNext(subscription));
  }

  private async readNext(subscription: LeasedSubscription): Promise<ReadPage> {
    const { appId, ownerId } = subscription;
    const nothing = { position: subscription.position, hasRead: false };
    const page = await this.next(subscription);
    if (page.position === subscription.position) return nothing;
    const access = await this.bulkhead.run(() => this.accesses.ofAbsentApp(appId, ownerId));
    const standing = inForce(subscription, access?.authorizationId);
    const { deliveries, ...reached } =
      access === null
        ? { ...page, expansion: null, deliveries: [] }
        : await this.judged(standing, access, page);
    const { position } = reached;
    const isAdvanced = await this.bulkhead.run(() =>
      this.units.autocommit(() => this.deliveries.advance(subscription, reached, deliveries)),
    );
    // Another worker has taken over, or the user has changed the subscription: the deliveries are discarded.
    if (!isAdvanced) return nothing;
    const isTrimming = Math.floor(position / TRIM_EVERY) > Math.floor(subscription.position / TRIM_EVERY);
    // One change of a node may be any number of deliveries.
    if (isTrimming || reached.expansion !== null)
      await this.bulkhead.run(() => this.units.autocommit(() => this.deliveries.trim(subscription)));
    return { position, hasRead: true };
  }

  /** The changes to judge, and the position after them. A disabled subscription passes all of them over. */
  private async next(
    subscription: LeasedSubscription,
  ): Promise<{ changes: readonly LoggedChange[]; position: number }> {
    if (subscription.status === 'disabled') return { changes: [], position: subscription.changes };
    if (subscription.isFull) return { changes: [], position: subscription.position };
    return this.loggedChanges.after(subscription, PAGE);
  }

  /** The deliveries of a page, which ends early where the nodes that it changes have many relationships. */
  private async judged(
    subscription: Subscription,
    access: Access,
    { changes, position }: { changes: readonly LoggedChange[]; position: number },
  ): Promise<{ deliveries: NewDelivery[]; position: number; expansion: Expansion | null }> {
    const now = this.clock.now();
    const resumed = subscription.expansion;
    const timeOf = (sequence: number) => (resumed?.sequence === sequence ? new Date(resumed.at) : now);
    const deliveries: NewDelivery[] = [];
    let looked = 0;
    const page = { subscription, access, changes };
    for await (const one of this.decisions.on(page, subscription.expansion)) {
      const { sequence } = one;
      if ('looked' in one) {
        looked += one.looked;
        if (looked < PAGE) continue;
        if (one.expansion === null) return { deliveries, expansion: null, position: sequence };
        const expansion = { ...one.expansion, at: timeOf(sequence).toISOString() };
        return { deliveries, expansion, position: sequence - 1 };
      }
      const { event } = one.decision;
      const createdAt = timeOf(sequence);
      for (const target of targetsOf(subscription, event))
        deliveries.push({ id: newId(), target, sequence, event, entityId: one.entityId, createdAt });
    }
    return { deliveries, position, expansion: null };
  }
}
