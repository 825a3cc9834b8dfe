import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import {
  type LeasedSubscription,
  type WatchedEntities,
  type SubscriptionKey,
  SubscriptionsRepository,
} from '../infrastructure/subscriptions.repository.js';
import { type Pace } from './serving-places.js';

const LEASE_MS = 30_000;
/** The remaining time below which a lease is renewed; longer than an attempt can take. */
const ENOUGH_MS = 15_000;
const NOTHING: WatchedEntities = { ids: [], after: 0 };

/**
 * Leases of subscriptions: one worker of all processes serves a subscription at a time, and a dead worker is replaced
 * when its lease expires.
 */
@Injectable()
export class Leases {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Null: another worker has the lease, or the subscription is deleted. */
  async take(key: SubscriptionKey): Promise<Lease | null> {
    const now = this.clock.now();
    const until = this.end();
    const subscription = await this.units.autocommit(() => this.subscriptions.lease(key, now, until));
    return subscription === null ? null : new Lease(this, subscription, until);
  }

  held(key: SubscriptionKey, until: Date, named: WatchedEntities): Promise<LeasedSubscription | null> {
    return this.subscriptions.held(key, until, named);
  }

  renew(key: SubscriptionKey, until: Date, longer: Date): Promise<void> {
    return this.units.autocommit(() => this.subscriptions.renew(key, { until, longer }));
  }

  release(key: SubscriptionKey, until: Date): Promise<void> {
    return this.units.run(async () => {
      await this.subscriptions.release(key, { until, now: this.clock.now() });
      await this.subscriptions.clearPendingOwner(key.ownerId);
    });
  }

  end(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }

  isRunningOut(until: Date): boolean {
    return until.getTime() - this.clock.now().getTime() < ENOUGH_MS;
  }
}

/**
 * The lease of one worker. It is checked before each attempt and renewed, so that slow receivers do not let it expire.
 */
export class Lease {
  private last: Promise<unknown> = Promise.resolve();
  /**
   * True if the lease must expire by itself: a message whose outcome could not be recorded must not be sent again at
   * once.
   */
  runsOut = false;
  /** The pace of the receiver during this lease: slow after one slow attempt; quick after a success. */
  pace: Pace = 'unknown';

  constructor(
    private readonly leases: Leases,
    /** The subscription as it was at the last check. */
    public known: LeasedSubscription,
    private until: Date,
  ) {}

  /** The subscription as of a query after this call; null: it is deleted, or leased by another worker. */
  current(named = NOTHING): Promise<LeasedSubscription | null> {
    return this.inTurn(() => this.ask(named));
  }

  /** Runs work that only the lease holder may do. The lease is not renewed meanwhile: its expiry time identifies it. */
  during<T>(work: (until: Date) => Promise<T>): Promise<T> {
    return this.inTurn(() => work(this.until));
  }

  async release(): Promise<void> {
    await this.leases.release(this.known, this.until);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  private async ask(named: WatchedEntities): Promise<LeasedSubscription | null> {
    const subscription = await this.hold(named);
    if (subscription !== null) this.known = subscription;
    return subscription;
  }

  private async hold(named: WatchedEntities): Promise<LeasedSubscription | null> {
    if (this.leases.isRunningOut(this.until)) {
      const longer = this.leases.end();
      await this.leases.renew(this.known, this.until, longer);
      this.until = longer;
    }
    // Queried also after a renewal: a statement that waited for the row sees everything else as of its start.
    return this.leases.held(this.known, this.until, named);
  }
}
