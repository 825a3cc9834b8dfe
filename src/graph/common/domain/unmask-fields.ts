import { isSame } from '../../../kernel/json/json-values.js';
import { type Steps } from '../../../kernel/slices.js';
import { type Access } from '../../../privacy/index.js';

type Values = Readonly<Record<string, unknown>>;

/** A write as its writer intends it. */
export interface UnmaskedFields {
  /** The fields to set, with hidden parts restored. */
  fields: Record<string, unknown>;
  /**
   * Fields that are shown to the writer with another value than the stored one, and that are set to another
   * value than the shown one. Such a write always makes a version, and its change names these fields:
   * otherwise a missing version, or another set of names, would confirm a guess at the stored value (rule
   * 3.16f).
   */
  unseen: string[];
}

/**
 * Unmasks a write: the only place that recognises values written back as they were read (rule 3.17), for
 * nodes, relationships and tags, directly and in proposals. A null for a field that the writer is not shown
 * counts as absent.
 * @param written the sent fields; undefined counts as absent
 * @param stored in the form in which it would be shown
 */
export function* unmaskFields(
  exposure: Access['exposure'],
  { written, shown, stored }: Record<'written' | 'shown' | 'stored', Values>,
): Steps<UnmaskedFields> {
  const meant: UnmaskedFields = { fields: {}, unseen: [] };
  for (const [field, value] of Object.entries(written)) {
    const isKnown = Object.hasOwn(stored, field);
    if (value === undefined || (value === null && isKnown && shown[field] === undefined)) continue;
    const restoring = (original: unknown): Steps<unknown> =>
      exposure.restoring(field, { original, shown: shown[field], written: value });
    meant.fields[field] = isSame(shown[field], value) ? stored[field] : yield* restoring(stored[field]);
    const isSeen = !isKnown || isSame(shown[field], stored[field]);
    if (!isSeen && !isSame(shown[field], yield* restoring(shown[field]))) meant.unseen.push(field);
  }
  return meant;
}
