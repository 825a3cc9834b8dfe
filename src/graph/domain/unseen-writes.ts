import { isSame } from '../../kernel/json-values.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Whether a write sets a field, of which the caller is shown something else than is stored, to something else than he
 * is shown. Such a write always makes a version: one that made none for the very value that is stored would confirm a
 * guess at it (decisions 3.16). What is written back as it is shown changes nothing (decisions 3.17).
 * @param written the fields sent; undefined was not
 * @param stored in the form in which it would be shown
 */
export function writesUnseen(written: Values, shown: Values, stored: Values): boolean {
  return Object.entries(written).some(
    ([field, value]) =>
      value !== undefined &&
      Object.hasOwn(stored, field) &&
      !isSame(shown[field], stored[field]) &&
      !isSame(shown[field], value),
  );
}
