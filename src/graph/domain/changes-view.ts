import { isSame } from '../../kernel/json-values.js';
import { type Access, type ShownChanges } from '../../privacy/index.js';
import { type ChangedFields, type Facts } from './node.js';
import { type Slices } from '../../kernel/slices.js';
import { shownValue, slicesWithoutEnd, tagNames } from './node-view.js';

/** Fields of a node that leave the service, by the names under which the change log has them. */
export const SHOWN_AS: Readonly<Record<string, string>> = {
  title: 'title',
  value: 'value',
  node_type: 'node_type',
  meaning_level: 'meaning_level',
  importance_score: 'importance_score',
  metadata: 'metadata',
  agent_metadata: 'agent_metadata',
  last_modified_by_agent_id: 'last_modified_by_agent_id',
  schema_id: 'schema_id',
  tag_ids: 'tags',
};

/** A step between two versions that the caller may both read, and what the node is now. */
export interface ShownStep {
  changedFields: ChangedFields;
  before: Facts;
  after: Facts;
  now: Facts;
  /** The request's budget for redaction. Absent: the step is shown however long that takes. */
  slices?: Slices;
}

/**
 * `changed_fields` as this caller is shown them (rules 3.14-3.16): a field that is not shown, or of which the same
 * is shown before and after, is left out, for its name alone would tell that something hidden changed. What conceals one
 * of the three states conceals both values: that a field is named, or not, would tell whether they are equal.
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
