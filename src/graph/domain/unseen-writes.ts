import { isSame } from '../../kernel/json-values.js';
import { type Access } from '../../privacy/index.js';

type Values = Readonly<Record<string, unknown>>;

/** A write as its writer means it. */
export interface Meant {
  /** The fields that it sets, with what their writer was not shown of them put back. */
  fields: Record<string, unknown>;
  /**
   * Those of which the writer is shown something else than is stored, and that are set to something else than they are
   * shown. Such a write always makes a version, and its change names these fields: one that made none for the very value
   * that is stored, or named another set of fields, would confirm a guess at it (rule 3.16f).
   */
  unseen: string[];
}

/**
 * The one place that decides what comes back as it was read (rule 3.17): in nodes, relationships and tags, directly and
 * in proposals. A null for a field that its writer is not shown says nothing, as if it had not been sent.
 * @param written the fields sent; undefined was not
 * @param stored in the form in which it would be shown
 */
export function meantBy(
  exposure: Access['exposure'],
  { written, shown, stored }: Record<'written' | 'shown' | 'stored', Values>,
): Meant {
  const meant: Meant = { fields: {}, unseen: [] };
  for (const [field, value] of Object.entries(written)) {
    const isKnown = Object.hasOwn(stored, field);
    if (value === undefined || (value === null && isKnown && shown[field] === undefined)) continue;
    const restore = (original: unknown): unknown =>
      exposure.restore(field, { original, shown: shown[field], written: value });
    meant.fields[field] = isSame(shown[field], value) ? stored[field] : restore(stored[field]);
    const isSeen = !isKnown || isSame(shown[field], stored[field]);
    if (!isSeen && !isSame(shown[field], restore(shown[field]))) meant.unseen.push(field);
  }
  return meant;
}
