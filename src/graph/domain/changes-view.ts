import { isSame } from '../../kernel/json-values.js';
import { type Access, type ShownChanges } from '../../privacy/index.js';
import { type ChangedFields, type Facts } from './node.js';
import { tagNames } from './node-view.js';

/** Fields of a node that leave the service, by the names under which the change log has them. */
const SHOWN_AS: Readonly<Record<string, string>> = {
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

/** A step between two versions that the caller may both read. */
export interface ShownStep {
  changedFields: ChangedFields;
  /** What rules look at in the version before: its values are shown as that version is. */
  before: Pick<Facts, 'tagIds' | 'nodeType'>;
  after: Pick<Facts, 'tagIds' | 'nodeType'>;
}

/**
 * `changed_fields` as this caller is shown them (decisions 3.14-3.16): a field that is not shown, or of which the same
 * is shown before and after, is left out, for its name alone would tell that something hidden changed.
 */
export function shownChanges(access: Access, { changedFields, before, after }: ShownStep): ShownChanges {
  const shown: [string, ShownChanges[string]][] = [];
  for (const [stored, change] of Object.entries(changedFields)) {
    const field = SHOWN_AS[stored];
    if (field === undefined) continue;
    const wire = (value: unknown) => (field === 'tags' ? tagNames(access, (value ?? []) as string[]) : value);
    const was = access.exposure.exposeValue(field, wire(change.old), before);
    const is = access.exposure.exposeValue(field, wire(change.new), after);
    if (isSame(was ?? null, is ?? null)) continue;
    shown.push([field, { old: was ?? null, new: is ?? null }]);
  }
  return Object.fromEntries(shown);
}
