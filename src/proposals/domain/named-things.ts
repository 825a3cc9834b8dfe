import { isId } from '../../kernel/ids.js';
import { type Step } from './proposal-content.js';

/** Ids of existing nodes that a step names, in lower case; what is no id names nothing. */
export function namedNodes({ payload }: Step): string[] {
  const { node_id, target_node_id, source_node_ids, from_node_id, to_node_id } = payload;
  const many = Array.isArray(source_node_ids) ? (source_node_ids as unknown[]) : [];
  return [node_id, target_node_id, ...many, from_node_id, to_node_id]
    .filter((id) => isId(id))
    .map((id) => id.toLowerCase());
}

/** The existing relationship that a step names; '' for one that is no id. */
export function namedEdge({ payload }: Step): string | null {
  const { relationship_id: id } = payload;
  if (id === undefined) return null;
  return isId(id) ? id.toLowerCase() : '';
}
