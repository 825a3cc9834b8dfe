import { type DomainError } from '../../../kernel/errors/domain-error.js';
import { writtenFields } from '../../common/index.js';
import { Node, type NodeDraft, type NodeRevision } from './node.js';

const born = new Date('2026-01-01T10:00:00.000Z');
const later = new Date('2026-01-02T10:00:00.000Z');
const A = 'aaaaaaaa-0000-7000-8000-000000000000';
const B = 'bbbbbbbb-0000-7000-8000-000000000000';
const C = 'cccccccc-0000-7000-8000-000000000000';

const create = (draft: Partial<NodeDraft> = {}): Node =>
  Node.create(
    { title: 'Sailing', node_type: 'note', ...draft },
    { ownerId: 'owner', id: 'id', createdAt: born },
  );

const link = { relevance_score: 0.5, is_auto_generated: true, created_at: later.toISOString() };

function refusal(act: () => unknown): { code: string; details: unknown } {
  try {
    act();
  } catch (error) {
    const { code, details } = error as DomainError;
    return { code, details };
  }
  throw new Error('was not refused');
}

describe('creation', () => {
  it('a new node is CONTEXT, in the identity view, at version 1', () => {
    const { record } = create();
    expect(record).toMatchObject({
      meaning_level: 'CONTEXT',
      graph_view: 'identity',
      version: 1,
      tag_ids: [],
      value: null,
    });
  });

  it.each(['EXPERIENCE', 'BELIEF', 'ENTITY', 'GOAL'])(
    'a new node may be an identity node of type %s',
    (node_type) => {
      expect(create({ node_type, meaning_level: 'IDENTITY' }).record.node_type).toBe(node_type);
    },
  );

  it.each(['goal', 'note', 'RAW_FILE'])(
    'a new node is refused as an identity node of type %s',
    (node_type) => {
      expect(refusal(() => create({ node_type, meaning_level: 'IDENTITY' })).code).toBe('INVALID_NODE_TYPE');
    },
  );

  it('a new node has to fit the shape of its identity type', () => {
    const metadata = { properties: { status: 'sleeping' } };
    const { code, details } = refusal(() =>
      create({ node_type: 'GOAL', meaning_level: 'IDENTITY', metadata }),
    );
    expect(code).toBe('VALIDATION_ERROR');
    expect(details).toEqual([
      { field: 'metadata.properties.status', message: expect.stringContaining('paused') },
    ]);
  });

  it('a new node of another level is free in its properties, whatever its type is called', () => {
    expect(create({ node_type: 'GOAL', metadata: { properties: { status: 'sleeping' } } }).version).toBe(1);
  });

  it('a new node carries at most 50 tags', () => {
    const tag_ids = Array.from({ length: 51 }, (_, i) => String(i));
    expect(create({ tag_ids: tag_ids.slice(1) }).tagIds).toHaveLength(50);
    expect(refusal(() => create({ tag_ids })).code).toBe('VALIDATION_ERROR');
  });
});

describe('changing a node', () => {
  it('tells old and new of exactly the fields that differ', () => {
    const node = create({ value: 'a', importance_score: 0.5 });
    const step = node.change({ title: 'Rowing', value: 'a', importance_score: null }, later) as NodeRevision;
    expect(step.action).toBe('updated');
    expect(step.changedFields).toEqual({
      title: { old: 'Sailing', new: 'Rowing' },
      importance_score: { old: 0.5, new: null },
    });
    expect(step.node.record).toMatchObject({ version: 2, updated_at: later, created_at: born });
    expect(node.record.title).toBe('Sailing');
  });

  it('makes no version when nothing differs, in whatever order keys and tags come', () => {
    const node = create({ metadata: { a: 1, b: [{ c: 2, d: 3 }] }, tag_ids: [A, B] });
    expect(
      node.change({ metadata: { b: [{ d: 3, c: 2 }], a: 1 }, tag_ids: [B, A], title: 'Sailing' }, later),
    ).toBeNull();
    expect(node.change({}, later)).toBeNull();
  });

  it('takes the order of an array for a difference', () => {
    expect(create({ metadata: { a: [1, 2] } }).change({ metadata: { a: [2, 1] } }, later)).not.toBeNull();
  });

  it('re-checks the node type', () => {
    const note = create();
    expect(refusal(() => note.change({ meaning_level: 'IDENTITY' }, later)).code).toBe('INVALID_NODE_TYPE');
    const goal = create({
      node_type: 'GOAL',
      meaning_level: 'IDENTITY',
      metadata: { properties: { status: 'paused' } },
    });
    expect(refusal(() => goal.change({ node_type: 'note' }, later)).code).toBe('INVALID_NODE_TYPE');
    expect(refusal(() => goal.change({ node_type: 'BELIEF' }, later)).code).toBe('VALIDATION_ERROR');
  });

  it.each([
    ['tag_added', [A, B]],
    ['tag_removed', []],
    ['updated', [B]],
  ])('a change of nothing but tags is called %s', (action, tag_ids) => {
    const step = create({ tag_ids: [A] }).change({ tag_ids }, later) as NodeRevision;
    expect(step).toMatchObject({ action, changedFields: { tag_ids: { old: [A], new: tag_ids } } });
  });

  it('a change is called updated where it names a hidden field beside tags, changed or not', () => {
    const node = create({ tag_ids: [A, B], value: 'hidden' });
    const fields = ['value'];
    const right = node.naming(fields, node.change({ tag_ids: [A], value: 'hidden' }, later), later);
    const wrong = node.naming(fields, node.change({ tag_ids: [A], value: 'guess' }, later), later);
    expect([right?.action, wrong?.action]).toEqual(['updated', 'updated']);
    expect(Object.keys(right?.changedFields ?? {}).sort()).toEqual(['tag_ids', 'value']);
  });

  it('forgets the schema version with the schema', () => {
    const node = Node.of({ ...create({ schema_id: A }).record, schema_version: 3 });
    expect(node.change({ schema_id: B }, later)?.node.record.schema_version).toBeNull();
    expect(node.change({ title: 'x' }, later)?.node.record.schema_version).toBe(3);
  });
});

