import { type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { isSame } from '../../../kernel/json/json-values.js';
import { type Access, type NodeFacts, type ShownChanges } from '../../../privacy/index.js';
import { type Slices } from '../../../kernel/slices.js';
import { SHOWN_FIELDS, shownValue, slicesWithoutEnd, tagNames } from '../../common/index.js';

/** Fields of a node that leave the service, by their names in the change log. */
export const SHOWN_AS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SHOWN_FIELDS.map((field) => [field, field])),
  tag_ids: 'tags',
};

/** A step between two versions that the caller may both read, and the node's current facts. */
export interface ShownStep {
  changedFields: ChangedFields;
  before: NodeFacts;
  after: NodeFacts;
  now: NodeFacts;
  /** The request's budget for redaction. Absent: no limit. */
  slices?: Slices;
}

/**
 * `changed_fields` as this caller is shown them (rules 3.14-3.16). A field that is not shown, or that is
 * shown with equal values before and after, is left out, because its name alone would reveal that something
 * hidden changed. A transformation of one of the three states conceals both values: that a field is named,
 * or not, would reveal if they are equal.
 */
export async function shownChanges(
  access: Access,
  { changedFields, before, after, now, slices = slicesWithoutEnd() }: ShownStep,
): Promise<ShownChanges> {
  const states = [before, after, now];
  const shown: [string, ShownChanges[string]][] = [];
  for (const [stored, change] of Object.entries(changedFields)) {
    const field = SHOWN_AS[stored];
    if (field === undefined) continue;
    const wire = (value: unknown) => (field === 'tags' ? tagNames(access, (value ?? []) as string[]) : value);
    const was = await shownValue(access, { path: field, value: wire(change.old) }, { states, slices });
    const is = await shownValue(access, { path: field, value: wire(change.new) }, { states, slices });
    if (isSame(was ?? null, is ?? null)) continue;
    shown.push([field, { old: was ?? null, new: is ?? null }]);
  }
  return Object.fromEntries(shown);
}
