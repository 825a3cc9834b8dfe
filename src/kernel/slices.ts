import { CallLocal } from './call-local.js';
import { openTransaction, type Transaction } from './database/transaction.js';
import { DomainError } from './errors/domain-error.js';
import { requestContext } from './request-context.js';
import { TurnQueue } from './turn-queue.js';

/** The most time that work in slices, of all requests together, takes of one round of the event loop. */
const SLICE_MS = 5;

/** Work that may pause at each step. */
export type Steps<T> = Generator<undefined, T>;

/** The most parts of a value that one step of work goes through. */
const PARTS_OF_A_STEP = 32;

/** True at the last part of a step, where the work should offer to pause. */
export const isEndOfStep = (index: number): boolean => index % PARTS_OF_A_STEP === PARTS_OF_A_STEP - 1;

/** Does all steps without a pause: for short work. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The time when work in slices began in this round; null: none has yet. */
let began: number | null = null;

const waiting = new TurnQueue<() => void>();

/** The person for whom this chain of calls works: all apps of one developer count together for a user. */
export const workerNow = (): string => requestContext.current().caller ?? 'nobody';

/**
 * Runs one waiting slice in each round of the event loop, however many requests have work to do. Persons take turns: a
 * slice waits for at most one slice of each other person, however many these have (rule 3.15e).
 */
function nextRound(person: string): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.isEmpty) setImmediate(serveOne);
    waiting.add(person, resolve);
  });
}

function serveOne(): void {
  // The time until its next rest counts, also where the work cannot be divided.
  began = performance.now();
  waiting.take()?.();
  setImmediate(waiting.isEmpty ? endRound : serveOne);
}

const endRound = (): void => void (began = null);

/** True if others have waited long enough in this round. */
function isUsedUp(): boolean {
  const now = performance.now();
  if (began !== null) return now - began >= SLICE_MS;
  began = now;
  setImmediate(endRound);
  return false;
}

/**
 * Call it between the steps of work that may be long: it waits for the next round of the event loop when this one's
 * time is used up. Otherwise it returns undefined, at almost no cost.
 */
export const rest = (): Promise<void> | undefined => (isUsedUp() ? nextRound(workerNow()) : undefined);

/** The same for work of this person, whose chain of calls has not called here. */
export const restFor = (person: string): Promise<void> | undefined =>
  isUsedUp() ? nextRound(person) : undefined;

/** Runs steps, with rests between them. Returns a promise only if there was a rest: for work that is mostly short. */
export function runInSlices<T>(steps: Steps<T>): T | Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = rest();
    if (pause !== undefined) return pause.then(() => runInSlices(steps));
  }
}

/** The result for each item, in order; others are served between the items. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) {
    const pause = rest();
    // A promise for each of many short items would be a measurable cost.
    if (pause !== undefined) await pause;
    results.push(map(item, index));
  }
  return results;
}

const RUN = 1_000;

/** Sorts in slices between which others are served; the order of equal items is that in which they came. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    await rest();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await mergeInSlices(runs[index] as T[], runs[index + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists in slices; of equal items those of the first come first. */
export async function mergeInSlices<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  const merged: T[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isFirst = j === b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0);
    merged.push((isFirst ? a[i++] : b[j++]) as T);
    if (merged.length % RUN === 0) await rest();
  }
  return merged;
}

/**
 * Milliseconds of long work in one transaction, whose connection others may wait for (rule 11.9j): processor time where
 * the work has to be done there, time on the clock where it can be finished before the transaction is repeated.
 */
const MOST_HELD_MS = 200;

/** The limit of lasting work in a transaction that is repeated. */
const repeatedHold = new CallLocal<number>();

/**
 * Runs the transaction again after lasting work was cut off, with twice the time for each time before. Repeated in steps
 * of equal length, a transaction with much work would do almost all of it almost as often as there are steps.
 */
