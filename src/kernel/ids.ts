import { randomUUID } from 'node:crypto';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * UUID v4 (RFC 9562, 5.4). Not v7: its first 48 bits are the millisecond of creation, which a profile may round or
 * hide (decisions 3.15); an id must not tell what its record does not.
 */
export function newId(): string {
  return randomUUID();
}

/** Whether a value from outside can name anything at all; what is no UUID reads as absent (decisions 11). */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && shape.test(value);
}
