import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { isObject } from '../../kernel/json/json-values.js';
import { type EdgeWithEnds, type Node } from '../../graph/index.js';
import { type Access, grants, mayAssignTags, maySchema, sees } from '../../privacy/index.js';
import { assignedTags } from '../domain/assigned-tags.js';
import { namedNodes } from '../domain/named-things.js';
import { preparedFor } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';

/** Refuses tags outside of `propose`, and new names without its `allow_new` (rule 3.7). @throws PERMISSION_DENIED */
export function refuseAssignments(access: Access, names: readonly string[]): void {
  const { vocabulary } = access;
  const ids = names.map((name) => {
    const id = name.trim().toLowerCase();
    return vocabulary.isLiving(id) ? id : vocabulary.idOf(name);
  });
  const tagIds = ids.filter((id) => id !== null);
  const newNames = names.filter((_, index) => ids[index] === null);
  if (!mayAssignTags(access, 'propose', { tagIds, newNames })) throw forbidden();
}

/**
 * Refuses a step that the applying app could not propose today: an approval does not outlive the rights under which it
 * was proposed (rule 8.7i). Nodes are judged as they were before the proposal.
 * @throws PERMISSION_DENIED
 */
export function refuseUnpermitted(
  app: Access,
  step: Step,
  { proposal, before }: { proposal: Proposal; before: { nodes: ReadonlyMap<string, Pick<Node, 'facts'>> } },
): void {
  const { added = [], removed = [] } = preparedFor(proposal.record.prepared, step.id)?.node?.tags ?? {};
  refuseAssignments(app, step.type === 'CREATE_NODE' ? assignedTags(proposal, step) : added);
  const nodes = changedNodes(step).flatMap((id) => before.nodes.get(id.toLowerCase()) ?? []);
  const schemaId = schemaOf(step);
  const isPermitted =
    nodes.every(({ facts }) => sees(app.nodes.propose, facts)) &&
    removed.every((id) => grants(app.tags.propose, id)) &&
    (schemaId === null || maySchema(app, 'write', schemaId));
  if (!isPermitted) throw forbidden();
}

/** @throws PERMISSION_DENIED */
export function refuseUnpermittedEdge(access: Access, { from }: Pick<EdgeWithEnds, 'from'>): void {
  if (!sees(access.nodes.propose, from)) throw forbidden();
}

/** The existing nodes for which a step needs `propose`; of a new relationship those that it leaves (rule 3.19). */
function changedNodes(step: Step): string[] {
  if (step.type !== 'CREATE_RELATIONSHIP') return namedNodes(step);
  const { from_node_id: from, to_node_id: to, bidirectional } = step.payload;
  return [from, bidirectional === true ? to : undefined].filter(isId);
}

/** The schema that a step gives to a node. */
function schemaOf({ payload }: Step): string | null {
  const { changes } = payload;
  const { schema_id: id } = { ...payload, ...(isObject(changes) ? changes : {}) };
  return typeof id === 'string' ? id.toLowerCase() : null;
}

export const forbidden = (): DomainError =>
  new DomainError('PERMISSION_DENIED', 'You may not propose this: a tag, a schema or a node is not granted');
