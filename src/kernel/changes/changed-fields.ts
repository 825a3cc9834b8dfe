import { isSame } from '../json-values.js';

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
