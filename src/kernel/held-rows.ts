import { Injectable } from '@nestjs/common';
import { DomainError } from './errors/domain-error.js';

/** The stored rows with content that all requests of the process may hold together; one request has at most as many. */
export const MOST_HELD_ROWS = 200;

/** Requests with fewer rows are not counted: they hold no more than any page. */
const FREE = 10;

const PATIENCE_MS = 30_000;

interface Waiting {
  rows: number;
  enter: () => void;
}

/**
 * Bounds the memory of requests that load many rows at once to lock, compare or rewrite them: a row can have a MiB, and
 * several as values in memory. Requests beyond the bound wait in the order in which they came, before they take a
 * connection, whatever their rows hold: the wait tells nobody the size of what they are not shown.
 */
@Injectable()
export class HeldRows {
  private free = MOST_HELD_ROWS;
  private readonly waiting = new Set<Waiting>();

  /**
   * Runs work that holds up to this many rows. Never within a unit of work, which would wait with a connection.
   * @throws TOO_MUCH_UNDER_WAY when those before it do not end in time
   */
  async run<T>(rows: number, work: () => Promise<T>): Promise<T> {
    if (rows <= FREE) return work();
    const taken = Math.min(rows, MOST_HELD_ROWS);
    if (this.waiting.size > 0 || taken > this.free) await this.wait(taken);
    else this.free -= taken;
    try {
      return await work();
    } finally {
      this.free += taken;
      this.admit();
    }
  }

  private wait(rows: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        rows,
        enter: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.delete(one);
        this.admit();
        reject(tooMuch());
      }, PATIENCE_MS);
      this.waiting.add(one);
    });
  }

  private admit(): void {
    for (const one of this.waiting) {
      if (one.rows > this.free) return;
      this.waiting.delete(one);
      this.free -= one.rows;
      one.enter();
    }
  }
}

const tooMuch = (): DomainError =>
  new DomainError('TOO_MUCH_UNDER_WAY', 'Too many large changes are in progress; try again later', {
    limit: 'process',
    max_rows: MOST_HELD_ROWS,
  });