export const holdingLonger = <T>(times: number, work: () => Promise<T>): Promise<T> =>
  repeatedHold.run(MOST_HELD_MS * 2 ** times, work);

/** The beginning of the work in a transaction, and its processor time so far. */
const held = new WeakMap<Transaction, { since: number; spentMs: number }>();

/**
 * Work with a lasting result, cut off because its transaction holds a connection. The transaction is rolled back, the
 * work finished, and everything repeated (see `retried`).
 */
export class WorkHoldsConnection extends Error {
  constructor(readonly finish: () => Promise<unknown>) {
    super('long work holds a connection');
  }
}

/** Long work of one request, done in slices between which others are served. */
export class Slices {
  private spent = 0;

  /** @param mostMs the limit of its own work time, without waits for others or for the processor */
  constructor(private readonly mostMs: number) {}

  /** Milliseconds of its own work so far. */
  get spentMs(): number {
    return this.spent;
  }

  /** True when more than half of the time is gone: work that can return a partial result stops here. */
  get isHalfSpent(): boolean {
    return this.spent > this.mostMs / 2;
  }

  /**
   * Runs work step by step.
   * @param isLasting true if the work stores its result, so that it need not be done again
   * @throws SERVICE_UNAVAILABLE when it exceeds its time, also its time in a transaction, or its client has disconnected
   * meanwhile; never without limit
   */
  async run<T>(work: Iterator<unknown, T>, isLasting = false): Promise<T> {
    for (;;) {
      const pause = rest();
      await pause;
      if (pause !== undefined && this.isInVain) throw disconnected();
      const { value, isDone } = this.slice(work);
      if (isDone) return value;
      if (this.spent > this.mostMs) throw tooLong();
      const holding = holdingNow();
      if (holding === undefined) continue;
      if (isLasting && performance.now() - holding.since > (repeatedHold.getStore() ?? MOST_HELD_MS))
        throw new WorkHoldsConnection(() => this.run(work));
      if (!isLasting && this.mostMs !== Infinity && holding.spentMs > MOST_HELD_MS) throw tooLong();
    }
  }

  /**
   * Ends work that waits more than it computes, such as reading many rows; to be called between its parts.
   * @throws SERVICE_UNAVAILABLE if its client has disconnected
   */
  refuseInVain(): void {
    if (this.isInVain) throw disconnected();
  }

  /** True if nobody reads the result any longer. Work without a limit must be completed in any case. */
  private get isInVain(): boolean {
    return this.mostMs !== Infinity && requestContext.current().isLeft?.() === true;
  }

  /** Runs steps until the round's time is used up, or the work is done. */
  private slice<T>(work: Iterator<unknown, T>): { isDone: true; value: T } | { isDone: false; value: null } {
    const start = workTime();
    try {
      for (;;) {
        const step = work.next();
        if (step.done === true) return { isDone: true, value: step.value };
        if (isUsedUp()) return { isDone: false, value: null };
      }
    } finally {
      const end = workTime();
      const spentMs = Math.min(end.wall - start.wall, end.processor - start.processor);
      this.spent += spentMs;
      const holding = holdingNow();
      if (holding !== undefined) holding.spentMs += spentMs;
    }
  }
}

/**
 * The time in milliseconds, and the processor time of the process. On a machine with more to do than it can, a slice
 * takes longer than it works; with other threads at work, the process works longer than the slice takes.
 */
function workTime(): { wall: number; processor: number } {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), processor: (user + system) / 1000 };
}

/** The record of the transaction of this chain of calls; undefined where none has a connection. */
function holdingNow(): { since: number; spentMs: number } | undefined {
  const transaction = openTransaction.getStore();
  if (transaction?.isBegun !== true) return undefined;
  let holding = held.get(transaction);
  if (holding === undefined) held.set(transaction, (holding = { since: performance.now(), spentMs: 0 }));
  return holding;
}

export const tooLong = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'The transformations of the profile take too long for this much text; request less at a time',
  );

const disconnected = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The client disconnected before the answer was ready');
