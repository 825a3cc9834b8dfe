import { rest } from '../../kernel/slices.js';
import { mergedEdges, type MovableEdge, type RelationshipBody } from '../../graph/index.js';

/** The effect of one action on relationships; a merge moves those of its sources, or deletes them as loops or duplicates. */
export type EdgeStep =
  | { kind: 'merge'; targetId: string; sourceIds: ReadonlySet<string> }
  | { kind: 'update'; id: string; fields: RelationshipBody }
  | { kind: 'delete'; id: string };

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

/** These nodes, and those whose relationships steps have moved to them. */
export function nodesBefore(ids: readonly string[], steps: readonly EdgeStep[]): string[] {
  const found = new Set(ids);
  for (const step of [...steps].reverse())
    if (step.kind === 'merge' && found.has(step.targetId)) for (const id of step.sourceIds) found.add(id);
  return [...found];
}
