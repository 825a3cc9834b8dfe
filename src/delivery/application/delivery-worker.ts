import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { CommittedChanges } from '../../kernel/changes/committed-changes.js';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { type Delivery, type Subscription } from '../domain/subscription.js';
import { DeliveriesRepository } from '../infrastructure/deliveries.repository.js';
import { type SubscriptionKey, SubscriptionsRepository } from '../infrastructure/subscriptions.repository.js';
import { Attempts } from './attempts.service.js';
import { DeliveryQueue } from './delivery-queue.js';
import { Outbox } from './outbox.service.js';

/** Without being woken a worker looks so often. */
const LOOK_EVERY_MS = 1_000;
/** Longer than an attempt can take, so that nobody else takes over from a worker that lives. */
const LEASE_MS = 30_000;
/** Subscriptions served at the same time; each waits for its own receiver only. */
const MAX_SERVED = 256;
/** Attempts under way to one receiver. */
const MAX_IN_FLIGHT = 4;
/** After this time no further attempt begins in a turn: it ends before its lease does. */
const TURN_MS = 15_000;
/** Deliveries fetched for one turn. */
const TURN = 40;
/** Turns before others come first. */
const MAX_TURNS = 10;

/**
 * Serves subscriptions that have something to do: reads the change log for them and sends what is due. A subscription is
 * served by one worker of all processes at a time, and waits only for its own receiver, so that a slow one delays no
 * other (decisions 9.5).
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('deliveries');
  private readonly serving = new Map<string, Promise<void>>();
  private looking: Promise<void> | null = null;
  private looksAgain = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly units: UnitOfWork,
    private readonly queue: DeliveryQueue,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly outbox: Outbox,
    private readonly attempts: Attempts,
    private readonly committed: CommittedChanges,
  ) {}

  onApplicationBootstrap(): void {
    this.committed.listen(() => this.queue.wake());
    if (!this.config.webhookWorkers) return;
    this.queue.onWake(() => this.look());
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
  }

  /** Attempts under way are finished: their outcome would be lost, and they would be made twice. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.queue.close();
    await this.looking;
    await Promise.all(this.serving.values());
  }

  /** Starts to serve whatever has something to do. Asked while it looks, it looks once more. */
  look(): Promise<void> {
    this.looksAgain = true;
    this.looking ??= this.lookUntilSeen().finally(() => (this.looking = null));
    return this.looking;
  }

  /** Until everything that is due now has been tried: for tests, and for nobody else. */
  async drain(): Promise<void> {
    do {
      await this.look();
      await Promise.all(this.serving.values());
    } while ((await this.subscriptions.ready(this.clock.now(), 1)).length > 0);
  }

  private async lookUntilSeen(): Promise<void> {
    while (this.looksAgain && !this.isStopping) {
      this.looksAgain = false;
      const free = MAX_SERVED - this.serving.size;
      if (free <= 0) return;
      const ready = await this.subscriptions
        .ready(this.clock.now(), free + this.serving.size)
        .catch((error: unknown) => this.report(error, []));
      for (const key of ready) this.serve(key);
    }
  }

  private serve(key: SubscriptionKey): void {
    if (this.serving.has(key.id) || this.serving.size >= MAX_SERVED) return;
    const served = this.serveLeased(key)
      .catch((error: unknown) => this.report(error, undefined))
      .finally(() => this.serving.delete(key.id));
    this.serving.set(key.id, served);
  }

  private async serveLeased(key: SubscriptionKey): Promise<void> {
    let subscription = await this.units.run(() =>
      this.subscriptions.lease(key, this.clock.now(), this.leaseEnd()),
    );
    try {
      for (let turn = 0; subscription !== null && turn < MAX_TURNS && !this.isStopping; turn++) {
        if (!(await this.takeTurn(subscription))) break;
        subscription = await this.units.run(() => this.subscriptions.renew(key, this.leaseEnd()));
      }
    } finally {
      if (subscription !== null) await this.units.run(() => this.subscriptions.release(key));
    }
  }

  /** @returns whether there was anything to do */
  private async takeTurn(subscription: Subscription): Promise<boolean> {
    const position = await this.outbox.read(subscription);
    if (subscription.status === 'disabled') return position !== subscription.position;
    const due = await this.deliveries.due(subscription, this.clock.now(), TURN);
    const lanes = byEntity(due);
    let goesOn = true;
    const end = performance.now() + TURN_MS;
    const mayBegin = () => goesOn && performance.now() < end;
    const work = async (): Promise<void> => {
      for (let lane = lanes.shift(); lane && mayBegin(); lane = lanes.shift()) {
        for (const delivery of lane)
          if (mayBegin()) goesOn = (await this.attempts.make(subscription, delivery)) && goesOn;
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_IN_FLIGHT, lanes.length) }, work));
    return goesOn && (due.length > 0 || position !== subscription.position);
  }

  private leaseEnd(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }

  private report<T>(error: unknown, instead: T): T {
    this.logger.error({ err: error }, 'deliveries had to be left; they are tried again');
    return instead;
  }
}

/** What is told of one thing is told in the order in which it happened. */
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
