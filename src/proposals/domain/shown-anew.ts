import { isObject, isSame } from '../../kernel/json-values.js';
import { type JsonObject } from '../../graph/index.js';

/** Enough for a reviewer to see what is at stake. */
const MOST_PATHS = 50;

/** Fields that say something of their person. */
const CONTENT = [
  'title',
  'value',
  'node_type',
  'meaning_level',
  'schema_id',
  'importance_score',
  'metadata',
  'agent_metadata',
  'tags',
];

/** Fields of a node that somebody is shown and that say something. */
export const toldBy = (shown: JsonObject): string[] =>
  CONTENT.filter((field) => !isSame(shown[field], undefined) && !isEmpty(shown[field]));

/**
 * Dotted paths that are shown otherwise than before although the same is stored: what came out of a mask, or out of
 * one mask into another.
 * @param before and `after`: one stored state, as it is shown by the old and by the new standing of its node
 * @param stored what is now shown less of is not shown anew
 */
export function shownAnew(before: JsonObject, after: JsonObject, stored: JsonObject): string[] {
  return CONTENT.flatMap((field) =>
    pathsShownAnew({ before: before[field], after: after[field], stored: stored[field] }, field),
  ).slice(0, MOST_PATHS);
}

function pathsShownAnew(
  { before, after, stored }: { before: unknown; after: unknown; stored: unknown },
  path: string,
): string[] {
  if (isEmpty(after) || isSame(before, after) || isSame(before, stored)) return [];
  if (!isObject(after) || !(isObject(before) || before === undefined)) return [path];
  return Object.keys(after).flatMap((key) =>
    pathsShownAnew(
      { before: part(before, key), after: part(after, key), stored: part(stored, key) },
      `${path}.${key}`,
    ),
  );
}

/** Dotted paths of a value that were not known so. */
export function unknownPaths(known: unknown, shown: unknown, path: string): string[] {
  if (isEmpty(shown) || isSame(known, shown)) return [];
  if (!isObject(shown)) return [path];
  return Object.keys(shown)
    .flatMap((key) => unknownPaths(part(known, key), part(shown, key), `${path}.${key}`))
    .slice(0, MOST_PATHS);
}

const part = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);
