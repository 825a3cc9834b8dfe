import { isObject, isSame } from '../../kernel/json/json-values.js';
import { pathName } from '../../kernel/path-names.js';
import { type JsonObject } from '../../graph/index.js';
import { type Delta, valueAt } from '../domain/deltas.js';
import { type ConflictPaths } from './conflict-paths.js';
import { type FieldDiffDto } from './proposal-review.dto.js';

/** Fields that are compared path by path: of a large object only a part changes. */
const BY_PATH = new Set(['metadata']);

export const fieldDiff = (
  field: string,
  before: unknown,
  after: unknown,
  conflict = false,
): FieldDiffDto => ({ field, before: before ?? null, after: after ?? null, conflict });

export const differing = (fields: readonly FieldDiffDto[]): FieldDiffDto[] =>
  fields.filter(({ before, after, conflict }) => conflict || !isSame(before, after));

/**
 * The difference of the expected state to the stored one: metadata by changed paths, every other field as a
 * whole.
 */
export function diffsOfDeltas(
  { shown, after }: { shown: JsonObject; after: JsonObject },
  deltas: readonly Delta[],
  conflicts: ConflictPaths,
): FieldDiffDto[] {
  const fields = new Map<string, FieldDiffDto>();
  for (const { path } of deltas) {
    const name = BY_PATH.has(path[0] as string) ? path : path.slice(0, 1);
    const field = pathName(name);
    const inConflict = name.length < 2 ? conflicts.concerns(field) : conflicts.has(field);
    fields.set(field, fieldDiff(field, valueAt(shown, name), valueAt(after, name), inConflict));
  }
  return [...fields.values()];
}

/** The leaves of a merge patch as paths with their values; null removes a path. */
export function pathsOfPatch(patch: unknown, path: readonly string[]): { path: string[]; value: unknown }[] {
  if (!isObject(patch) || Object.keys(patch).length === 0) return [{ path: [...path], value: patch }];
  return Object.entries(patch).flatMap(([key, value]) => pathsOfPatch(value, [...path, key]));
}
