import { type Change } from '../../../kernel/change-log/change.js';
import { type Access, type NodeFacts } from '../../../privacy/index.js';
import { type Node, type NodeRevision, sameMembers } from '../domain/node.js';
import {
  NODE_FIELD_NAMES,
  type NodeFields,
  type NodeFieldTerms,
  termsOf,
  type WrittenField,
} from '../../common/index.js';
import { refuseLoosening, refuseReselecting } from './node-permissions.js';

/**
 * The body of a node write, in the names of the wire: `undefined` is absent, null clears. Tags are names,
 * or ids of own tags (rule 4.14).
 */
export type NodeBody = { -readonly [F in WrittenField]?: NodeFields[F] | null } & {
  tags?: readonly string[] | null;
  change_reason?: string | null;
};

/** The agent and the reason of a write in history (rule 7.1). */
export interface Attribution {
  agentId: string | null;
  /** True if the write itself names its agent. */
  namesAgent: boolean;
  reason: string | null;
  /** The version whose change is undone. */
  takesBack?: number | undefined;
}

export const NOBODY: Attribution = { agentId: null, namesAgent: false, reason: null };

/** A decided step and its attribution in history. */
export interface Decision {
  revision: NodeRevision;
  attribution: Attribution;
}

/**
 * The decision about a write of an existing node; null if it changes nothing.
 * @throws PERMISSION_DENIED where it would show its writer more than before, or change a field of the owner alone
 */
export function decided(
  access: Access,
  before: Node,
  { revision, attribution = NOBODY }: { revision: NodeRevision | null; attribution?: Attribution },
): Decision | null {
  if (revision === null) return null;
  refuseReselecting(access, before.facts, revision.node.facts);
  refuseLoosening(access, before.facts, revision.node.facts);
  return { revision, attribution };
}

export function attributionOf(body: NodeBody): Attribution {
  const named = body.last_modified_by_agent_id ?? body.agent_metadata?.['agent_id'];
  return {
    agentId: typeof named === 'string' ? named : null,
    namesAgent: body.agent_metadata !== undefined && body.agent_metadata !== null,
    reason: body.change_reason ?? null,
  };
}

/**
 * The sent fields of a body, without tags, ready to be stored: null becomes the default where one exists,
 * ids are in lower case.
 */
export function fieldsOf(body: NodeBody): Partial<NodeFields> {
  const fields: Partial<Record<WrittenField, unknown>> = {};
  for (const field of NODE_FIELD_NAMES) {
    const value = body[field];
    if (value !== undefined) fields[field] = storedValue(termsOf(field), value);
  }
  return fields as Partial<NodeFields>;
}

function storedValue(terms: NodeFieldTerms, value: unknown): unknown {
  if (value === null) return terms.default ?? null;
  return terms.column === 'uuid' ? (value as string).toLowerCase() : value;
}

export const firstRevision = (node: Node): NodeRevision => ({ node, action: 'created', changedFields: null });

/**
 * The change log's row for a step. A deletion carries the last living state, because that decides who could
 * see the node.
 * @param before null when the node was created
 */
export function changeOf(
  before: Node | null,
  step: NodeRevision,
  { agentId, namesAgent, reason, takesBack }: Attribution,
): Change {
  const { node, action, changedFields } = step;
  const living = action === 'deleted' && before ? before : node;
  const { merged_into: livesOnIn } = node.record;
  const change: Change = {
    ownerId: node.ownerId,
    entity: 'node',
    entityId: node.id,
    action,
    version: node.version,
    changedFields,
    snapshot: living === node ? node.snapshot() : { ...node.snapshot(), tag_ids: living.tagIds },
    facts: living.facts,
    agentId,
    agentMetadata: namesAgent ? node.record.agent_metadata : null,
    reason,
  };
  const from = before === null || (before.isDeleted && !node.isDeleted) ? null : before.facts;
  if (before !== null && (from === null || !areSame(from, node.facts)))
    change.moved = { from, to: node.facts };
  if (before !== null && before.record.merged_into !== livesOnIn) change.livesOnIn = livesOnIn;
  if (takesBack !== undefined) change.takesBack = takesBack;
  return change;
}

const areSame = (one: NodeFacts, other: NodeFacts): boolean =>
  one.nodeType === other.nodeType && one.schemaId === other.schemaId && sameMembers(one.tagIds, other.tagIds);
