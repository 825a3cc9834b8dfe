import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Access, maySchema, type NodeVerb, sees, SYSTEM_SCHEMA_IDS } from '../../privacy/index.js';
import { type Node } from '../domain/node.js';

/** What a caller may want with an existing node. Restoring is a delete taken back (decisions 4.12). */
export type NodeUse = NodeVerb | 'restore';

const SYSTEM_SCHEMAS: ReadonlySet<string> = new Set(Object.values(SYSTEM_SCHEMA_IDS));

const absent = (): DomainError => new DomainError('NODE_NOT_FOUND', 'Node not found');

/**
 * The node, if the caller may use it so (decisions 3.18, 4.12). A deleted node exists only for who may restore
 * it, and never for those with whom it was shared.
 * @throws NODE_NOT_FOUND for absent and invisible alike, PERMISSION_DENIED for visible but not permitted
 */
export function permitted(access: Access, node: Node | null, use: NodeUse): Node {
  const verb = use === 'restore' ? 'delete' : use;
  if (node === null || !sees(access.nodes.read, node.facts)) throw absent();
  const may = sees(access.nodes[verb], node.facts);
  if (node.isDeleted && !(use === 'restore' && may && !access.isReceived)) throw absent();
  if (!may) throw new DomainError('PERMISSION_DENIED', `You may not ${use} this node`);
  return node;
}

/**
 * A schema that a write names must exist for the caller and be granted; null stands for `__freeform__`.
 * @throws SCHEMA_NOT_FOUND, PERMISSION_DENIED (decisions 3.10, 4.4)
 */
export function refuseSchema(access: Access, schemaId: string | null): void {
  if (schemaId !== null && !SYSTEM_SCHEMAS.has(schemaId)) {
    throw new DomainError('SCHEMA_NOT_FOUND', 'Schema not found');
  }
  if (!maySchema(access, 'write', schemaId)) {
    throw new DomainError('PERMISSION_DENIED', 'You may not write nodes with this schema');
  }
}
