import { Injectable } from '@nestjs/common';
import { DomainError } from './errors/domain-error.js';
import { FairPlaces } from './fair-places.js';
import { workerNow } from './slices.js';

/** The stored rows with content that all requests of the process may hold together. */
export const MOST_HELD_ROWS = 200;

/** A request with more rows counts as this many: one person leaves room for others. */
const MOST_OF_ONE = MOST_HELD_ROWS / 2;

/** Requests with fewer rows are not counted: they hold no more than any page. */
const FREE = 10;

const PATIENCE_MS = 30_000;

/**
 * Bounds the memory of requests that load many rows at once to lock, compare or rewrite them: a row can have a MiB, and
 * several as values in memory. Requests beyond the bound wait before they take a connection; persons take turns, and each
 * has one such request at a time. The wait does not depend on the size of the rows: it tells nobody the size of what they
 * are not shown (rule 11.9i).
 */
@Injectable()
export class HeldRows {
  private readonly places = new FairPlaces(MOST_HELD_ROWS, 1, { ms: PATIENCE_MS, refusal: tooMuch });

  /**
   * Runs work that holds up to this many rows. Never within a unit of work, which would wait with a connection.
   * @throws TOO_MUCH_UNDER_WAY when those before it do not end in time
   */
  async run<T>(rows: number, work: () => Promise<T>): Promise<T> {
    if (rows <= FREE) return work();
    return this.places.run(workerNow(), work, Math.min(rows, MOST_OF_ONE));
  }
}

const tooMuch = (): DomainError =>
  new DomainError('TOO_MUCH_UNDER_WAY', 'Too many large changes are in progress; try again later', {
    limit: 'process',
    max_rows: MOST_HELD_ROWS,
  });
