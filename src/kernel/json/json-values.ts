import { atOnce, isEndOfStep, type Steps } from '../slices.js';

/** True for a value of parsed JSON that holds others by key. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Equality of JSON values, whatever the order of their keys. Dates are equal if they are the same instant. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((value, index) => isSame(value, other[index]));
  }
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

/** A text that is equal for equal JSON values, and only for those. */
export const canonicalText = (value: unknown): string => atOnce(canonicalSteps(value));

/** The steps of {@link canonicalText}, for values that may be long. */
export function* canonicalSteps(value: unknown): Steps<string> {
  if (value === undefined) return 'undefined';
  if (!Array.isArray(value) && !isObject(value)) return JSON.stringify(value);
  const parts: string[] = [];
  const isList = Array.isArray(value);
  const keys = isList ? value.keys() : canonicalKeys(value);
  for (const key of keys) {
    if (isEndOfStep(parts.length)) yield undefined;
    const part = (value as Readonly<Record<string | number, unknown>>)[key];
    if (part === undefined && !isList) continue;
    const isLeaf = typeof part !== 'object' || part === null;
    const text = isLeaf ? JSON.stringify(part ?? null) : yield* canonicalSteps(part);
    parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
}

/** The keys in an order that is equal for equal objects: first the integers, which engines hold in order. */
function canonicalKeys(object: object): string[] {
  const keys = Object.keys(object);
  const first = keys.findIndex((key) => !isArrayIndex(key));
  return first === -1 ? keys : [...keys.slice(0, first), ...keys.slice(first).sort()];
}

const isArrayIndex = (key: string): boolean => /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

/** The object reduced to the keys that it shares with the list. */
export const picked = (
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
