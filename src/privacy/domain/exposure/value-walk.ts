import { createHash } from 'node:crypto';
import { isObject } from '../../../kernel/json/json-values.js';
import { isEndOfStep, type Steps } from '../../../kernel/slices.js';
import { type Selection } from './field-path.js';
import { REMOVED } from './leaves.js';
import { type ValueChange } from './value-change.js';

/** A place in a node: what each set of paths makes of it, the keys that lead to it, how many levels down it is. */
interface ValuePosition {
  change: ValueChange;
  selections: readonly Selection[];
  keys: readonly string[];
  depth: number;
  /** The thing and the keys and positions in it, for a change that is `placed`; else empty. */
  at: string;
}

/** The longest place that is not digested: under a long key each of many values would take as long as the key. */
const LONGEST_PLACE = 256;

/** The place of a key or position. No two ways through a value have one place, whatever their keys contain. */
function placeBelow({ change, at }: Pick<ValuePosition, 'change' | 'at'>, segment: string | number): string {
  if (change.placed === undefined) return '';
  const place = `${at}/${String(segment).length}:${segment}`;
  return place.length > LONGEST_PLACE ? createHash('sha256').update(place).digest('hex') : place;
}

/** The depth beyond that of any stored node (rule 4.13). Deeper values are neither examined nor shown. */
const DEEPEST = 64;

type Container = unknown[] | Record<string, unknown>;

/** The thing of which a value is shown, and the way to the value. */
export interface Origin {
  path: readonly string[];
  id: string;
}

/** The value of a thing with a change of its selected parts, or {@link REMOVED}, in steps between which others can work. */
export function* walked(
  { change, selections }: Pick<ValuePosition, 'change' | 'selections'>,
  { path, id }: Origin,
  value: unknown,
): Steps<unknown> {
  const keys = path.slice(1);
  if (keys.length > 0 && change.hidesKey?.(keys.join('.'))) return REMOVED;
  const at = path.reduce((above, segment) => placeBelow({ change, at: above }, segment), id);
  const place = { change, selections, keys, depth: keys.length, at };
  return isContainer(value) ? yield* changing(value, place) : changedLeaf(value, place);
}

function* changing(value: Container, place: ValuePosition): Steps<unknown> {
  const { change, selections, depth } = place;
  if (selections.some((selection) => selection.isEmpty)) return value;
  if (change.whole && selections.every((selection) => selection.isInside)) return change.whole(value);
  if (depth > DEEPEST) return null;
  yield undefined;
  return Array.isArray(value) ? yield* changingElements(value, place) : yield* changingEntries(value, place);
}

function changedLeaf(value: unknown, { change, selections, keys, depth, at }: ValuePosition): unknown {
  if (selections.some((selection) => selection.isEmpty)) return value;
  const isSelected = selections.every((selection) => selection.isInside);
  if (isSelected && change.whole) return change.whole(value);
  if (depth > DEEPEST) return null;
  if (!isSelected) return value;
  if (change.placed) return change.placed(value, at);
  return change.leaf(
    value,
    keys,
    selections.some((selection) => selection.isNamed),
  );
}

function* changingElements(elements: readonly unknown[], place: ValuePosition): Steps<unknown[]> {
  const selections = place.selections.map((selection) => selection.element());
  const below = { ...place, selections, depth: place.depth + 1 };
  const isPlaced = place.change.placed !== undefined;
  const shown: unknown[] = [];
  for (const [index, element] of elements.entries()) {
    if (isEndOfStep(index)) yield undefined;
    const there = isPlaced ? { ...below, at: placeBelow(place, index) } : below;
    const changed = isContainer(element) ? yield* changing(element, there) : changedLeaf(element, there);
    // The other elements keep their positions; otherwise a value that is written back could not be matched.
    shown.push(changed === REMOVED ? null : changed);
  }
  return shown;
}

function* changingEntries(value: Record<string, unknown>, place: ValuePosition): Steps<unknown> {
  const { change, keys, depth } = place;
  const shown: [string, unknown][] = [];
  for (const [index, [key, part]] of Object.entries(value).entries()) {
    if (isEndOfStep(index)) yield undefined;
    const selections = place.selections.map((selection) => selection.key(key));
    if (change.hidesKey && selections.every(({ isInside }) => isInside) && change.hidesKey(key)) continue;
    const at = placeBelow(place, key);
    const below = { change, selections, keys: [...keys, key], depth: depth + 1, at };
    const changed = isContainer(part) ? yield* changing(part, below) : changedLeaf(part, below);
    if (changed !== REMOVED) shown.push([key, changed]);
  }
  // Assignment would fail here: a key may be called __proto__.
  return Object.fromEntries(shown);
}

const isContainer = (value: unknown): value is Container => Array.isArray(value) || isObject(value);
