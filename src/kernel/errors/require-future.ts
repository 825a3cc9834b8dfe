import { DomainError } from './domain-error.js';

/**
 * Returns the time, or null for one without an end.
 * @throws VALIDATION_ERROR for the field unless the time is in the future
 */
export function requireFuture(field: string, time: Date | null, now: Date): Date | null {
  if (time !== null && time <= now) throw DomainError.validation(field, 'must be in the future');
  return time;
}
