import { DomainError } from '../../errors/domain-error.js';
import { isObject } from '../../json/json-values.js';
import { isStorable } from '../../storable.js';
import { bind } from './binding.js';

/** Binds an item of a batch by itself, so that an invalid item fails alone. */
export function boundItem<T extends object>(type: new () => T, item: unknown): T | DomainError {
  try {
    return bind(type, item);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error;
  }
}

/**
 * The name by which an answer identifies an item, bound or not; null if it could not be stored for an Idempotency-Key.
 */
export function nameOfItem(item: unknown, field: string): string | null {
  const given = isObject(item) ? item[field] : null;
  return typeof given === 'string' && isStorable(given) ? given : null;
}
