import { canonicalText, isObject, isSame } from '../../../kernel/json/json-values.js';
import { atOnce, isEndOfStep, type Steps } from '../../../kernel/slices.js';

/** A place in a node, and the parts strictly below it that rules could remove: see {@link restored}. */
export interface HiddenBelow {
  /** True if the rules could remove a part of some object at this place, for any stored value. */
  readonly isPossible: boolean;
  /** The place of a key, or of an array's elements. */
  at(step: string | typeof ELEMENT): HiddenBelow;
}

export const ELEMENT: unique symbol = Symbol('element');

export const NOTHING_HIDDEN: HiddenBelow = { isPossible: false, at: () => NOTHING_HIDDEN };

/**
 * The value that a caller means who was shown `shown` for `original` and writes `written` (rule 3.17). Parts
 * equal to the shown value keep their original, at every depth; keys that were not shown survive; the rest is
 * as written. Clearing (a key left out, null, an empty array) clears what was shown: a value that was not
 * shown stays, and so does everything hidden below an object.
 * @param below the place of the value: an object that was shown stays, emptied, where the rules could hide a
 *   part of it, because its staying must not reveal a hidden part
 * @param original may have changed since it was shown: what it has lost since stays away
 */
export function* restoring(
  original: unknown,
  shown: unknown,
  written: unknown,
  below: HiddenBelow = NOTHING_HIDDEN,
): Steps<unknown> {
  if (shown !== undefined && isSame(shown, written)) return original;
  if (written === null) return yield* clearing(original, shown, below);
  if (isObject(written) && (isObject(shown) || (shown === undefined && isObject(original)))) {
    return yield* restoringObject(
      { original: isObject(original) ? original : {}, shown: shown ?? {}, written },
      below,
    );
  }
  if (Array.isArray(written) && Array.isArray(original)) {
    if (Array.isArray(shown) && shown.length === original.length)
      return yield* restoringArray({ original, shown, written }, below);
    if (shown === undefined && written.length === 0) return original as unknown[];
  }
  return written;
}

/** The outcome of {@link restoring} in one piece, for short values. */
export const restored = (...values: Parameters<typeof restoring>): unknown => atOnce(restoring(...values));

type Values = Record<string, unknown>;

/** A value as it was shown and as it is written. */
interface RoundTrip<T> {
  original: T;
  shown: T;
  written: T;
}

function* clearing(original: unknown, shown: unknown, below: HiddenBelow): Steps<unknown> {
  return (shown === undefined ? original : yield* hidingBelow(original, shown, below)) ?? null;
}

function* restoringObject(
  { original, shown, written }: RoundTrip<Values>,
  below: HiddenBelow,
): Steps<Values> {
  const result: [string, unknown][] = [];
  for (const [index, key] of Object.keys(original).entries()) {
    if (isEndOfStep(index)) yield undefined;
    const known = Object.hasOwn(shown, key) ? shown[key] : undefined;
    if (Object.hasOwn(written, key)) {
      result.push([key, yield* restoring(original[key], known, written[key], below.at(key))]);
    } else {
      const hidden =
        known === undefined ? original[key] : yield* hidingBelow(original[key], known, below.at(key));
      if (hidden !== undefined) result.push([key, hidden]);
    }
  }
  for (const key of Object.keys(written)) {
    if (Object.hasOwn(original, key)) continue;
    const known = Object.hasOwn(shown, key) ? shown[key] : undefined;
    const value = yield* restoring(undefined, known, written[key], below.at(key));
    if (value !== undefined) result.push([key, value]);
  }
  return Object.fromEntries(result);
}

/**
 * The keys of an object that were not shown, in their positions; undefined when there are none, nor could be.
 */
function* hidingBelow(original: unknown, shown: unknown, below: HiddenBelow): Steps<Values | undefined> {
  if (!isObject(original) || !isObject(shown)) return undefined;
  const hidden: [string, unknown][] = [];
  for (const [index, key] of Object.keys(original).entries()) {
    if (isEndOfStep(index)) yield undefined;
    const rest = Object.hasOwn(shown, key)
      ? yield* hidingBelow(original[key], shown[key], below.at(key))
      : original[key];
    if (rest !== undefined) hidden.push([key, rest]);
  }
  return hidden.length > 0 || below.isPossible ? Object.fromEntries(hidden) : undefined;
}

/** The mark in {@link ownParts} of a value that is written as it was shown. */
const AS_SHOWN: unique symbol = Symbol('as shown');

/**
 * The written value without the parts that {@link restoring} takes for unchanged: the writer's own words.
 * Depends on nothing that is hidden from the writer.
 */
export function* ownParts(shown: unknown, written: unknown): Steps<unknown> {
  return yield* restoring(yield* withoutLeaves(shown), shown, written);
}

function* withoutLeaves(shown: unknown): Steps<unknown> {
  if (typeof shown !== 'object' || shown === null || shown instanceof Date) return AS_SHOWN;
  const parts: [string, unknown][] = [];
  for (const [index, [key, part]] of Object.entries(shown).entries()) {
    if (isEndOfStep(index)) yield undefined;
    parts.push([key, yield* withoutLeaves(part)]);
  }
  return Array.isArray(shown) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}

/**
 * Restores an array. Elements are matched by their shown form: those written as shown keep their originals at
 * any position. The others are paired in order where equally many were shown and written between two matched
 * ones, or, where elements have changed places, if one of each is left; otherwise they are ambiguous and
 * taken as written.
 */
