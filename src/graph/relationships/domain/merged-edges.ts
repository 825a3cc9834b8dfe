import { type Ends, type Relationship } from './relationship.js';

/** The fields of an edge that decide where a merge moves it. */
export type MovableEdge = Pick<
  Relationship,
  'id' | 'from_node_id' | 'to_node_id' | 'relationship_type' | 'graph_view' | 'created_at'
>;

/**
 * The result for an edge when one of its nodes is merged into another: new ends, or null when it is
 * deleted.
 */
export interface MergedEdge<Edge extends MovableEdge = Relationship> {
  edge: Edge;
  ends: Ends | null;
}

/**
 * The most edges that the merges of one proposal may move: its transaction holds locks meanwhile, and writes a change
 * with a whole edge for each.
 */
export const MOST_MOVED_EDGES = 5_000;

/** The ends of an edge after a merge. */
export function endsAfter(
  { from_node_id, to_node_id }: Ends,
  targetId: string,
  sources: ReadonlySet<string>,
): Ends {
  const moved = (id: string): string => (sources.has(id) ? targetId : id);
  return { from_node_id: moved(from_node_id), to_node_id: moved(to_node_id) };
}

/** Equal for edges that are duplicates of each other. */
export const sameness = ({
  from_node_id,
  to_node_id,
  relationship_type,
  graph_view,
}: Omit<MovableEdge, 'id' | 'created_at'>): string =>
  [from_node_id, to_node_id, graph_view, relationship_type].join(' ');

/**
 * Moves edges of the sources to the target. Loops are deleted, and so are duplicates of another edge at the
 * same ends; the older one stays.
 * @param edges the living edges at the sources, and those at the target that would be their duplicates
 */
export function mergedEdges<Edge extends MovableEdge>(
  edges: readonly Edge[],
  targetId: string,
  sources: ReadonlySet<string>,
): MergedEdge<Edge>[] {
  const touches = ({ from_node_id, to_node_id }: Ends) =>
    sources.has(from_node_id) || sources.has(to_node_id);
  const taken = new Set(edges.filter((edge) => !touches(edge)).map(sameness));
  return edges
    .filter(touches)
    .sort(byAge)
    .map((edge) => {
      const ends = endsAfter(edge, targetId, sources);
      const key = sameness({ ...edge, ...ends });
      const isLost = ends.from_node_id === ends.to_node_id || taken.has(key);
      taken.add(key);
      return { edge, ends: isLost ? null : ends };
    });
}

const byAge = (a: MovableEdge, b: MovableEdge): number =>
  a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
