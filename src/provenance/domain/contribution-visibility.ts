import { shownValue } from '../../graph/index.js';
import { type Slices } from '../../kernel/slices.js';
import { type Access, type NodeFacts, RAW_FILE_SCHEMA_ID, type ShownFacts } from '../../privacy/index.js';

/** The facts of a node that transformations look at. */
export interface NodeFactsRow {
  tag_ids: string[];
  node_type: string;
  schema_id: string | null;
}

/**
 * The states of a contribution: the version before it, its version, its node, and the node to which it was made if
 * another.
 */
export type StoredStates = [
  before: NodeFactsRow | null,
  then: NodeFactsRow,
  here: NodeFactsRow | null,
  there: NodeFactsRow | null,
];

/**
 * The visibility of contributions to one path in such states: as they are stored; only those whose value is shown to
 * differ; or none, because each would reveal that a hidden value differs (rule 3.20c).
 */
export type ContributionVisibility = 'as stored' | 'compared' | 'left out';

/** The facts for a decision: it depends on a value being altered, never on a hash, so no id is needed. */
export const exposureFacts = ({ tag_ids, node_type }: NodeFactsRow): ShownFacts => ({
  id: '',
  tagIds: tag_ids,
  nodeType: node_type,
});

export function contributionVisibility(
  access: Access,
  path: string,
  stored: StoredStates,
): ContributionVisibility {
  const { exposure } = access;
  const [before, then, ...now] = stored;
  const latest = now.filter((facts) => facts !== null).map(exposureFacts);
  const isUnmasked = (at: string): boolean =>
    (before !== null && exposure.unmasks(at, exposureFacts(before), exposureFacts(then))) ||
    exposure.unmasks(at, exposureFacts(then), latest);
  const states = present(stored).map(exposureFacts);
  const judged = [path, ...(namesFile(path, stored) ? ['title'] : [])];
  if (judged.some(isUnmasked)) return 'left out';
  if (!judged.some((at) => exposure.alters(at, states))) return 'as stored';
  // A contribution to a field that is always null would reveal that the hidden value changed, or that a guess was
  // wrong.
  const always = path === 'metadata' ? [path] : judged;
  const isNull = (at: string): boolean => (exposure.exposeValue(at, '', states) ?? null) === null;
  return always.some(isNull) ? 'left out' : 'compared';
}

export interface MaskedStep {
  node_id: string;
  path: string;
  states: StoredStates;
}

/** A value of a step as before, after and now together show it; null where it is not shown. */
export async function shownInStep(
  access: Access,
  { node_id, path, states: stored }: MaskedStep,
  { value, slices }: { value: unknown; slices: Slices },
): Promise<unknown> {
  const states = present(stored).map((facts) => factsOf(node_id, facts));
  return (await shownValue(access, { path, value }, { states, slices })) ?? null;
}

/** Equal names of one step: the same difference is shown. Null if the difference has no name. */
export function differenceName({ exposure }: Access, { path, states }: MaskedStep): string | null {
  return namesFile(path, states) ? null : exposure.nameIn(present(states).map(exposureFacts));
}

/** A file's name is also in its metadata, which is then shown as the title is. */
const namesFile = (path: string, states: StoredStates): boolean =>
  /^metadata(\.filename)?$/.test(path) &&
  present(states).some(({ schema_id }) => schema_id === RAW_FILE_SCHEMA_ID);

const present = (states: StoredStates): NodeFactsRow[] => states.filter((facts) => facts !== null);

const factsOf = (id: string, { tag_ids, node_type, schema_id }: NodeFactsRow): NodeFacts => ({
  id,
  tagIds: tag_ids,
  schemaId: schema_id,
  nodeType: node_type,
  createdAt: NEVER_ASKED,
});
const NEVER_ASKED = new Date(0);
