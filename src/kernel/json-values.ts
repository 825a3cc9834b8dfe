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
export function canonicalText(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
    ) ?? 'undefined'
  );
}

/** The object reduced to the keys that it shares with the list. */
export const picked = (
  object: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
