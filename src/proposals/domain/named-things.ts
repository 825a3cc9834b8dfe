import { type OthersRights } from '../../identity/index.js';
import { isId } from '../../kernel/ids.js';
import { isObject } from '../../kernel/json/json-values.js';
import { type Step } from './proposal-content.js';

/** Ids of existing nodes that a step names, in lower case; malformed ids name nothing. */
export function namedNodes({ payload }: Step): string[] {
  const { node_id, target_node_id, source_node_ids, from_node_id, to_node_id } = payload;
  const many = Array.isArray(source_node_ids) ? (source_node_ids as unknown[]) : [];
  return [node_id, target_node_id, ...many, from_node_id, to_node_id]
    .filter((id) => isId(id))
    .map((id) => id.toLowerCase());
}

/** The most nodes that are loaded at a time, unless one step names more. */
export const NODES_OF_A_PART = 10;

/** Steps in parts that name few nodes each: only those of one part are held in memory. */
export function stepsInParts(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = [];
  let room = 0;
  for (const step of steps) {
    const named = namedNodes(step).length;
    if (parts.length === 0 || named > room) {
      parts.push([]);
      room = NODES_OF_A_PART;
    }
    (parts.at(-1) as Step[]).push(step);
    room -= named;
  }
  return parts;
}

/** The number of existing nodes that steps name. */
export const countNamed = (steps: readonly Step[]): number => new Set(steps.flatMap(namedNodes)).size;

/** The node that a merge takes each field's value from, as an id in lower case. */
export function fieldSources({ payload }: Step): Map<string, string> {
  const [target, first] = [payload['target_node_id'], (payload['source_node_ids'] as unknown[])[0]];
  const choices = (payload['field_choices'] ?? {}) as Record<string, string>;
  const idOf = (choice: string) => (choice === 'target' ? target : choice === 'source' ? first : choice);
  return new Map(
    Object.entries(choices).map(([field, choice]) => [field, String(idOf(choice)).toLowerCase()]),
  );
}

/** The existing relationship that a step names; '' for a malformed id. */
export function namedEdge({ payload }: Step): string | null {
  const { relationship_id: id } = payload;
  if (id === undefined) return null;
  return isId(id) ? id.toLowerCase() : '';
}

const MOVING_FIELDS = ['tags', 'node_type', 'schema_id'];

/** True for a step after which rules may judge an existing node differently. */
export function movesNodes({ type, payload }: Step): boolean {
  if (type === 'ADD_TAGS' || type === 'REMOVE_TAGS' || type === 'MERGE_NODES') return true;
  const { changes } = payload;
  return type === 'UPDATE_NODE' && isObject(changes) && MOVING_FIELDS.some((field) => field in changes);
}

/** The existing nodes that steps other than merges may let rules judge differently. */
export const movedApart = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(steps.filter((step) => movesNodes(step) && step.type !== 'MERGE_NODES').flatMap(namedNodes));

/**
 * The rights that an approval may give others (rule 1.16): the app itself may apply the proposal without a
 * proof of identity, so every node that it moves counts, for any viewer.
 */
export const rightsByApproval = (steps: readonly Step[]): OthersRights => ({
  rights: steps
    .filter(movesNodes)
    .flatMap(namedNodes)
    .map((over) => ({ kind: 'move the node', over, isSingle: true })),
});
