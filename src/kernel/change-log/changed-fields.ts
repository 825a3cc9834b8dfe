import { isObject, isSame } from '../json/json-values.js';

/** Old and new value of each field that differs, in the names of the wire. */
export type ChangedFields = Record<string, { old: unknown; new: unknown }>;

/** Every save changes these fields, so history leaves them out. */
const ALWAYS = new Set(['version', 'updated_at']);

/**
 * The fields in which two states differ, as history shows them (rule 7.1c).
 * @param named fields that are listed even where they do not differ
 */
export function changedFields(earlier: object, later: object, named: readonly string[] = []): ChangedFields {
  const [before, after] = [earlier, later] as [Record<string, unknown>, Record<string, unknown>];
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    fields
      .filter((field) => !ALWAYS.has(field))
      .filter((field) => named.includes(field) || !isSame(before[field], after[field]))
      .map((field) => [field, { old: before[field] ?? null, new: after[field] ?? null }]),
  );
}

/**
 * The same fields with only those items of lists of texts that one of the states lacks: lists of ids may be long, and
 * the other items are in an earlier row of the log.
 */
export function changedItems(fields: ChangedFields): ChangedFields {
  return Object.fromEntries(
    Object.entries(fields).map(([field, { old, new: next }]) => [
      field,
      { old: missing(old, next), new: missing(next, old) },
    ]),
  );
}

function missing(value: unknown, other: unknown): unknown {
  if (isTexts(value) && isTexts(other)) {
    const others = new Set(other);
    return value.filter((item) => !others.has(item));
  }
  if (!isObject(value) || !isObject(other)) return value;
  const kept = Object.entries(value).filter(([key, one]) => !isSame(one, other[key]));
  return Object.fromEntries(kept.map(([key, one]) => [key, missing(one, other[key])]));
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
