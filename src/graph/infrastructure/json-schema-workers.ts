import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../kernel/errors/domain-error.js';

/** What in a value does not fit: where, as a JSON Pointer, and what is expected there; never what was found. */
export interface Misfit {
  pointer: string;
  message: string;
}

/** A schema with everything it inherits, and values to hold against it, all as JSON texts. */
export interface SchemaTask {
  schema: string;
  /** What the schema was made of, if that must be one by itself, too. */
  part?: string;
  values: readonly string[];
}

/** `invalid`: it is no JSON Schema. `overBudget`: it, or one of the values, costs more than it may. */
export type SchemaOutcome = { misfits: Misfit[][] } | { invalid: string } | { overBudget: string };

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

/** One works while another is busy with somebody's hard schema. */
const SEATS = 2;
/** Of work. A worker counts it itself; one that cannot any more is ended a little after its patience. */
const BUDGET_MS = 150;
const MORE_PER_VALUE_MS = 1;
const MAX_BUDGET_MS = 500;
/** Where the machine is busy, work takes its time. With both graces still within what an answer may take. */
const PATIENCE_MS = 360;
const GRACE_MS = 60;
const MAX_WAITING = 200;
/** So long an owner whose work had to be ended gets a worker only while another stands ready. */
const PENALTY_MS = 10_000;
const MAX_STARTS = 3;
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

/**
 * Schemas are the work of strangers, and so are the values held against them: neither may block the service or make it
 * grow. They are looked at in threads with a time budget and a memory of their own; one that uses up either is ended
 * and replaced. Whoever has work waiting gets his turn, one job at a time.
 */
@Injectable()
export class JsonSchemaWorkers implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Job[]>();
  private readonly running = new Set<string>();
  private readonly penalties = new Map<string, number>();
  private readonly seats = new Set<Seat>();
  private failedStarts = 0;
  private isClosed = false;

  /**
   * @param owner whose turn it is: who may wait behind himself only
   * @throws SERVICE_UNAVAILABLE when too much of his work is waiting
   */
  run(owner: string, task: SchemaTask): Promise<SchemaOutcome> {
    return new Promise((settle, fail) => {
      const queue = this.waiting.get(owner) ?? [];
      if (this.isClosed || queue.length >= MAX_WAITING) {
        return fail(new DomainError('SERVICE_UNAVAILABLE', 'Too many validations are waiting'));
      }
      queue.push({ owner, task, settle, fail });
      this.waiting.set(owner, queue);
      if (this.seats.size === 0) this.open();
      this.next();
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    const closed = new DomainError('SERVICE_UNAVAILABLE', 'The service is stopping');
    for (const job of [...this.waiting.values()].flat()) job.fail(closed);
    this.waiting.clear();
    await Promise.all([...this.seats].map((seat) => this.leave(seat, { error: closed })));
  }

  private open(): void {
    const worker = new Worker(new URL('./json-schema-worker.mjs', import.meta.url), {
      env: {},
      resourceLimits: LIMITS,
    });
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
      // One after the other: the first job does not wait for all of them.
      if (this.seats.size < SEATS) this.open();
    } else this.finish(seat)?.settle(message);
    this.next();
  }

  /** A worker that died: of its memory, mostly. */
  private broke(seat: Seat, error: Error): void {
    if (!this.seats.has(seat)) return;
    if (!seat.isReady && ++this.failedStarts >= MAX_STARTS) {
      for (const job of [...this.waiting.values()].flat()) job.fail(error);
      this.waiting.clear();
      this.failedStarts = 0;
      void this.leave(seat, { error });
    } else
      void this.leave(seat, { overBudget: 'the schema needs more than it may' }).then(() => this.refill());
  }

  private next(): void {
    const idle = [...this.seats].filter(({ isReady, job }) => isReady && job === null);
    for (const seat of idle) {
      const job = this.take();
      if (job === null) return;
      this.start(seat, job);
    }
  }

  /** The first job of the owner who has waited longest for his turn. */
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
    if (since === undefined) return true;
    if (performance.now() - since > PENALTY_MS) this.penalties.delete(owner);
    return [...this.seats].filter(({ isReady }) => isReady).length === SEATS;
  }

  private start(seat: Seat, job: Job): void {
    seat.job = job;
    this.running.add(job.owner);
    const { schema, part = null, values } = job.task;
    const milliseconds = Math.min(BUDGET_MS + MORE_PER_VALUE_MS * values.length, MAX_BUDGET_MS);
    const patience = Math.max(milliseconds, PATIENCE_MS);
    // Twice: where this thread was held up itself, the answer is already here and is heard in between.
    seat.timer = setTimeout(() => {
      seat.timer = setTimeout(() => this.end(seat), GRACE_MS);
    }, patience + GRACE_MS);
    seat.worker.postMessage({ schema, part, values, milliseconds, patience });
  }

  /** It hears nothing any more: the thread goes, another one comes. */
  private end(seat: Seat): void {
    if (seat.job) this.punish(seat.job.owner);
    void this.leave(seat, { overBudget: 'evaluation took too long' });
    this.refill();
    this.next();
  }

  private refill(): void {
    if (!this.isClosed && this.seats.size < SEATS) this.open();
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
