import { isSame } from '../../kernel/json/json-values.js';
import { rest } from '../../kernel/slices.js';
import { type EdgeWithEnds, factsOf } from '../../graph/index.js';
import { type NodeFacts } from '../../privacy/index.js';
import { edgesAfter } from '../domain/edge-steps.js';
import { type Expected, type ExpectedNode } from './expected-nodes.js';

/** A stored relationship before and after a proposal. */
export interface ExpectedEdge {
  before: EdgeWithEnds;
  after: EdgeWithEnds;
}

/**
 * The nodes whose relationships rules may judge differently after a proposal, or which it may move or delete: sources of
 * merges first, targets last.
 */
export function nodesOfChangedEdges({ nodes, edgeSteps }: Expected): string[] {
  const changed = nodes.flatMap(({ before, after, ended }) => {
    const last = after ?? ended;
    return before && last && !isJudgedAlike(factsOf(before), factsOf(last)) ? [before.id] : [];
  });
  const merges = edgeSteps.filter((step) => step.kind === 'merge');
  const sources = merges.flatMap(({ sourceIds }) => [...sourceIds]);
  return [...new Set([...sources, ...changed, ...merges.map(({ targetId }) => targetId)])];
}

/**
 * The relationships that are left after the proposal, between other nodes than now or nodes that rules judge differently.
 * Nodes that are deleted, or that the proposal ends, are taken as restored: their relationships come back with them.
 * @param stored relationships at {@link nodesOfChangedEdges}
 */
export async function expectedEdges(
  stored: readonly EdgeWithEnds[],
  { nodes: all, edgeSteps }: Expected,
): Promise<ExpectedEdge[]> {
  const left = await edgesAfter(
    stored.map(({ edge }) => edge),
    edgeSteps,
  );
  const nodes = new Map(all.map((node) => [idOf(node), node]));
  const factsAfter = (id: string, facts: NodeFacts): NodeFacts => {
    const node = nodes.get(id);
    const last = node?.after ?? node?.ended ?? node?.before ?? null;
    return last === null ? facts : factsOf(last);
  };
  const found: ExpectedEdge[] = [];
  for (const before of stored) {
    const pause = rest();
    if (pause !== undefined) await pause;
    const edge = left.get(before.edge.id);
    if (edge === undefined) continue;
    const from = factsAfter(edge.from_node_id, before.from);
    const to = factsAfter(edge.to_node_id, before.to);
    if (isJudgedAlike(before.from, from) && isJudgedAlike(before.to, to)) continue;
    found.push({ before, after: { edge, from, to } });
  }
  return found;
}

/** The id of a node; a deleted one has only a state before. */
const idOf = ({ before, after }: ExpectedNode): string | undefined => (before ?? after)?.id;

/** True if every rule says the same of two states. */
const isJudgedAlike = (one: NodeFacts, other: NodeFacts): boolean =>
  one.id === other.id &&
  one.schemaId === other.schemaId &&
  one.nodeType === other.nodeType &&
  isSame(one.tagIds, other.tagIds);
