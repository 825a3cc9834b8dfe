/** A relationship of the source whose ends have been found. */
export interface WantedEdge {
  toId: string;
  type: string;
  context: string | null;
  /** True if the other end is a living node; an edge to a deleted node is neither created nor removed. */
  isToLiving: boolean;
}

export interface StoredEdge {
  id: string;
  to_node_id: string;
  relationship_type: string;
  context: string | null;
  made_for: string | null;
  changed_for: string | null;
  is_deleted: boolean;
}

export interface EdgeSituation {
  wanted: readonly WantedEdge[];
  /** Edges that start from the node, the living first. */
  stored: readonly StoredEdge[];
  /** The reason in the change log for everything that this import writes. */
  reason: string;
  /** True if the node itself has changed in the source since the last import. */
  isChanged: boolean;
}

export interface EdgePlan {
  create: WantedEdge[];
  update: { id: string; context: string | null }[];
  /** Ids. */
  delete: string[];
  unchanged: number;
}

/**
 * Decides what to do with the edges of one node. Only edges that the import made are removed with their
 * link. An edge that a person deleted in the service stays deleted; one that the import removed returns
 * with its link. A context that a person wrote stays until the node changes in the source; one of the import follows the
 * source in any case, because a run may have ended between the node and its edges.
 */
export function planEdges({ wanted, stored, reason, isChanged }: EdgeSituation): EdgePlan {
  const plan: EdgePlan = { create: [], update: [], delete: [], unchanged: 0 };
  const kept = new Set<StoredEdge>();
  const isOwn = ({ changed_for }: StoredEdge): boolean => changed_for === reason;
  for (const edge of wanted) {
    const known = stored.find(
      ({ to_node_id: to, relationship_type: type }) => to === edge.toId && type === edge.type,
    );
    if (known) kept.add(known);
    if (!known || (known.is_deleted && isOwn(known))) {
      if (edge.isToLiving) plan.create.push(edge);
    } else if (!known.is_deleted && known.context !== edge.context && (isChanged || isOwn(known))) {
      plan.update.push({ id: known.id, context: edge.context });
    } else {
      plan.unchanged += 1;
    }
  }
  const dropped = stored.filter((edge) => !edge.is_deleted && edge.made_for === reason && !kept.has(edge));
  plan.delete.push(...dropped.map(({ id }) => id));
  return plan;
}
