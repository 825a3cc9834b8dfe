import fc from 'fast-check';
import { type MovableEdge } from '../../graph/index.js';
import { edgesAfter, EdgesSoFar, type EdgeStep } from './edge-steps.js';

const IDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const edgeOf = ([from, to, type]: string[], index: number): MovableEdge => ({
  id: `e${index}`,
  from_node_id: from as string,
  to_node_id: to as string,
  relationship_type: type as string,
  graph_view: 'identity',
  created_at: new Date(index),
});

const someEdges = fc
  .array(fc.tuple(fc.constantFrom(...IDS), fc.constantFrom(...IDS), fc.constantFrom('r', 's')), {
    maxLength: 12,
  })
  .map((all) => all.filter(([from, to]) => from !== to).map(edgeOf));

/** Steps of a proposal: a merged node is named by none of them again. */
const someSteps = fc
  .array(
    fc.record({
      kind: fc.constantFrom('merge', 'update', 'delete'),
      edge: fc.nat(11),
      type: fc.constantFrom('r', 's'),
      target: fc.constantFrom(...IDS),
      source: fc.constantFrom(...IDS),
    }),
    { maxLength: 8 },
  )
  .map((all) => {
    const gone = new Set<string>();
    return all.flatMap(({ kind, edge, type, target, source }): EdgeStep[] => {
      if (kind === 'delete') return [{ kind, id: `e${edge}` }];
      if (kind === 'update') return [{ kind, id: `e${edge}`, fields: { relationship_type: type } }];
      if (target === source || gone.has(target) || gone.has(source)) return [];
      gone.add(source);
      return [{ kind: 'merge', targetId: target, sourceIds: new Set([source]) }];
    });
  });

describe('EdgesSoFar', () => {
  it('one pass over steps finds for each merge what replaying all steps before it finds', async () => {
    await fc.assert(
      fc.asyncProperty(someEdges, someSteps, async (stored, steps) => {
        const soFar = new EdgesSoFar();
        for (const [index, step] of steps.entries()) {
          if (step.kind === 'merge') {
            const isAt = (id: string) => id === step.targetId || step.sourceIds.has(id);
            const named = stored.filter(({ from_node_id: from, to_node_id: to }) => isAt(from) || isAt(to));
            const before = await edgesAfter(stored, steps.slice(0, index));
            const after = await edgesAfter(stored, steps.slice(0, index + 1));
            const moved = soFar.merged(named, step);
            const touched = [...before.values()].filter(
              ({ from_node_id: from, to_node_id: to }) => step.sourceIds.has(from) || step.sourceIds.has(to),
            );
            const outcome = moved.map(({ edge, ends }): [string, unknown] => [
              edge.id,
              ends === null ? undefined : { ...edge, ...ends },
            ]);
            expect(new Map(outcome)).toEqual(new Map(touched.map(({ id }) => [id, after.get(id)])));
            soFar.expect(moved);
          }
          soFar.take(step);
        }
      }),
    );
  });

  it('a merge whose outcome was not expected moves nothing', () => {
    const soFar = new EdgesSoFar();
    const [edge] = [['a', 'c', 'r']].map(edgeOf) as [MovableEdge];
    const merge = { kind: 'merge' as const, targetId: 'b', sourceIds: new Set(['a']) };
    soFar.take(merge);
    expect(soFar.merged([edge], merge)).toEqual([{ edge, ends: { from_node_id: 'b', to_node_id: 'c' } }]);
  });
});
