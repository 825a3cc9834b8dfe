import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { CommittedChanges } from '../../kernel/change-log/committed-changes.js';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { requestContext } from '../../kernel/request-context.js';
import { type Delivery } from '../domain/subscription.js';
import { DeliveriesRepository } from '../infrastructure/deliveries.repository.js';
import { type SubscriptionKey, SubscriptionsRepository } from '../infrastructure/subscriptions.repository.js';
import { Attempts } from './attempts.service.js';
import { DatabaseBulkhead } from './database-bulkhead.js';
import { DeliveryQueue } from './delivery-queue.js';
import { type Lease, Leases } from './leases.js';
import { Outbox } from './outbox.service.js';
import { type Pace, ServingPlaces } from './serving-places.js';

/** The interval of looking for work without being woken. */
const LOOK_EVERY_MS = 1_000;
/** Subscriptions served at the same time; each waits only for its own receiver. */
const MAX_SERVED = 256;
/**
 * Concurrent attempts to one address; one after a failed or slow attempt, so that hanging receivers hold few
 * connections.
 */
const MAX_IN_FLIGHT = 4;
/** Deliveries to one address that are fetched for one turn. */
const TURN = 40;
/** The time after which other subscriptions come first; attempts under way are finished. */
const MAX_SERVICE_MS = 2_000;
/** The outcome of serving a subscription. */
interface ServiceOutcome {
  /** True if there was anything to do. */
  hasWorked: boolean;
  pace: Pace;
}
const IDLE: ServiceOutcome = { hasWorked: false, pace: 'unknown' };
/** The addresses of a subscription: one that hangs does not delay the other. */
const TARGETS = ['webhook', 'proposals'] as const;

