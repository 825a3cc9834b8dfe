import { markOf, type NodeState, rebase, sameState } from '../../src/import/import-state.js';

const state = (
  given: Partial<NodeState> & { properties?: Record<string, unknown>; version?: number } = {},
): NodeState => {
  const { properties = { a: 1, b: 2 }, version = 1, ...rest } = given;
  return {
    title: 'Title',
    value: 'text',
    node_type: 'NOTE',
    meaning_level: 'CONTEXT',
    metadata: { properties, source: { importer: 'x', ref: 'r', version } },
    tag_ids: ['t1', 't2'],
    ...rest,
  };
};

it('an import that says the same is the same, whatever the order of keys and tags', () => {
  const other = state({ properties: { b: 2, a: 1 }, tag_ids: ['t2', 't1'], version: 7 });
  expect(sameState(state(), other)).toBe(true);
  expect(sameState(state(), state({ properties: { a: 1 } }))).toBe(false);
});

it('keeps what the person changed and takes what the source changed', () => {
  const current = state({
    title: 'Mine',
    properties: { a: 1, b: 2, mine: true },
    tag_ids: ['t1', 't2', 'private'],
  });
  const next = state({ value: 'new text', properties: { a: 9, c: 3 }, tag_ids: ['t2', 't3'] });
  expect(rebase(state(), current, next)).toMatchObject({
    title: 'Mine',
    value: 'new text',
    metadata: { properties: { a: 9, c: 3, mine: true } },
    tag_ids: ['t2', 'private', 't3'],
  });
});

it('takes the source where both changed the same', () => {
  expect(rebase(state(), state({ value: 'mine' }), state({ value: 'new' })).value).toBe('new');
});

it('does not bring back a tag that the person took off', () => {
  expect(rebase(state(), state({ tag_ids: ['t1'] }), state()).tag_ids).toEqual(['t1']);
});

it('never takes the last tag', () => {
  expect(rebase(state(), state(), state({ tag_ids: [] })).tag_ids).toEqual(['t1', 't2']);
});

it('marks tell nothing about paths and differ by collection', () => {
  expect(markOf('vault', 'private/diary.md')).toMatch(/^[\w-]{6}\.[\w-]{22}$/);
  expect(markOf('vault', 'a.md')).not.toBe(markOf('other', 'a.md'));
});
