import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { type Access, Accesses } from '../../privacy/index.js';
import { type Subscription, targetsOf } from '../domain/subscription.js';
import { DeliveriesRepository, type NewDelivery } from '../infrastructure/deliveries.repository.js';
import { type Happening, Happenings } from '../infrastructure/happenings.queries.js';
import { type ToldEvent, ToldEvents } from './told-events.service.js';

/** Changes looked at in one transaction. */
const PAGE = 500;

/**
 * Makes deliveries of changes. The change log is the outbox: deliveries and the position up to which the log was read
 * are written together, so an event exists exactly when its change committed, once, whatever crashes (rule 9.5).
 * What the receiver may not know makes no delivery: the list of deliveries must not tell of it.
 */
@Injectable()
export class Outbox {
  private readonly logger = new Logger('deliveries');

  constructor(
    private readonly happenings: Happenings,
    private readonly told: ToldEvents,
    private readonly deliveries: DeliveriesRepository,
    private readonly accesses: Accesses,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Reads the log for a subscription that the caller has leased.
   * @returns where it stands now; the same position when there was nothing new
   */
  async read(subscription: Subscription): Promise<number> {
    const { happenings, position } = await this.happenings.after(subscription, PAGE);
    if (position === subscription.position) return position;
    const access = await this.accesses.ofAbsentApp(subscription.appId, subscription.ownerId);
    const deliveries =
      happenings.length === 0 ? [] : await this.deliveriesOf(subscription, access, happenings);
    const isAdvanced = await this.units.single(() =>
      this.deliveries.advance(subscription, position, deliveries),
    );
    // A worker that was taken for dead, or a change by the user: then what was found does not count.
    return isAdvanced ? position : subscription.position;
  }

  private async deliveriesOf(
    subscription: Subscription,
    access: Access | null,
    happenings: readonly Happening[],
  ): Promise<NewDelivery[]> {
    const createdAt = this.clock.now();
    // While it is disabled nothing is sent; what would have been can be sent again by hand (rule 9.2).
    const status = subscription.status === 'active' ? 'pending' : 'failed';
    /** Nodes of which deliveries of this page tell, and whether the receiver then has them. */
    const held = new Map<string, boolean>();
    const deliveries: NewDelivery[] = [];
    for (const happening of happenings) {
      const { sequence, entityId } = happening;
      const isHeld = held.get(entityId);
      const known = isHeld === undefined ? happening : { ...happening, wasTold: isHeld, isAnswered: isHeld };
      const found = await this.toldOf(subscription, access, known);
      if (found === null) continue;
      const targets = targetsOf(subscription, found.event);
      if (targets.length > 0 && found.isHeld !== undefined) held.set(entityId, found.isHeld);
      const { event } = found;
      for (const target of targets)
        deliveries.push({ id: newId(), target, sequence, event, entityId, status, createdAt });
    }
    return deliveries;
  }

  /** What cannot be judged is passed over: it would keep the subscription from all that comes after it. */
  private async toldOf(
    subscription: Subscription,
    access: Access | null,
    happening: Happening,
  ): Promise<ToldEvent | null> {
    try {
      return await this.told.of(subscription, access, happening);
    } catch (error) {
      this.logger.error({ err: error, sequence: happening.sequence }, 'a change cannot be told of');
      return null;
    }
  }
}
