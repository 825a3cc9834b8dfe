import { isObject, isSame } from '../../kernel/json-values.js';
import { type JsonObject } from '../../graph/index.js';

/** One value that changes, however deep; without `value` it is taken away. */
export interface Delta {
  path: readonly string[];
  value?: unknown;
}

/** The smallest set of deltas that leads from one value to another. Arrays change as a whole. */
export function deltasBetween(before: unknown, after: unknown, path: readonly string[]): Delta[] {
  if (isSame(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, value: after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const below = [...path, key];
    if (!Object.hasOwn(after, key)) return [{ path: below }];
    if (!Object.hasOwn(before, key)) return [{ path: below, value: after[key] }];
    return deltasBetween(before[key], after[key], below);
  });
}

/** The value at a path; undefined where there is none. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

/** A new object with the deltas in it; what they do not touch is as it was. */
export function withDeltas(root: JsonObject, deltas: readonly Delta[]): JsonObject {
  return deltas.reduce((value, delta) => withDelta(value, delta.path, delta), root);
}

function withDelta(root: JsonObject, [key, ...rest]: readonly string[], delta: Delta): JsonObject {
  if (key === undefined) return root;
  if (rest.length === 0) {
    if ('value' in delta) return { ...root, [key]: delta.value };
    return Object.fromEntries(Object.entries(root).filter(([other]) => other !== key));
  }
  const inner = Object.hasOwn(root, key) ? root[key] : undefined;
  if (!isObject(inner) && !('value' in delta)) return root;
  return { ...root, [key]: withDelta(isObject(inner) ? inner : {}, rest, delta) };
}

/**
 * Which deltas meet a value that has changed since the base: dotted paths. One that is already what the delta wants
 * is no conflict.
 */
export function conflictsOf(deltas: readonly Delta[], base: JsonObject, current: JsonObject): string[] {
  return deltas
    .filter((delta) => {
      const now = valueAt(current, delta.path);
      return !isSame(valueAt(base, delta.path), now) && !isSame(now, delta.value);
    })
    .map(({ path }) => path.join('.'));
}

/**
 * Whether tags are added to or taken off a node whose tags have changed since the base. When all is already as wanted,
 * it is no conflict.
 * @param wanted ids; null for a name that is no tag yet
 */
export function tagsConflict(
  { added, removed }: { added: readonly (string | null)[]; removed: readonly string[] },
  base: readonly string[],
  current: readonly string[],
): boolean {
  const isDone =
    added.every((id) => id !== null && current.includes(id)) && !removed.some((id) => current.includes(id));
  const isAsBefore = base.length === current.length && base.every((id) => current.includes(id));
  return !isDone && !isAsBefore;
}
