import { changeRelationship, newRelationship, reverseOf } from './relationship.js';

const at = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const edge = newRelationship(
  { owner_id: 'o', id: 'r', from_node_id: 'a', to_node_id: 'b', at },
  { relationship_type: 'knows', strength: 0.5 },
);

describe('reverseOf and changeRelationship', () => {
  it('a relationship begins as version 1 of the identity view', () => {
    expect(edge).toMatchObject({
      version: 1,
      graph_view: 'identity',
      bidirectional: false,
      strength: 0.5,
      context: null,
    });
  });

  it('a relationship has a reverse that differs in id and direction only', () => {
    expect(reverseOf(edge, 'x')).toEqual({ ...edge, id: 'x', from_node_id: 'b', to_node_id: 'a' });
  });

  it('a relationship takes what is given, clears with null and keeps what is absent', () => {
    const step = changeRelationship(
      edge,
      { strength: null, context: 'met at sea', confidence: undefined },
      { at: later },
    );
    expect(step?.edge).toEqual({
      ...edge,
      strength: null,
      context: 'met at sea',
      version: 2,
      updated_at: later,
    });
    expect(step?.changed).toEqual({
      strength: { old: 0.5, new: null },
      context: { old: null, new: 'met at sea' },
    });
  });

  it('a relationship has no new version when nothing differs', () => {
    expect(changeRelationship(edge, { strength: 0.5, graph_view: 'identity' }, { at: later })).toBeNull();
  });
});
