import { canonicalText, isObject, isSame } from '../../../kernel/json-values.js';

/**
 * What a caller means who was shown `shown` for `original` and writes `written` (decisions 3.17). What is equal to
 * what was shown keeps its original, at every depth; keys that were not shown survive; the rest is as written.
 * A key that was shown and is not written is taken away, but for what was hidden below it.
 */
export function restored(original: unknown, shown: unknown, written: unknown): unknown {
  if (shown !== undefined && isSame(shown, written)) return original;
  if (isObject(written) && isObject(original) && (isObject(shown) || shown === undefined)) {
    return restoredObject(original, shown ?? {}, written);
  }
  if (Array.isArray(written) && Array.isArray(original) && Array.isArray(shown)) {
    return restoredArray(original, shown, written);
  }
  return written;
}

type Values = Record<string, unknown>;

function restoredObject(original: Values, shown: Values, written: Values): Values {
  const result: [string, unknown][] = [];
  for (const key of Object.keys(original)) {
    if (!Object.hasOwn(written, key)) {
      const hidden = Object.hasOwn(shown, key) ? hiddenBelow(original[key], shown[key]) : original[key];
      if (hidden !== undefined) result.push([key, hidden]);
    } else {
      const known = Object.hasOwn(shown, key) ? shown[key] : undefined;
      result.push([key, restored(original[key], known, written[key])]);
    }
  }
  for (const key of Object.keys(written)) if (!Object.hasOwn(original, key)) result.push([key, written[key]]);
  return Object.fromEntries(result);
}

/** The keys of a value that were not shown, in their places; undefined when all were. */
function hiddenBelow(original: unknown, shown: unknown): unknown {
  if (!isObject(original) || !isObject(shown)) return undefined;
  const hidden: [string, unknown][] = [];
  for (const key of Object.keys(original)) {
    const below = Object.hasOwn(shown, key) ? hiddenBelow(original[key], shown[key]) : original[key];
    if (below !== undefined) hidden.push([key, below]);
  }
  return hidden.length > 0 ? Object.fromEntries(hidden) : undefined;
}

/**
 * Elements are known by what was shown of them: those written as shown, in the order shown, keep their originals,
 * wherever they now stand. Between two of them elements belong together one by one only when none was added or
 * taken away there; otherwise nobody can tell which one was meant, and they are as written.
 */
function restoredArray(
  original: readonly unknown[],
  shown: readonly unknown[],
  written: readonly unknown[],
): unknown[] {
  const result: unknown[] = [];
  let from = 0;
  let writtenFrom = 0;
  const restoreGap = (to: number, writtenTo: number): void => {
    const alike = to - from === writtenTo - writtenFrom;
    for (let index = writtenFrom; index < writtenTo; index += 1) {
      const place = from + index - writtenFrom;
      result.push(alike ? restored(original[place], shown[place], written[index]) : written[index]);
    }
  };
  for (const [place, writtenPlace] of pairs(shown, written)) {
    restoreGap(place, writtenPlace);
    result.push(original[place]);
    [from, writtenFrom] = [place + 1, writtenPlace + 1];
  }
  restoreGap(shown.length, written.length);
  return result;
}

/** Equal elements of the two, in the order of both: first those at the same place, from either end, then the next equal ones. */
function* pairs(shown: readonly unknown[], written: readonly unknown[]): Generator<[number, number]> {
  const most = Math.min(shown.length, written.length);
  let front = 0;
  while (front < most && isSame(shown[front], written[front])) yield [front, front++];
  let back = 0;
  while (back < most - front && isSame(shown.at(-1 - back), written.at(-1 - back))) back += 1;
  yield* middlePairs(
    shown.slice(front, shown.length - back),
    written.slice(front, written.length - back),
    front,
  );
  for (let left = back; left > 0; left -= 1) yield [shown.length - left, written.length - left];
}

function* middlePairs(
  shown: readonly unknown[],
  written: readonly unknown[],
  offset: number,
): Generator<[number, number]> {
  if (shown.length === written.length) {
    for (let index = 0; index < shown.length; index += 1) {
      if (isSame(shown[index], written[index])) yield [index + offset, index + offset];
    }
    return;
  }
  const places = new Map<string, number[]>();
  for (const [index, value] of shown.entries()) {
    const text = canonicalText(value);
    const known = places.get(text);
    if (known) known.push(index);
    else places.set(text, [index]);
  }
  // every place is taken or passed once: the last of each list is the earliest
  for (const known of places.values()) known.reverse();
  let next = 0;
  for (const [index, value] of written.entries()) {
    const known = places.get(canonicalText(value));
    while (known && known.length > 0 && known.at(-1)! < next) known.pop();
    const place = known?.pop();
    if (place === undefined) continue;
    yield [place + offset, index + offset];
    next = place + 1;
  }
}
