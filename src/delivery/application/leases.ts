import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import {
  type LeasedSubscription,
  type Named,
  type SubscriptionKey,
  SubscriptionsRepository,
} from '../infrastructure/subscriptions.repository.js';

const LEASE_MS = 30_000;
/** Renewed when less than this is left: longer than an attempt can take. */
const ENOUGH_MS = 15_000;
const NOTHING: Named = { ids: [], after: 0 };

/** Subscriptions are served by one worker of all processes at a time; one that died is replaced after its lease. */
@Injectable()
export class Leases {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Null: another worker has it, or it is gone. */
  async take(key: SubscriptionKey): Promise<Lease | null> {
    const now = this.clock.now();
    const until = this.end();
    const subscription = await this.units.single(() => this.subscriptions.lease(key, now, until));
    return subscription === null ? null : new Lease(this, subscription, until);
  }

  held(key: SubscriptionKey, until: Date, named: Named): Promise<LeasedSubscription | null> {
    return this.subscriptions.held(key, until, named);
  }

  renew(key: SubscriptionKey, until: Date, longer: Date): Promise<void> {
    return this.units.single(() => this.subscriptions.renew(key, { until, longer }));
  }

  release(key: SubscriptionKey, until: Date): Promise<void> {
    return this.units.run(async () => {
      await this.subscriptions.release(key, { until, now: this.clock.now() });
      await this.subscriptions.settleNews(key.ownerId);
    });
  }

  end(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }

  isRunningOut(until: Date): boolean {
    return until.getTime() - this.clock.now().getTime() < ENOUGH_MS;
  }
}

/** What one worker holds. Asked before each attempt, so that a lease does not run out while receivers are slow. */
export class Lease {
  private last: Promise<unknown> = Promise.resolve();
  /** Whether it is to run out by itself: what was sent and could not be recorded must not be sent again at once. */
  runsOut = false;

  constructor(
    private readonly leases: Leases,
    /** As it was when it was last looked at. */
    public known: LeasedSubscription,
    private until: Date,
  ) {}

  /** The subscription as it is now, asked after this call; null: it is gone, or another worker's. */
  current(named = NOTHING): Promise<LeasedSubscription | null> {
    return this.inTurn(() => this.ask(named));
  }

  /** Something that only who has the lease may do; meanwhile it is not renewed, for the time tells one from another. */
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

  private async ask(named: Named): Promise<LeasedSubscription | null> {
    const subscription = await this.hold(named);
    if (subscription !== null) this.known = subscription;
    return subscription;
  }

  private async hold(named: Named): Promise<LeasedSubscription | null> {
    if (this.leases.isRunningOut(this.until)) {
      const longer = this.leases.end();
      await this.leases.renew(this.known, this.until, longer);
      this.until = longer;
    }
    // Also after that: a statement that had to wait for the row sees everything else as it was before.
    return this.leases.held(this.known, this.until, named);
  }
}
