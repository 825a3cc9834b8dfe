import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'node:worker_threads';

/** A violation in a value: the place as a JSON Pointer, and the expectation; never the value. */
export interface Violation {
  pointer: string;
  message: string;
}

/** A schema with everything it inherits, and values to hold against it, all as JSON texts. */
export interface SchemaTask {
  schema: string;
  /** The part of the schema that must also be valid by itself. */
  part?: string;
  values: readonly string[];
}

/** `invalid`: not a JSON Schema. `overBudget`: the schema or one of the values is too expensive. */
export type SchemaOutcome = { violations: Violation[][] } | { invalid: string } | { overBudget: string };

/** No thread can take the task now. The message is for the person who waits for it. */
export class ValidationUnavailable extends Error {}

interface Job {
  owner: string;
  task: SchemaTask;
  settle: (outcome: SchemaOutcome) => void;
  fail: (error: Error) => void;
}

interface Seat {
  worker: Worker;
  isReady: boolean;
  job: Job | null;
  timer: NodeJS.Timeout | null;
}

/** Two, so that one works while the other is busy with an expensive schema. */
const SEATS = 2;
/**
 * The budget of work. A worker measures it itself; one that no longer can is ended a little after its
 * patience.
 */
const BUDGET_MS = 150;
const MORE_PER_VALUE_MS = 1;
const MAX_BUDGET_MS = 500;
/**
 * Longer than the budget, because work takes longer on a busy machine. With both graces still within the
 * time limit of an answer.
 */
const PATIENCE_MS = 360;
const GRACE_MS = 60;
const MAX_WAITING = 200;
/** The time in which an owner whose job had to be ended receives a worker only while another one is ready. */
const PENALTY_MS = 10_000;
const MAX_STARTS = 3;
/** The time after which a thread that the system refused is requested again. */
const RETRY_MS = 1_000;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 6, stackSizeMb: 4 };

/**
 * Validates values against schemas. Both come from strangers: neither may block the service or exhaust its
 * memory. They run in threads with a time budget and a memory of their own; a thread that exceeds either is
 * ended and replaced. Waiting owners take turns, one job at a time.
 */
