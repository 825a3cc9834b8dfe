import { type Access } from '../../../privacy/index.js';
import {
  type Judging,
  type Node,
  type NodeBody,
  type NodeEdit,
  type NodeRevision,
  type NodesService,
  sameMembers,
  type SchemaChecks,
} from '../../nodes/index.js';
import { type TagAssignment } from '../../tags/index.js';

/** Tags to add to a node, by name or id, and tags to remove, by id. All others stay, deleted ones too. */
export interface TagChange {
  added: readonly string[];
  removed: readonly string[];
}

/** A write that is one of many, with their checks and what remains to be judged. */
export type Part<T> = T & { checks: SchemaChecks; judging?: Judging | undefined };

export interface NodeChange {
  body: NodeBody;
  tags: TagChange;
  unseen?: readonly string[] | undefined;
}

export interface Merge {
  target: Node;
  sources: readonly Node[];
  /** Fields of the target that take another node's value. */
  chosen: NodeBody;
}

/**
 * The edit of a change, with its tags resolved. The removal of a last tag was judged by the tags that the app knew; a
 * second check here would reveal the hidden ones.
 */
export async function editOf(
  node: Node,
  { tags, ...change }: Part<NodeChange>,
  assignment: TagAssignment,
): Promise<NodeEdit> {
  const added = tags.added.length === 0 ? [] : await assignment.resolve('edit', tags.added);
  const kept = node.tagIds.filter((id) => !tags.removed.includes(id) || added.includes(id));
  const tagIds = [...new Set([...kept, ...added])];
  return { ...change, tagIds: sameMembers(tagIds, node.tagIds) ? undefined : tagIds };
}

/** The steps of merged nodes: one of the target, which takes their tags, and the last one of each source. */
export async function decidedMerge(
  service: NodesService,
  access: Access,
  { target, sources, chosen, checks, judging, at }: Part<Merge> & { at: Date },
): Promise<{ merged: NodeRevision; gone: { source: Node; step: NodeRevision }[] }> {
  const all = [...new Set([target, ...sources].flatMap((node) => node.tagIds))];
  const tagIds = sameMembers(all, target.tagIds) ? undefined : all;
  const decision = await service.decideEdit(access, target, { body: chosen, tagIds, checks, judging });
  const merged = target.absorb(sources, decision?.revision ?? null, at);
  return { merged, gone: sources.map((source) => ({ source, step: source.mergeInto(target.id, at) })) };
}