describe('tagging', () => {
  const alive = () => true;

  it('the tags of a node are added once', () => {
    const step = create({ tag_ids: [A] }).addTag(B, link, later) as NodeRevision;
    expect(step.action).toBe('tag_added');
    expect(step.node.tagIds).toEqual([A, B]);
    expect(step.node.linkOf(B)).toEqual(link);
    expect(step.node.addTag(B, link, later)).toBeNull();
  });

  it('tags given with the node are linked since then', () => {
    const made = { relevance_score: null, is_auto_generated: false, created_at: born.toISOString() };
    expect(create({ tag_ids: [A] }).linkOf(A)).toEqual(made);
  });

  it('the tags of a node are removed one by one while another lives', () => {
    const step = create({ tag_ids: [A, B] }).removeTag(A, alive, later);
    expect(step.action).toBe('tag_removed');
    expect(step.node.tagIds).toEqual([B]);
    expect(step.node.isDeleted).toBe(false);
  });

  it('the tags of a node take the node with them when the last living one goes', () => {
    const step = create({ tag_ids: [A, B] }).removeTag(A, (id) => id !== B, later);
    expect(step.action).toBe('deleted');
    expect(step.node.isDeleted).toBe(true);
    expect(step.changedFields).toBeNull();
    const restored = step.node.restore(later) as NodeRevision;
    expect(restored.node.tagIds).toEqual([A, B]);
  });

  it('the tags of a node keep their links when others come', () => {
    const node = (create({ tag_ids: [A] }).addTag(B, link, later) as NodeRevision).node;
    const step = node.change({ tag_ids: [B, C] }, later) as NodeRevision;
    expect(step.node.linkOf(B)).toEqual(link);
    expect(step.node.linkOf(C).created_at).toBe(later.toISOString());
    expect(Object.keys(step.node.record.tag_links)).toEqual([B, C]);
  });
});

describe('deletion', () => {
  it('deleting and restoring a node are versions', () => {
    const deleted = create().delete(later);
    expect(deleted).toMatchObject({ action: 'deleted', changedFields: null });
    expect(deleted.node.record).toMatchObject({ version: 2, deleted_at: later });
    const restored = deleted.node.restore(later) as NodeRevision;
    expect(restored.action).toBe('restored');
    expect(restored.node.record).toMatchObject({ version: 3, deleted_at: null });
    expect(restored.node.restore(later)).toBeNull();
  });
});

describe('snapshots', () => {
  it('a snapshot older than a field reads as if the field had its default', () => {
    const { importance_score: _score, graph_view: _view, ...older } = create().snapshot();
    expect(writtenFields(older)).toMatchObject({ importance_score: null, graph_view: 'identity' });
  });

  it('a snapshot is the whole state in wire form', () => {
    const snapshot = create({ tag_ids: [A], graph_view: 'neutral' }).snapshot();
    expect(snapshot).toMatchObject({
      tag_ids: [A],
      graph_view: 'neutral',
      created_at: born.toISOString(),
      version: 1,
    });
    expect(snapshot).not.toHaveProperty('deleted_at');
    expect(create().delete(later).node.snapshot().deleted_at).toBe(later.toISOString());
  });
});