function* restoringArray(
  { original, shown, written }: RoundTrip<readonly unknown[]>,
  below: HiddenBelow,
): Steps<unknown[]> {
  const places = yield* pairedPlaces(shown, written);
  const result: unknown[] = [];
  for (const [index, element] of written.entries()) {
    if (isEndOfStep(index)) yield undefined;
    const place = places.get(index);
    result.push(
      place === undefined
        ? element
        : yield* restoring(original[place], shown[place], element, below.at(ELEMENT)),
    );
  }
  return result;
}

/** The position among the shown elements of each written one that has one. */
function* pairedPlaces(
  shown: readonly unknown[],
  written: readonly unknown[],
): Steps<ReadonlyMap<number, number>> {
  const inOrder = yield* pairsInOrder(shown, written);
  const moved = yield* movedPairs(shown, written, inOrder);
  const changed = moved.length === 0 ? gapPairs(shown.length, written.length, inOrder) : [];
  const places = new Map([...inOrder, ...moved, ...changed].map(([place, index]) => [index, place]));
  if (moved.length > 0) pairLast(shown.length, written.length, places);
  return places;
}

/** A position among the shown elements, and one among the written. */
type Pair = readonly [number, number];

/** Equal elements that are not paired yet: they have changed places. */
function* movedPairs(
  shown: readonly unknown[],
  written: readonly unknown[],
  inOrder: readonly Pair[],
): Steps<Pair[]> {
  const taken = new Set(inOrder.map(([place]) => place));
  const known = new Set(inOrder.map(([, index]) => index));
  if (taken.size === shown.length || known.size === written.length) return [];
  const places = yield* placesByText(shown, (place) => !taken.has(place));
  const moved: Pair[] = [];
  for (const [index, element] of written.entries()) {
    if (isEndOfStep(index)) yield undefined;
    if (known.has(index)) continue;
    const place = places.get(canonicalText(element))?.pop();
    if (place !== undefined) moved.push([place, index]);
  }
  return moved;
}

/** Pairs the elements between two matched ones in order, if none was added or removed. */
function gapPairs(shown: number, written: number, inOrder: readonly Pair[]): Pair[] {
  const found: Pair[] = [];
  let [from, writtenFrom] = [0, 0];
  for (const [place, index] of [...inOrder, [shown, written] as const]) {
    const isAlike = place - from === index - writtenFrom;
    for (let step = 0; isAlike && from + step < place; step += 1)
      found.push([from + step, writtenFrom + step]);
    [from, writtenFrom] = [place + 1, index + 1];
  }
  return found;
}

/** Pairs the one remaining shown element with the one remaining written element, if there is one of each. */
function pairLast(shown: number, written: number, places: Map<number, number>): void {
  if (places.size !== shown - 1 || places.size !== written - 1) return;
  const taken = new Set(places.values());
  const isFree = (_: unknown, place: number) => !taken.has(place);
  const place = Array.from({ length: shown }).findIndex(isFree);
  const index = Array.from({ length: written }).findIndex((_, index) => !places.has(index));
  places.set(index, place);
}

/** The positions of equal elements, the last one first: so that the earliest is popped. */
function* placesByText(
  elements: readonly unknown[],
  isWanted: (place: number) => boolean = () => true,
): Steps<Map<string, number[]>> {
  const places = new Map<string, number[]>();
  for (let place = elements.length - 1; place >= 0; place -= 1) {
    if (isEndOfStep(place)) yield undefined;
    if (!isWanted(place)) continue;
    const text = canonicalText(elements[place]);
    const known = places.get(text);
    if (known) known.push(place);
    else places.set(text, [place]);
  }
  return places;
}

/**
 * Equal elements of the two, in the order of both: first those at the same position, from either end, then
 * the next equal ones.
 */
function* pairsInOrder(shown: readonly unknown[], written: readonly unknown[]): Steps<Pair[]> {
  const most = Math.min(shown.length, written.length);
  const found: Pair[] = [];
  let front = 0;
  while (front < most && isSame(shown[front], written[front])) {
    if (isEndOfStep(front)) yield undefined;
    found.push([front, front++]);
  }
  let back = 0;
  while (back < most - front && isSame(shown.at(-1 - back), written.at(-1 - back))) {
    if (isEndOfStep(back)) yield undefined;
    back += 1;
  }
  const middle = yield* middlePairs(
    shown.slice(front, shown.length - back),
    written.slice(front, written.length - back),
  );
  for (const [place, index] of middle) found.push([place + front, index + front]);
  for (let left = back; left > 0; left -= 1) found.push([shown.length - left, written.length - left]);
  return found;
}

function* middlePairs(shown: readonly unknown[], written: readonly unknown[]): Steps<Pair[]> {
  const found: Pair[] = [];
  // Every position is taken or passed once, so the work is linear.
  const places = shown.length === written.length ? null : yield* placesByText(shown);
  let next = 0;
  for (const [index, value] of written.entries()) {
    if (isEndOfStep(index)) yield undefined;
    if (places === null) {
      if (isSame(shown[index], value)) found.push([index, index]);
      continue;
    }
    const known = places.get(canonicalText(value));
    while (known && known.length > 0 && known.at(-1)! < next) known.pop();
    const place = known?.pop();
    if (place === undefined) continue;
    found.push([place, index]);
    next = place + 1;
  }
  return found;
}

/** The parts that at least one of these hides. */
export function eitherHidden(all: readonly HiddenBelow[]): HiddenBelow {
  const possible = all.filter(({ isPossible }) => isPossible);
  return possible.length === 0
    ? NOTHING_HIDDEN
    : { isPossible: true, at: (step) => eitherHidden(possible.map((one) => one.at(step))) };
}
