import { DomainError } from '../../errors/domain-error.js';
import { isObject } from '../../json/json-values.js';
import { isStorable } from '../../storable.js';
import { bind } from './binding.js';
import { nameIgnored } from './ignored-fields.js';

/**
 * Binds an item of a batch by itself, so that an invalid item fails alone.
 * @param at its path in the body, to name what is ignored of it
 */
export function boundItem<T extends object>(type: new () => T, item: unknown, at: string): T | DomainError {
  try {
    nameIgnored(type, item, at);
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
