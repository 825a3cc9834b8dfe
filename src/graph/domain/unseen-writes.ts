import { isSame } from '../../kernel/json-values.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The fields that a write sets, of which the caller is shown something else than is stored, to something else than they
 * are shown. Such a write always makes a version, and its change names these fields: one that made none for the very
 * value that is stored, or named another set of fields, would confirm a guess at it (rule 3.16). What is written back as
 * it is shown changes nothing (rule 3.17).
 * @param written the fields sent; undefined was not
 * @param stored in the form in which it would be shown
 */
export function unseenFields(written: Values, shown: Values, stored: Values): string[] {
  return Object.entries(written).flatMap(([field, value]) => {
    const isUnseen =
      value !== undefined &&
      Object.hasOwn(stored, field) &&
      !isSame(shown[field], stored[field]) &&
      !isSame(shown[field], value);
    return isUnseen ? [field] : [];
  });
}

/** Tells whether a write sets such a field. */
export const writesUnseen = (written: Values, shown: Values, stored: Values): boolean =>
  unseenFields(written, shown, stored).length > 0;
