import { type EdgeWithEnds, type NodeRecord } from '../../graph/index.js';
import { TagVocabulary } from '../../privacy/index.js';
import { expectedEdges, nodesOfChangedEdges } from './expected-edges.js';
import { type Expected } from './expected-nodes.js';

const AT = new Date('2026-01-01');

const node = (id: string, node_type = 'NOTE'): NodeRecord =>
  ({ id, node_type, tag_ids: [], schema_id: null, created_at: AT }) as unknown as NodeRecord;
const facts = (id: string) => ({ id, tagIds: [], schemaId: null, nodeType: 'NOTE', createdAt: AT });
const edge = (name: string): EdgeWithEnds => {
  const [from, to] = [name[0] as string, name[1] as string];
  const stored = { id: name, from_node_id: from, to_node_id: to, created_at: AT, relationship_type: 'r' };
  return {
    edge: { ...stored, graph_view: 'identity' },
    from: facts(from),
    to: facts(to),
  } as unknown as EdgeWithEnds;
};
const expecting = (rest: Partial<Expected>): Expected => ({
  nodes: [],
  newEdges: [],
  edgeSteps: [],
  vocabulary: new TagVocabulary([]),
  ...rest,
});
const merged = (...pairs: [source: string, target: string][]): Partial<Expected> => ({
  nodes: [...new Set(pairs.flat())].map((id) => ({
    before: node(id),
    after: pairs.some(([source]) => source === id) ? null : node(id),
    sources: [],
    taken: new Map(),
  })),
  edgeSteps: pairs.map(([source, targetId]) => ({ kind: 'merge', targetId, sourceIds: new Set([source]) })),
});
const endsAfter = async (names: string[], expected: Expected) =>
  (await expectedEdges(names.map(edge), expected)).map(({ after: { edge: each, from, to } }) => [
    each.id,
    from.id + to.id,
  ]);

describe('relationships after a proposal', () => {
  it('relationships of a merged node move to the last target of a chain of merges', async () => {
    const expected = expecting(merged(['a', 'b'], ['b', 'c']));
    expect(await endsAfter(['ax', 'xa', 'cx', 'xy'], expected)).toEqual([['xa', 'xc']]);
    expect(await endsAfter(['ax', 'xa', 'xy'], expected)).toEqual([
      ['ax', 'cx'],
      ['xa', 'xc'],
    ]);
  });

  it('relationships that become loops, or are deleted by name, and those of an unchanged deleted node are absent', async () => {
    const { edgeSteps = [], nodes = [] } = merged(['a', 'b']);
    const merge = expecting({ nodes, edgeSteps: [...edgeSteps, { kind: 'delete', id: 'ay' }] });
    expect(await endsAfter(['ab', 'ax', 'ay'], merge)).toEqual([['ax', 'bx']]);
    const deletion = { before: node('x'), after: null, sources: [], taken: new Map() };
    expect(await endsAfter(['xy'], expecting({ nodes: [deletion] }))).toEqual([]);
  });

  it('relationships are compared only at nodes that rules judge differently, or that are merged', () => {
    const moved = { before: node('a'), after: node('a', 'DIARY'), sources: [], taken: new Map() };
    const kept = { before: node('b'), after: { ...node('b'), title: 'new' }, sources: [], taken: new Map() };
    const made = { before: null, after: node('c'), sources: [], taken: new Map() };
    expect(nodesOfChangedEdges(expecting({ nodes: [moved, kept, made] }))).toEqual(['a']);
    expect(nodesOfChangedEdges(expecting(merged(['a', 'b'])))).toEqual(['a', 'b']);
  });
});
