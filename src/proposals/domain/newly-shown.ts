import { isObject, isSame } from '../../kernel/json/json-values.js';
import { nameBelow } from '../../kernel/path-names.js';
import { type JsonObject, NODE_FIELD_NAMES, termsOf } from '../../graph/index.js';
import { NODE_EXPOSURE } from '../../privacy/index.js';

/** The most paths listed of one field: enough for a reviewer to see what is at stake. */
const MOST_PATHS = 50;

/** Fields with personal content. */
const CONTENT = [...NODE_FIELD_NAMES.filter((field) => termsOf(field).isContent), 'tags'];

/** Fields that transformations can change. */
const MASKABLE = Object.entries(NODE_EXPOSURE).flatMap(([field, terms]) =>
  'maskedBy' in terms ? [field] : [],
);
const COMPARED = [...new Set([...CONTENT, ...MASKABLE])];

/** The fields with content among those that a viewer is shown. */
export const shownContentFields = (shown: JsonObject): string[] =>
  CONTENT.filter((field) => !isSame(shown[field], undefined) && !isEmpty(shown[field]));

/**
 * The names of paths to unchanged values that are shown differently than before: no longer masked, or masked
 * differently. Of a field with many, some: no field is left out. A name that would be too long is that of a place above.
 * @param before and `after`: one stored state, as it is shown in the old and in the new state of its node
 * @param stored the same as it is stored, in wire form; a value that is now shown less is not newly shown
 */
export function newlyShownPaths(before: JsonObject, after: JsonObject, stored: JsonObject): string[] {
  return COMPARED.flatMap((field) =>
    first(newPathsBelow({ before: before[field], after: after[field], stored: stored[field] }, field)),
  );
}

/** A stored value, and how it is shown before and after a change of what surrounds it. */
interface ShownTwice {
  before: unknown;
  after: unknown;
  stored: unknown;
}

/** True if a value is shown differently than before: no longer masked, or masked differently. */
export const isNewlyShown = ({ before, after, stored }: ShownTwice): boolean =>
  !isEmpty(after) && !isSame(before, after) && !isSame(before, stored);

function newPathsBelow({ before, after, stored }: ShownTwice, path: string): string[] {
  if (!isNewlyShown({ before, after, stored })) return [];
  if (!isObject(after) || !(isObject(before) || before === undefined)) return [path];
  return Object.keys(after).flatMap((key) => {
    const parts = { before: part(before, key), after: part(after, key), stored: part(stored, key) };
    const name = nameBelow(path, key);
    if (name === null) return isNewlyShown(parts) ? [path] : [];
    return newPathsBelow(parts, name);
  });
}

/** The names of paths below a value that were not known with that content. */
export const unknownPaths = (known: unknown, shown: unknown, path: string): string[] =>
  first(unknownBelow(known, shown, path));

function unknownBelow(known: unknown, shown: unknown, path: string): string[] {
  if (isEmpty(shown) || isSame(known, shown)) return [];
  if (!isObject(shown)) return [path];
  return Object.keys(shown).flatMap((key) => {
    const [was, is] = [part(known, key), part(shown, key)];
    const name = nameBelow(path, key);
    if (name === null) return isEmpty(is) || isSame(was, is) ? [] : [path];
    return unknownBelow(was, is, name);
  });
}

const first = (paths: readonly string[]): string[] => [...new Set(paths)].slice(0, MOST_PATHS);

const part = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);
