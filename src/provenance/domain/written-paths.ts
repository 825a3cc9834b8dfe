import { type Change } from '../../kernel/change-log/change.js';
import { NODE_FIELD_NAMES, termsOf } from '../../graph/index.js';
import { isObject, isSame } from '../../kernel/json/json-values.js';

/** The effect of one change on a node's contents, by path. */
export interface WrittenPaths {
  /** Paths whose value is new or changed. */
  written: string[];
  /** Paths whose value is gone, even if another one replaced it. */
  gone: string[];
}

/**
 * Fields that can be contributed. Tags are not content (history shows them), and neither is what an agent writes about
 * itself. `graph_view` never leaves the service.
 */
const PLAIN_FIELDS: readonly string[] = NODE_FIELD_NAMES.filter((field) => {
  const { column, isContent } = termsOf(field);
  return isContent && column !== 'jsonb';
});
export const CONTRIBUTED_FIELDS: readonly string[] = [...PLAIN_FIELDS, 'metadata'];

/** The number of values above which a change is recorded by the entries of `metadata`, or as `metadata` alone. */
const MOST_LEAVES = 500;
/** The length at which paths end: everything below is one value. */
const LONGEST_PATH = 400;

/** Steps that change no content have no paths. */
export function writtenPaths({ action, changedFields, snapshot }: Change): WrittenPaths {
  if (action === 'created')
    return { written: valuesOf(snapshot as Record<string, unknown>).map(([path]) => path), gone: [] };
  if (changedFields === null || changedFields === undefined) return { written: [], gone: [] };
  const before = new Map(valuesOf(sideOf(changedFields, 'old')));
  const after = new Map(valuesOf(sideOf(changedFields, 'new')));
  const written = [...after].flatMap(([path, value]) => {
    const isKept = before.has(path) && isSame(before.get(path), value);
    return isKept ? [] : [path];
  });
  return { written, gone: [...before.keys()].filter((path) => !after.has(path)) };
}

const sideOf = (
  changed: NonNullable<Change['changedFields']>,
  side: 'old' | 'new',
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(changed).map(([field, change]) => [field, change[side]]));

type Value = readonly [path: string, value: unknown];

/** Null counts as no value. */
function valuesOf(state: Readonly<Record<string, unknown>>): Value[] {
  const values: Value[] = [];
  for (const field of PLAIN_FIELDS) {
    const value = state[field];
    if (value !== null && value !== undefined) values.push([field, value]);
  }
  const { metadata } = state;
  if (metadata === null || metadata === undefined) return values;
  values.push(...metadataLeaves(metadata));
  return values;
}

function metadataLeaves(metadata: unknown): Value[] {
  for (const depth of [Infinity, 1]) {
    const leaves = leavesOf(metadata, depth);
    if (leaves !== null) return leaves;
  }
  return [['metadata', metadata]];
}

/**
 * The leaves of the metadata; null if there are more than are recorded. A list is one, and so is an object with a key that would make paths ambiguous: with a dot in
 * it, a profile's rule for one path could miss the other.
 */
function leavesOf(metadata: unknown, depth: number): Value[] | null {
  const leaves: Value[] = [];
  /** Returns false once there are too many. */
  const add = (value: unknown, path: string, levels: number): boolean => {
    const keys = levels > 0 && isObject(value) ? Object.keys(value) : [];
    if (keys.length === 0 || !arePlain(keys, path)) {
      if (value !== null) leaves.push([path, value]);
      return leaves.length <= MOST_LEAVES;
    }
    const members = value as Record<string, unknown>;
    return keys.every((key) => add(members[key], `${path}.${key}`, levels - 1));
  };
  return add(metadata, 'metadata', depth) ? leaves : null;
}

function arePlain(keys: readonly string[], path: string): boolean {
  for (const key of keys)
    if (key === '' || key.includes('.') || path.length + key.length >= LONGEST_PATH) return false;
  return true;
}
