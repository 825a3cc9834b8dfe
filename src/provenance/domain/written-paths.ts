import { type Change } from '../../kernel/changes/change-log.js';
import { isObject, isSame } from '../../kernel/json-values.js';

/** What one change did to a node's contents, by path. */
export interface WrittenPaths {
  /** Values that came or changed. */
  written: string[];
  /** Values that are gone, whatever has come in their place. */
  gone: string[];
}

/**
 * What can be contributed. Tags are not content (history tells of them), nor is what an agent says of itself.
 * `graph_view` never leaves the service.
 */
const PLAIN_FIELDS = [
  'title',
  'value',
  'node_type',
  'meaning_level',
  'importance_score',
  'schema_id',
] as const;
export const CONTRIBUTED_FIELDS: readonly string[] = [...PLAIN_FIELDS, 'metadata'];

/** A change that writes more values than this is told by the entries of `metadata`, or as `metadata` alone. */
const MOST_LEAVES = 500;
/** Longer paths end where they pass it: what lies below is one value. */
const LONGEST_PATH = 400;

/** Steps that change no content have none. */
export function writtenPaths({ action, changedFields, snapshot }: Change): WrittenPaths {
  if (action === 'created')
    return { written: [...valuesOf(snapshot as Record<string, unknown>).keys()], gone: [] };
  if (changedFields === null || changedFields === undefined) return { written: [], gone: [] };
  const before = valuesOf(sideOf(changedFields, 'old'));
  const after = valuesOf(sideOf(changedFields, 'new'));
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

/** Values by path; what is null is nothing. */
function valuesOf(state: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const field of PLAIN_FIELDS) {
    const value = state[field];
    if (value !== null && value !== undefined) values.set(field, value);
  }
  const { metadata } = state;
  if (metadata === null || metadata === undefined) return values;
  for (const [path, value] of metadataLeaves(metadata)) values.set(path, value);
  return values;
}

function metadataLeaves(metadata: unknown): ReadonlyMap<string, unknown> {
  for (const depth of [Infinity, 1]) {
    const leaves = leavesOf(metadata, depth);
    if (leaves.size <= MOST_LEAVES) return leaves;
  }
  return new Map([['metadata', metadata]]);
}

/**
 * Leaves of the metadata. A list is one, and so is an object of which a key would make paths that can be read in two
 * ways: with a dot in it, a profile's rule for one path could miss the other.
 */
function leavesOf(metadata: unknown, depth: number): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const add = (value: unknown, path: string, levels: number): void => {
    const keys = levels > 0 && isObject(value) ? Object.keys(value) : [];
    const isPlain = (key: string) =>
      key !== '' && !key.includes('.') && path.length + key.length < LONGEST_PATH;
    if (keys.length === 0 || !keys.every(isPlain)) {
      if (value !== null) leaves.set(path, value);
      return;
    }
    for (const key of keys) add((value as Record<string, unknown>)[key], `${path}.${key}`, levels - 1);
  };
  add(metadata, 'metadata', depth);
  return leaves;
}
