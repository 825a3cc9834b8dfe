import { CallerPlaces } from '../../../kernel/caller-places.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { workerNow } from '../../../kernel/slices.js';

/** The number of questions that are decided at a time for one caller, and the time for which further ones wait. */
const DECIDED_AT_ONCE = 3;
const PATIENCE_MS = 10_000;
const deciding = new CallerPlaces(DECIDED_AT_ONCE, PATIENCE_MS, (max_masked_searches) => {
  const message =
    'Too many of your searches over masked values are in progress; try again when one has ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'caller', max_masked_searches });
});

/**
 * Decides a question about masked values in one of the caller's places. Never within a unit of work, which would wait with
 * a connection.
 * @throws TOO_MUCH_UNDER_WAY when other questions of the caller are not decided in time (rule 3.15e)
 */
export const inMaskedPlace = <T>(decide: () => Promise<T>): Promise<T> => deciding.run(workerNow(), decide);
