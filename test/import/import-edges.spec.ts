import { planEdges, type StoredEdge, type WantedEdge } from '../../src/import/import-edges.js';

const reason = 'import of notes';
const wanted = (given: Partial<WantedEdge> = {}): WantedEdge => ({
  toId: 'b',
  type: 'references',
  context: 'line',
  isToLiving: true,
  ...given,
});
const stored = (given: Partial<StoredEdge> = {}): StoredEdge => ({
  id: 'e',
  to_node_id: 'b',
  relationship_type: 'references',
  context: 'line',
  made_for: reason,
  changed_for: reason,
  is_deleted: false,
  ...given,
});
const plan = (want: WantedEdge[], have: StoredEdge[], isChanged = true) =>
  planEdges({ wanted: want, stored: have, reason, isChanged });
const nothing = { create: [], update: [], delete: [], unchanged: 0 };

it.each([
  ['makes what is missing', [wanted()], [], { ...nothing, create: [wanted()] }],
  ['leaves what is there', [wanted()], [stored()], { ...nothing, unchanged: 1 }],
  [
    'another type is another edge',
    [wanted({ type: 'mentions' })],
    [stored({ made_for: null })],
    { ...nothing, create: [wanted({ type: 'mentions' })] },
  ],
  [
    'writes a new context',
    [wanted({ context: 'new' })],
    [stored()],
    { ...nothing, update: [{ id: 'e', context: 'new' }] },
  ],
  ['takes away its own', [], [stored()], { ...nothing, delete: ['e'] }],
  [
    'never takes away another’s',
    [],
    [stored({ made_for: null }), stored({ made_for: 'import of other' })],
    nothing,
  ],
  [
    'leaves deleted what a person deleted',
    [wanted()],
    [stored({ is_deleted: true, changed_for: null })],
    { ...nothing, unchanged: 1 },
  ],
  [
    'brings back what it took away',
    [wanted()],
    [stored({ is_deleted: true })],
    { ...nothing, create: [wanted()] },
  ],
  ['makes none to a deleted node', [wanted({ isToLiving: false })], [], nothing],
  [
    'keeps those to a deleted node',
    [wanted({ isToLiving: false })],
    [stored()],
    { ...nothing, unchanged: 1 },
  ],
])('%s', (_, want, have, expected) => {
  expect(plan(want, have)).toEqual(expected);
});

it('keeps a context that a person wrote while the node stays as it is', () => {
  const mine = stored({ context: 'mine', changed_for: null });
  expect(plan([wanted({ context: 'line' })], [mine], false)).toEqual({ ...nothing, unchanged: 1 });
});

it('writes the context that an interrupted import did not get to, though its node is up to date', () => {
  expect(plan([wanted({ context: 'new' })], [stored()], false)).toEqual({
    ...nothing,
    update: [{ id: 'e', context: 'new' }],
  });
});
