import { v7 } from 'uuid';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** UUID v7 (RFC 9562, 5.7): grows with time, so that primary keys are written at the end of their index. */
export function newId(): string {
  return v7();
}

/** Whether a value from outside can name anything at all; what is no UUID reads as absent (decisions 11). */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && shape.test(value);
}
