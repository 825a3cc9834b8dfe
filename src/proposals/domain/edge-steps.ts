import { rest } from '../../kernel/slices.js';
import { type MergedEdge, mergedEdges, type MovableEdge, type RelationshipBody } from '../../graph/index.js';

interface MergeStep {
  kind: 'merge';
  targetId: string;
  sourceIds: ReadonlySet<string>;
}

/** The effect of one action on relationships; a merge moves those of its sources, or deletes them as loops or duplicates. */
export type EdgeStep =
  MergeStep | { kind: 'update'; id: string; fields: RelationshipBody } | { kind: 'delete'; id: string };

/** The relationships that steps leave of these, with the ends and fields that they give them, by id. */
export async function edgesAfter<Edge extends MovableEdge>(
  edges: readonly Edge[],
  steps: readonly EdgeStep[],
): Promise<Map<string, Edge>> {
  const left = new Map(edges.map((edge) => [edge.id, edge]));
  for (const step of steps) {
    take(left, step);
    await rest();
  }
  return left;
}

function take<Edge extends MovableEdge>(left: Map<string, Edge>, step: EdgeStep): void {
  if (step.kind === 'delete') left.delete(step.id);
  else if (step.kind === 'update') {
    const edge = left.get(step.id);
    if (edge !== undefined) left.set(step.id, { ...edge, ...step.fields });
  } else
    for (const { edge, ends } of mergedEdges([...left.values()], step.targetId, step.sourceIds)) {
      if (ends === null) left.delete(edge.id);
      else left.set(edge.id, { ...edge, ...ends });
    }
}

/**
 * Relationships as the steps up to now leave them, for one pass over many merges: each merge names the stored
 * relationships at its nodes when its turn comes, and no step is taken twice.
 */
export class EdgesSoFar {
  /** The relationships that steps have moved, changed or deleted, by id; null for a deleted one. */
  private readonly touched = new Map<string, MovableEdge | null>();
  /** The fields that steps give to relationships that no merge has moved yet, by id. */
  private readonly words = new Map<string, RelationshipBody>();
  private next: readonly MergedEdge<MovableEdge>[] = [];

  /**
   * The relationships that a merge moves or deletes.
   * @param stored those at its nodes
   */
  merged(
    stored: readonly MovableEdge[],
    { targetId, sourceIds }: Omit<MergeStep, 'kind'>,
  ): MergedEdge<MovableEdge>[] {
    const isAt = (id: string) => id === targetId || sourceIds.has(id);
    const left = stored.filter(({ id }) => !this.touched.has(id));
    const edges = left.map((edge) => ({ ...edge, ...this.words.get(edge.id) }));
    for (const edge of this.touched.values())
      if (edge !== null && (isAt(edge.from_node_id) || isAt(edge.to_node_id))) edges.push(edge);
    return mergedEdges(edges, targetId, sourceIds);
  }

  /** Names the outcome of the merge that is taken next; without it that merge moves nothing. */
  expect(outcome: readonly MergedEdge<MovableEdge>[]): void {
    this.next = outcome;
  }

  take(step: EdgeStep): void {
    if (step.kind === 'delete') this.touched.set(step.id, null);
    else if (step.kind === 'update') this.change(step.id, step.fields);
    else {
      for (const { edge, ends } of this.next)
        this.touched.set(edge.id, ends === null ? null : { ...edge, ...ends });
      this.next = [];
    }
  }

  private change(id: string, fields: RelationshipBody): void {
    const edge = this.touched.get(id);
    if (edge === undefined) this.words.set(id, { ...this.words.get(id), ...fields });
    else if (edge !== null) this.touched.set(id, { ...edge, ...fields });
  }
}
