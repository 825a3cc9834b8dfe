import { type Ends, type Relationship } from './relationship.js';

/** What becomes of an edge when one of its nodes is merged into another one: new ends, or null when it goes. */
export interface MergedEdge {
  edge: Relationship;
  ends: Ends | null;
}

/**
 * Edges of the sources move to the target. One that would lead from a node to itself goes, and one that says what
 * another at the same ends says already: the older stays.
 * @param edges all living ones at the target and the sources
 */
export function mergedEdges(
  edges: readonly Relationship[],
  targetId: string,
  sources: ReadonlySet<string>,
): MergedEdge[] {
  const touches = ({ from_node_id, to_node_id }: Ends) =>
    sources.has(from_node_id) || sources.has(to_node_id);
  const taken = new Set(edges.filter((edge) => !touches(edge)).map(sameness));
  const moved = (id: string): string => (sources.has(id) ? targetId : id);
  return edges
    .filter(touches)
    .sort(byAge)
    .map((edge) => {
      const ends = { from_node_id: moved(edge.from_node_id), to_node_id: moved(edge.to_node_id) };
      const key = sameness({ ...edge, ...ends });
      const isLost = ends.from_node_id === ends.to_node_id || taken.has(key);
      taken.add(key);
      return { edge, ends: isLost ? null : ends };
    });
}

const sameness = ({ from_node_id, to_node_id, relationship_type, graph_view }: Relationship): string =>
  JSON.stringify([from_node_id, to_node_id, relationship_type, graph_view]);

const byAge = (a: Relationship, b: Relationship): number =>
  a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