/**
 * Serves subscriptions that have something to do: reads the change log for them and sends due deliveries. A
 * subscription is served by one worker of all processes at a time and waits only for its own receiver, so a slow one
 * delays no quick one (rule 9.5).
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('deliveries');
  private readonly serving = new Set<Promise<void>>();
  private readonly places = new ServingPlaces(MAX_SERVED);
  private looking: Promise<void> | null = null;
  private looksAgain = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly leases: Leases,
    private readonly queue: DeliveryQueue,
    private readonly bulkhead: DatabaseBulkhead,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: Outbox,
    private readonly attempts: Attempts,
    private readonly units: UnitOfWork,
    private readonly committed: CommittedChanges,
  ) {}

  onApplicationBootstrap(): void {
    this.committed.listen(() => this.queue.wake());
    if (!this.config.webhookWorkers) return;
    this.queue.onWake(() => requestContext.outside(() => this.look()));
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  /** Finishes attempts under way: their outcome would be lost, and they would be made twice. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.queue.close();
    await this.looking;
    await Promise.all(this.serving);
  }

  /** Starts to serve every subscription with something to do. A call during a look causes one more look. */
  look(): Promise<void> {
    this.looksAgain = true;
    this.looking ??= this.lookUntilSeen().finally(() => (this.looking = null));
    return this.looking;
  }

  /** Resolves when everything that is due now has been tried. Only for tests. */
  async drain(): Promise<void> {
    do {
      await this.look();
      await Promise.all(this.serving);
    } while (!this.isStopping && (await this.hasWork()));
  }

  /** True if something is under way or due. A leased subscription is not ready, and may be so again at its end. */
  private async hasWork(): Promise<boolean> {
    const isReady = async (): Promise<boolean> =>
      (await this.subscriptions.ready(this.clock.now(), 1)).length > 0;
    return this.isUnderWay || (await isReady()) || this.isUnderWay;
  }

  private get isUnderWay(): boolean {
    return this.serving.size > 0 || this.looking !== null;
  }

  private async lookUntilSeen(): Promise<void> {
    while (this.looksAgain && !this.isStopping && !this.places.isFull) {
      this.looksAgain = false;
      const ready = await this.subscriptions
        .ready(this.clock.now(), MAX_SERVED, this.places.excluded)
        .catch((error: unknown) => this.report(error, []));
      // Subscriptions without a place may have left no room for others in this answer.
      for (const key of ready) if (!this.places.has(key) && !this.serve(key)) this.looksAgain = true;
    }
  }

  /** @returns false if there is no place for it */
  private serve(key: SubscriptionKey): boolean {
    if (!this.places.take(key)) return false;
    // Work for one owner counts together, at the database and in slices.
    const served = requestContext
      .outside(() => this.serveLeased(key), `events of ${key.ownerId}`)
      .catch((error: unknown) => this.report(error, IDLE))
      .then(({ hasWorked, pace }) => {
        const wasShort = this.places.isShort;
        this.places.giveUp(key, pace);
        this.serving.delete(served);
        // Work that came meanwhile found the subscription leased, or no free place.
        if (hasWorked || wasShort) void this.look();
      });
    this.serving.add(served);
    return true;
  }

  private async serveLeased(key: SubscriptionKey): Promise<ServiceOutcome> {
    const lease = await this.bulkhead.run(() => this.leases.take(key));
    if (lease === null) return IDLE;
    const end = performance.now() + MAX_SERVICE_MS;
    const isLeft = (): boolean => this.isStopping || performance.now() > end;
    let hasWorked = false;
    try {
      do {
        if (!(await this.takeTurn(lease, isLeft))) break;
        hasWorked = true;
      } while (!isLeft());
      return { hasWorked, pace: lease.pace };
    } finally {
      if (!lease.runsOut) await this.bulkhead.record(() => lease.release());
    }
  }

  /** @returns true if there was anything to do, and there may be more */
  private async takeTurn(lease: Lease, isLeft: () => boolean): Promise<boolean> {
    const { hasRead, due } = await this.lookUp(lease);
    const goesOn = await this.attemptAll(lease, due.map(byEntity), isLeft);
    return goesOn && (hasRead || due.some((those) => those.length > 0));
  }

  /** @returns the due deliveries, by address */
  private async lookUp(lease: Lease): Promise<{ hasRead: boolean; due: Delivery[][] }> {
    const subscription = await this.bulkhead.run(() => lease.current());
    if (subscription === null) return { hasRead: false, due: [] };
    const { hasRead } = await this.outbox.read(subscription);
    if (subscription.status === 'disabled') {
      await this.bulkhead.run(() => this.units.autocommit(() => this.deliveries.failPending(subscription)));
      return { hasRead, due: [] };
    }
    const question = { now: this.clock.now(), limit: TURN };
    const due: Delivery[][] = [];
    for (const target of TARGETS)
      due.push(await this.bulkhead.run(() => this.deliveries.due(subscription, { target, ...question })));
    return { hasRead, due };
  }

  /** @returns true if the subscription can continue */
  private async attemptAll(lease: Lease, targets: Delivery[][][], isLeft: () => boolean): Promise<boolean> {
    let goesOn = true;
    const isSlow = lease.pace === 'slow' || this.places.isSlow(lease.known);
    const inFlight = isSlow || lease.known.consecutiveFailures > 0 ? 1 : MAX_IN_FLIGHT;
    const turn = { isOver: isLeft, isStopping: (): boolean => this.isStopping };
    const stopUnless = (result: boolean): void => void (goesOn &&= result);
    const work = async (lanes: Delivery[][]): Promise<void> => {
      for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
        for (const delivery of lane)
          if (goesOn && !isLeft()) stopUnless((await this.attempts.make(lease, delivery, turn)) || isLeft());
      }
    };
    const working = targets.flatMap((lanes) =>
      Array.from({ length: Math.min(inFlight, lanes.length) }, () =>
        work(lanes).catch((error: unknown) => {
          goesOn = false;
          throw error;
        }),
      ),
    );
    // All attempts end before the lease is released.
    for (const outcome of await Promise.allSettled(working))
      if (outcome.status === 'rejected') throw outcome.reason;
    return goesOn;
  }

  private report<T>(error: unknown, instead: T): T {
    this.logger.error({ err: error }, 'deliveries could not be processed; they are retried');
    return instead;
  }
}

/** Groups deliveries so that those of one entity are sent in the order of its changes. */
function byEntity(due: readonly Delivery[]): Delivery[][] {
  const lanes = new Map<string, Delivery[]>();
  for (const delivery of due) {
    const key = delivery.entityId ?? delivery.id;
    const lane = lanes.get(key);
    if (lane) lane.push(delivery);
    else lanes.set(key, [delivery]);
  }
  return [...lanes.values()];
}
