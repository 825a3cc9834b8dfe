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

/** The comparisons of many rows that all requests of the process may have under way. */
const MOST_COMPARISONS = 4;

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
  private readonly comparisons = new FairPlaces(MOST_COMPARISONS, 1, {
    ms: PATIENCE_MS,
    refusal: tooManyComparisons,
  });

  /**
   * Runs work that holds up to this many rows. Never within a unit of work, which would wait with a connection.
   * @throws TOO_MUCH_UNDER_WAY when those before it do not end in time
   */
  async run<T>(rows: number, work: () => Promise<T>): Promise<T> {
    if (rows <= FREE) return work();
    return this.places.run(workerNow(), work, Math.min(rows, MOST_OF_ONE));
  }

  /**
   * Runs work of seconds about this many rows, of which it holds some MiB and no more: it has places of its own, so that
   * nothing that writes waits for it. Never within a unit of work.
   * @throws TOO_MUCH_UNDER_WAY when those before it do not end in time
   */
  async compare<T>(rows: number, work: () => Promise<T>): Promise<T> {
    if (rows <= FREE) return work();
    return this.comparisons.run(workerNow(), work);
  }
}

const tooMuch = (): DomainError =>
  new DomainError('TOO_MUCH_UNDER_WAY', 'Too many large changes are in progress; try again later', {
    limit: 'process',
    max_rows: MOST_HELD_ROWS,
  });

const tooManyComparisons = (): DomainError =>
  new DomainError('TOO_MUCH_UNDER_WAY', 'Too many large proposals are being compared; try again later', {
    limit: 'process',
    max_comparisons: MOST_COMPARISONS,
  });
