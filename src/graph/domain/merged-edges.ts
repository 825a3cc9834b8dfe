import { type Ends, type Relationship } from './relationship.js';

/**
 * The result for an edge when one of its nodes is merged into another: new ends, or null when it is
 * deleted.
 */
export interface MergedEdge {
  edge: Relationship;
  ends: Ends | null;
}

/**
 * Moves edges of the sources to the target. Loops are deleted, and so are duplicates of another edge at the
 * same ends; the older one stays.
 * @param edges all living edges at the target and the sources
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
