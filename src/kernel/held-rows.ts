import { Injectable } from '@nestjs/common';
import { DomainError } from './errors/domain-error.js';
import { workerNow } from './slices.js';
import { TurnQueue } from './turn-queue.js';

/** The stored rows with content that all requests of the process may hold together. */
export const MOST_HELD_ROWS = 200;

/** A request with more rows counts as this many: one person leaves room for others. */
const MOST_OF_ONE = MOST_HELD_ROWS / 2;

/** Requests with fewer rows are not counted: they hold no more than any page. */
const FREE = 10;

const PATIENCE_MS = 30_000;

interface Waiting {
  person: string;
  rows: number;
  /** True once it has been refused. */
  isRefused: boolean;
  enter: () => void;
}

/**
 * Bounds the memory of requests that load many rows at once to lock, compare or rewrite them: a row can have a MiB, and
 * several as values in memory. Requests beyond the bound wait before they take a connection; persons take turns, and each
 * has one such request at a time. The wait does not depend on the size of the rows: it tells nobody the size of what they are not shown
 * (rule 11.9i).
 */
@Injectable()
export class HeldRows {
  private free = MOST_HELD_ROWS;
  private readonly holding = new Set<string>();
  private readonly waiting = new TurnQueue<Waiting>();
  /** The request whose turn it is, until there is room for it. */
  private next: Waiting | undefined;

  /**
   * Runs work that holds up to this many rows. Never within a unit of work, which would wait with a connection.
   * @throws TOO_MUCH_UNDER_WAY when those before it do not end in time
   */
  async run<T>(rows: number, work: () => Promise<T>): Promise<T> {
    if (rows <= FREE) return work();
    const person = workerNow();
    const taken = Math.min(rows, MOST_OF_ONE);
    await this.enter(person, taken);
    try {
      return await work();
    } finally {
      this.free += taken;
      this.holding.delete(person);
      this.admit();
    }
  }

  private enter(person: string, rows: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        one.isRefused = true;
        this.admit();
        reject(tooMuch());
      }, PATIENCE_MS);
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const one: Waiting = { person, rows, isRefused: false, enter };
      this.waiting.add(person, one);
      this.admit();
    });
  }

  private admit(): void {
    for (;;) {
      while (this.next === undefined || this.next.isRefused) {
        this.next = this.waiting.take((person) => !this.holding.has(person));
        if (this.next === undefined) return;
      }
      if (this.next.rows > this.free) return;
      this.free -= this.next.rows;
      this.holding.add(this.next.person);
      this.next.enter();
      this.next = undefined;
    }
  }
}

const tooMuch = (): DomainError =>
  new DomainError('TOO_MUCH_UNDER_WAY', 'Too many large changes are in progress; try again later', {
    limit: 'process',
    max_rows: MOST_HELD_ROWS,
  });