@Injectable()
export class JsonSchemaWorkers implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Job[]>();
  private readonly running = new Set<string>();
  private readonly penalties = new Map<string, number>();
  private readonly seats = new Set<Seat>();
  private readonly logger = new Logger('schemas');
  private failedStarts = 0;
  private retry: NodeJS.Timeout | null = null;
  private isClosed = false;

  /**
   * @param owner whose turn the job takes: owners wait behind their own jobs only
   * @throws ValidationUnavailable when too many of the owner's jobs are waiting, or there is no thread
   */
  run(owner: string, task: SchemaTask): Promise<SchemaOutcome> {
    return new Promise((settle, fail) => {
      const queue = this.waiting.get(owner) ?? [];
      if (this.isClosed || queue.length >= MAX_WAITING) {
        return fail(new ValidationUnavailable('Too many validations are waiting'));
      }
      queue.push({ owner, task, settle, fail });
      this.waiting.set(owner, queue);
      if (this.seats.size === 0) this.open();
      this.next();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    if (this.retry) clearTimeout(this.retry);
    const closed = new ValidationUnavailable('The service is stopping');
    this.refuseAll(closed);
    await Promise.all([...this.seats].map((seat) => this.leave(seat, { error: closed })));
  }

  /** Throws when the system has no threads left. */
  protected thread(): Worker {
    return new Worker(new URL('./json-schema-worker.mjs', import.meta.url), {
      env: {},
      resourceLimits: LIMITS,
    });
  }

  private open(): void {
    try {
      this.seat(this.thread());
    } catch (error) {
      this.lack(error);
    }
  }

  private seat(worker: Worker): void {
    worker.unref();
    const seat: Seat = { worker, isReady: false, job: null, timer: null };
    this.seats.add(seat);
    worker.on('message', (message: SchemaOutcome | 'ready') => this.hear(seat, message));
    worker.on('error', (error) => this.broke(seat, error));
  }

  private hear(seat: Seat, message: SchemaOutcome | 'ready'): void {
    if (message === 'ready') {
      seat.isReady = true;
      this.failedStarts = 0;
      // One after the other, so that the first job does not wait for all of them.
      this.refill();
    } else {
      this.finish(seat)?.settle(message);
      this.next();
    }
  }

  /** Replaces a worker that died, mostly by running out of memory. */
  private broke(seat: Seat, error: Error): void {
    if (!this.seats.has(seat)) return;
    const left = this.leave(seat, { overBudget: 'the schema needs more than it may' });
    if (!seat.isReady && ++this.failedStarts >= MAX_STARTS) this.lack(error);
    else void left.then(() => this.refill());
  }

  /** Handles a refused thread: waiting jobs use the existing threads; without any, they fail at once. */
  private lack(error: unknown): void {
    this.failedStarts = 0;
    this.logger.error({ err: error }, 'a thread for schemas cannot be started');
    if (this.seats.size === 0)
      this.refuseAll(
        new ValidationUnavailable('Schema validation is temporarily unavailable; try again later'),
      );
    else this.retry ??= setTimeout(() => this.tryAgain(), RETRY_MS).unref();
  }

  private tryAgain(): void {
    this.retry = null;
    this.refill();
  }

  private refuseAll(error: ValidationUnavailable): void {
    for (const job of [...this.waiting.values()].flat()) job.fail(error);
    this.waiting.clear();
  }

  private next(): void {
    const idle = [...this.seats].filter(({ isReady, job }) => isReady && job === null);
    for (const seat of idle) {
      const job = this.take();
      if (job === null) return;
      this.start(seat, job);
    }
  }

  /** The first job of the owner who has waited longest. */
  private take(): Job | null {
    for (const [owner, jobs] of this.waiting) {
      if (this.running.has(owner) || !this.mayTake(owner)) continue;
      const job = jobs.shift();
      this.waiting.delete(owner);
      if (jobs.length > 0) this.waiting.set(owner, jobs);
      if (job !== undefined) return job;
    }
    return null;
  }

  private mayTake(owner: string): boolean {
    const since = this.penalties.get(owner);
    if (since === undefined || performance.now() - since > PENALTY_MS) return true;
    return [...this.seats].filter(({ isReady }) => isReady).length === SEATS;
  }

  private start(seat: Seat, job: Job): void {
    seat.job = job;
    this.running.add(job.owner);
    const { schema, part = null, values } = job.task;
    const milliseconds = Math.min(BUDGET_MS + MORE_PER_VALUE_MS * values.length, MAX_BUDGET_MS);
    const patience = Math.max(milliseconds, PATIENCE_MS);
    // Twice: if this thread itself was blocked, the answer is already here and is processed in between.
    seat.timer = setTimeout(() => {
      seat.timer = setTimeout(() => this.end(seat), GRACE_MS);
    }, patience + GRACE_MS);
    seat.worker.postMessage({ schema, part, values, milliseconds, patience });
  }

  /** Ends a worker that no longer responds and replaces its thread. */
  private end(seat: Seat): void {
    if (seat.job) this.punish(seat.job.owner);
    void this.leave(seat, { overBudget: 'evaluation took too long' });
    this.refill();
  }

  private refill(): void {
    if (!this.isClosed && this.seats.size < SEATS) this.open();
    this.next();
  }

  private punish(owner: string): void {
    this.penalties.delete(owner);
    this.penalties.set(owner, performance.now());
    for (const [oldest, since] of this.penalties) {
      if (performance.now() - since <= PENALTY_MS) return;
      this.penalties.delete(oldest);
    }
  }

  private async leave(seat: Seat, why: { overBudget: string } | { error: Error }): Promise<void> {
    this.seats.delete(seat);
    const job = this.finish(seat);
    if ('error' in why) job?.fail(why.error);
    else job?.settle(why);
    await seat.worker.terminate();
  }

  private finish(seat: Seat): Job | null {
    const { job, timer } = seat;
    if (timer) clearTimeout(timer);
    seat.job = null;
    seat.timer = null;
    if (job) this.running.delete(job.owner);
    return job;
  }
}
