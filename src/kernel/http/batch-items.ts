import { DomainError } from '../errors/domain-error.js';
import { isObject } from '../json-values.js';
import { isStorable } from '../storable.js';
import { bind } from './binding.js';

/** An item of a batch, bound by itself, so that what no item can hold is an error of this one only. */
export function boundItem<T extends object>(type: new () => T, item: unknown): T | DomainError {
  try {
    return bind(type, item);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error;
  }
}

/** By what an answer names an item, bound or not. It may be stored for an Idempotency-Key. */
export function nameOfItem(item: unknown, field: string): string | null {
  const given = isObject(item) ? item[field] : null;
  return typeof given === 'string' && isStorable(given) ? given : null;
}
