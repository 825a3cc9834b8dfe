import { codePoints } from '../../../kernel/text/code-points.js';
import { type FieldError } from '../../../kernel/errors/domain-error.js';
import { isId } from '../../../kernel/ids.js';
import { isObject } from '../../../kernel/json/json-values.js';

/** A requirement for a JSON value: the sentence for the caller, and the test. */
export interface Shape {
  readonly says: string;
  readonly fits: (value: unknown) => boolean;
  /** The shapes of an object's known keys; other keys are free. */
  readonly keys?: Readonly<Record<string, Shape>>;
}

const shape = (says: string, fits: (value: unknown) => boolean): Shape => ({ says, fits });

export const STRING = shape('must be a string', (value) => typeof value === 'string');
export const STRINGS = shape(
  'must be an array of strings',
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
);
export const BOOLEAN = shape('must be true or false', (value) => typeof value === 'boolean');
export const INTEGER = shape('must be an integer', (value) => Number.isSafeInteger(value));
export const NUMBER = shape('must be a number', (value) => Number.isFinite(value));
export const UUID = shape('must be a UUID', isId);
export const DATE = shape('must be a date (ISO 8601)', isDateText);

export const like = (pattern: RegExp, says: string): Shape =>
  shape(says, (value) => typeof value === 'string' && pattern.test(value));

export const oneOf = (...values: readonly string[]): Shape =>
  shape(`must be one of ${values.join(', ')}`, (value) => values.includes(value as string));

export const text = (min: number, max: number): Shape =>
  shape(`must be a string of ${min} to ${max} characters`, (value) => {
    if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return false;
    return value.length <= max || codePoints(value) <= max;
  });

export const between = (min: number, max: number): Shape =>
  shape(
    `must be a number from ${min} to ${max}`,
    (value) => typeof value === 'number' && value >= min && value <= max,
  );

export const object = (keys: Readonly<Record<string, Shape>> = {}): Shape => ({
  ...shape('must be an object', isObject),
  keys,
});

export const orNull = (inner: Shape): Shape => ({
  says: `${inner.says} or null`,
  fits: (value) => value === null || inner.fits(value),
  keys: inner.keys,
});

/** All violations in a value, by the path of the field. An absent key is never a violation. */
export function violations(value: unknown, expected: Shape, path: string): FieldError[] {
  if (!expected.fits(value)) return [{ field: path, message: expected.says }];
  if (expected.keys === undefined || !isObject(value)) return [];
  const errors: FieldError[] = [];
  for (const key in expected.keys) {
    if (!Object.hasOwn(value, key)) continue;
    const inner = expected.keys[key] as Shape;
    errors.push(...violations(value[key], inner, path === '' ? key : `${path}.${key}`));
  }
  return errors;
}

const DATE_TEXT =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

/**
 * True for ISO 8601 calendar dates, also of reduced precision (2014, 2014-05), and date-times; only for
 * days that exist.
 */
function isDateText(value: unknown): boolean {
  const parts = typeof value === 'string' ? DATE_TEXT.exec(value) : null;
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)];
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  );
}
