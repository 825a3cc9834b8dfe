import { isObject, isSame } from '../../kernel/json/json-values.js';
import { pathName } from '../../kernel/path-names.js';
import { type JsonObject } from '../../graph/index.js';
import { isEndOfStep, type Steps } from '../../kernel/slices.js';
import { restoring } from '../../privacy/index.js';

/** One changed value at any depth; without `value` it is removed. */
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

/** The most characters of the paths of a field, unless its changes are a patch, whose paths are bounded as words. */
const MOST_OF_A_FIELD = 256 * 1024;

/**
 * The deltas of a field of a node. Metadata changes by a patch; another object changes as a whole if the paths of its
 * deltas, each of which names all keys above it, would be many times as long as the object.
 */
export function fieldDeltas(before: unknown, after: unknown, field: string): Delta[] {
  const deltas = deltasBetween(before, after, [field]);
  if (field === 'metadata') return deltas;
  const characters = deltas.reduce((sum, { path }) => sum + lengthOf(path), 0);
  return characters > MOST_OF_A_FIELD ? [{ path: [field], value: after }] : deltas;
}

const lengthOf = (path: readonly string[]): number => path.reduce((sum, key) => sum + key.length + 1, 0);

/** A level below all that metadata may have (rule 4.13). */
const TOO_DEEP = 64;

/** The characters of the paths to all leaves of a patch together: keys above several leaves count for each. */
export function pathCharacters(patch: unknown, above = 0, depth = 0): number {
  const entries = isObject(patch) && depth < TOO_DEEP ? Object.entries(patch) : [];
  if (entries.length === 0) return above;
  return entries.reduce(
    (sum, [key, value]) => sum + pathCharacters(value, above + key.length + 1, depth + 1),
    0,
  );
}

/** The value at a path; undefined if the path does not exist. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

/** The value that a delta with this path would replace: the one there, or one on the way that is no object. */
export function replacedAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (!isObject(value)) return value ?? undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

/**
 * A new object with the deltas in it; what they do not touch is as it was. Each object on the way is copied once, however
 * many of the deltas lead through it: a legal patch has tens of thousands.
 */
export function withDeltas(root: JsonObject, deltas: readonly Delta[]): JsonObject {
  const copies = new Set<unknown>();
  const copyOf = (value: JsonObject): JsonObject => {
    if (copies.has(value)) return value;
    const copy = { ...value };
    copies.add(copy);
    return copy;
  };
  const copy = copyOf(root);
  for (const delta of deltas) put(copy, delta, copyOf);
  return copy;
}

/** @param root a copy, in which nothing but copies may change */
function put(root: JsonObject, delta: Delta, copyOf: (value: JsonObject) => JsonObject): void {
  const last = delta.path.at(-1);
  if (last === undefined) return;
  let object = root;
  for (const key of delta.path.slice(0, -1)) {
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    if (!isObject(inner) && !('value' in delta)) return;
    const copy = copyOf(isObject(inner) ? inner : {});
    setOwn(object, key, copy);
    object = copy;
  }
  if ('value' in delta) setOwn(object, last, delta.value);
  else delete object[last];
}

/** An assignment would take `__proto__` for the prototype. */
const setOwn = (object: JsonObject, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });

/**
 * The deltas with what they do not change taken from the current state. The delta of an array, and of an object that was
 * not there or changes as a whole, contains all parts as they were when the app wrote it, and none that came since.
 * @param read the state then; null where it is unknown
 */
export function* renewing(
  deltas: readonly Delta[],
  read: JsonObject | null,
  now: JsonObject,
): Steps<readonly Delta[]> {
  if (read === null) return deltas;
  const renewed: Delta[] = [];
  for (const [index, delta] of deltas.entries()) {
    if (isEndOfStep(index)) yield undefined;
    const { path, value = null } = delta;
    const [then, current] = [valueAt(read, path), valueAt(now, path)];
    const meant = isSame(current, value)
      ? value
      : yield* restoring(current, isObject(value) && !isObject(then) ? undefined : then, value);
    renewed.push('value' in delta || (meant ?? null) !== null ? { path, value: meant ?? null } : delta);
  }
  return renewed;
}

/** The fields that differ. */
export const differing = (fields: readonly string[], then: JsonObject, now: JsonObject): string[] =>
  fields.filter((field) => !isSame(then[field] ?? null, now[field] ?? null));

/**
 * The names of paths of deltas that meet a value which has changed since the base. A value that is already what the delta
 * wants is no conflict, but in fields that are shown in part it is.
 */
export function conflictsOf(
  deltas: readonly Delta[],
  { then, now }: Record<'then' | 'now', JsonObject>,
  isMasked: (field: string) => boolean = () => false,
): string[] {
  return deltas
    .filter(({ path, value }) => {
      const states = { then: valueAt(then, path), now: replacedAt(now, path) };
      return replacesChange(states, value, isMasked(path[0] as string));
    })
    .map(({ path }) => pathName(path));
}

/** True if a value replaces a change since; what came into an object since stays there (see {@link renewing}). */
function replacesChange(
  { then, now }: Record<'then' | 'now', unknown>,
  value: unknown,
  isMasked: boolean,
): boolean {
  if (isSame(then, now)) return false;
  if (isSame(now, value)) return isMasked;
  const before = then ?? {};
  if (!isObject(now) || !isObject(value) || !isObject(before)) return true;
  return [...new Set([...Object.keys(before), ...Object.keys(value)])].some((key) => {
    const [was, wanted] = [valueAt(before, [key]), valueAt(value, [key])];
    return !isSame(was, wanted) && replacesChange({ then: was, now: valueAt(now, [key]) }, wanted, isMasked);
  });
}

/**
 * True if tags are added to or removed from a node whose tags have changed since the base. If the tags are
 * already as wanted, this is no conflict.
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
