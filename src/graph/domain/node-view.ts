import { type Access } from '../../privacy/index.js';
import { discovers } from './known-tags.js';
import { type Facts } from './node.js';
import { type NodeRecord, type NodeSnapshot } from './node-record.js';

/** A node as it is stored, as a row or as the change log kept it. */
export type NodeSource = NodeRecord | NodeSnapshot;

/** A node in wire form. What the caller may not see is not in it. */
export type WireNode = Record<string, unknown>;

/**
 * The wire form with every field, before the caller's exposure. Tags are the names the caller may know, in
 * the node's order; one he may not know leaves no trace (decisions 3.9). `graph_view` is never in it.
 */
export function wireOf(access: Access, node: NodeSource): WireNode {
  return {
    id: node.id,
    title: node.title,
    value: node.value,
    node_type: node.node_type,
    meaning_level: node.meaning_level,
    importance_score: node.importance_score,
    metadata: node.metadata,
    agent_metadata: node.agent_metadata,
    last_modified_by_agent_id: node.last_modified_by_agent_id,
    schema_id: node.schema_id,
    tags: tagNames(access, node.tag_ids),
    owner_id: node.owner_id,
    created_at: iso(node.created_at),
    updated_at: iso(node.updated_at),
    version: node.version,
  };
}

/** What this caller is shown of a node: transformations in their order, then the detail level (decisions 3.14, 3.15). Extras go with it. */
export function shownOf(access: Access, node: NodeSource, extras?: WireNode): WireNode {
  const wire = extras === undefined ? wireOf(access, node) : { ...wireOf(access, node), ...extras };
  return access.exposure.isIdentity ? wire : access.exposure.expose(wire, factsOf(node));
}

export function factsOf(node: NodeSource): Facts {
  return {
    id: node.id,
    tagIds: node.tag_ids,
    schemaId: node.schema_id,
    nodeType: node.node_type,
    createdAt: new Date(node.created_at),
  };
}

/** Names of those of the tags that the caller may know, in their order. */
export function tagNames(access: Access, ids: readonly string[]): string[] {
  const names: string[] = [];
  for (const id of ids) {
    if (discovers(access, id)) names.push(access.vocabulary.nameOf(id) as string);
  }
  return names;
}

const iso = (date: Date | string): string => (typeof date === 'string' ? date : date.toISOString());
