import { DomainError } from '../../../kernel/errors/domain-error.js';
import {
  type Access,
  type NodeFacts,
  type NodeVerb,
  RAW_FILE_SCHEMA_ID,
  sees,
} from '../../../privacy/index.js';
import { type Node } from '../domain/node.js';
import { discovers, nodeNotFound } from '../../common/index.js';

/** The uses of an existing node. Restoring undoes a delete and needs the same rights (rule 4.12). */
export type NodeUse = NodeVerb | 'restore' | 'history';

const VERB_OF = { restore: 'delete', history: 'read' } as const;

const mayUse = (access: Access, { facts }: Node, use: NodeUse): boolean =>
  sees(access.nodes[use === 'restore' || use === 'history' ? VERB_OF[use] : use], facts);

/** True if the node exists for the caller. */
export function isThere(access: Access, node: Node, use: NodeUse): boolean {
  if (!sees(access.nodes.read, node.facts)) return false;
  if (!node.isDeleted) return true;
  return use === 'restore'
    ? mayUse(access, node, use) && !access.isReceived
    : use === 'history' && access.isOwner;
}

/**
 * The node, if the caller may use it in this way (rules 3.18, 4.12). A deleted node exists only for callers
 * who may restore it, never for recipients of shares; its history exists for the owner.
 * @throws NODE_NOT_FOUND for absent and invisible alike, PERMISSION_DENIED for visible but not permitted
 */
export function permitted(access: Access, node: Node | null, use: NodeUse): Node {
  if (node === null || !isThere(access, node, use)) throw nodeNotFound();
  if (!mayUse(access, node, use)) throw new DomainError('PERMISSION_DENIED', `You may not ${use} this node`);
  return node;
}

/**
 * Rules select nodes by type and schema as they do by tags, so all three stay with the owner of the graph (rule 10.7f).
 * @throws PERMISSION_DENIED where a recipient changes the type or the schema
 */
export function refuseReselecting(access: Access, before: NodeFacts, after: NodeFacts): void {
  if (!access.isReceived) return;
  if (before.nodeType === after.nodeType && before.schemaId === after.schemaId) return;
  throw new DomainError(
    'PERMISSION_DENIED',
    'Only the owner of this node can change its `node_type` or `schema_id`; leave them out',
  );
}

/**
 * Refuses writes that show their writer more of a node than before (rule 3.17b): only the owner, or the owner's approval,
 * can lift the transformations of an app or a group's member. The refusal depends on nothing that the writer may not know.
 * @throws PERMISSION_DENIED
 */
export function refuseLoosening(access: Access, before: NodeFacts, after: NodeFacts): void {
  const { exposure } = access;
  const isKnownTag = (id: string) => discovers(access, id);
  // A file's name is shown as its title in the metadata of files only (node-view.ts).
  const opensName = before.schemaId === RAW_FILE_SCHEMA_ID && after.schemaId !== RAW_FILE_SCHEMA_ID;
  const isLoosened =
    exposure.loosens({ before, after, isKnownTag }) || (opensName && exposure.transforms('title'));
  if (!isLoosened) return;
  throw new DomainError(
    'PERMISSION_DENIED',
    'This would lift a transformation that applies to this node; only its owner can do that, or approve it as a proposal',
  );
}
