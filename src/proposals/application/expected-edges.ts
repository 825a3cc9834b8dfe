import { isSame } from '../../kernel/json-values.js';
import { rest } from '../../kernel/slices.js';
import { type EdgeWithEnds, factsOf, mergedEdges, type Relationship } from '../../graph/index.js';
import { type NodeFacts } from '../../privacy/index.js';
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
export function nodesOfChangedEdges({ nodes, merges }: Expected): string[] {
  const changed = nodes.flatMap(({ before, after }) =>
    before !== null && after !== null && !isJudgedAlike(factsOf(before), factsOf(after)) ? [after.id] : [],
  );
  const sources = merges.flatMap(({ sourceIds }) => [...sourceIds]);
  return [...new Set([...sources, ...changed, ...merges.map(({ targetId }) => targetId)])];
}

/**
 * The relationships that are left after the proposal, between other nodes than now or nodes that rules judge differently.
 * @param stored relationships at {@link nodesOfChangedEdges}
 */
export async function expectedEdges(
  stored: readonly EdgeWithEnds[],
  expected: Expected,
): Promise<ExpectedEdge[]> {
  const left = await edgesAfterMerges(stored, expected);
  const nodes = new Map(expected.nodes.map((node) => [idOf(node), node]));
  const found: ExpectedEdge[] = [];
  for (const before of stored) {
    const pause = rest();
    if (pause !== undefined) await pause;
    const edge = left.get(before.edge.id);
    if (edge === undefined) continue;
    const factsAfter = (id: string, facts: NodeFacts): NodeFacts | null => {
      const node = nodes.get(id);
      if (node === undefined) return facts;
      return node.after && factsOf(node.after);
    };
    const from = factsAfter(edge.from_node_id, before.from);
    const to = factsAfter(edge.to_node_id, before.to);
    if (from === null || to === null) continue;
    if (isJudgedAlike(before.from, from) && isJudgedAlike(before.to, to)) continue;
    found.push({ before, after: { edge, from, to } });
  }
  return found;
}

/** The relationships that the proposal does not delete, with the ends that its merges give them, by id. */
async function edgesAfterMerges(
  stored: readonly EdgeWithEnds[],
  { merges, deletedEdges }: Expected,
): Promise<Map<string, Relationship>> {
  const left = new Map(
    stored.filter(({ edge }) => !deletedEdges.has(edge.id)).map(({ edge }) => [edge.id, edge]),
  );
  for (const { targetId, sourceIds } of merges) {
    for (const { edge, ends } of mergedEdges([...left.values()], targetId, sourceIds)) {
      if (ends === null) left.delete(edge.id);
      else left.set(edge.id, { ...edge, ...ends });
    }
    await rest();
  }
  return left;
}

/** The id of a node; a deleted one has only a state before. */
const idOf = ({ before, after }: ExpectedNode): string | undefined => (before ?? after)?.id;

/** True if every rule says the same of two states. */
const isJudgedAlike = (one: NodeFacts, other: NodeFacts): boolean =>
  one.id === other.id &&
  one.schemaId === other.schemaId &&
  one.nodeType === other.nodeType &&
  isSame(one.tagIds, other.tagIds);
