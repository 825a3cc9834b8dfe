import {
  type LastState,
  lastStateOf,
  markOf,
  type NodeState,
  rebase,
  sameState,
  sourceStateOf,
  stateWithoutTags,
} from '../../src/import/import-state.js';

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

/** The stored last state of the source. */
const said = (given: Parameters<typeof state>[0] = {}, added: string[] = []): LastState => ({
  ...sourceStateOf(state(given), added),
  knowsTags: true,
});
const asked = (given: Parameters<typeof state>[0] = {}, added: string[] = []) => ({
  next: state(given),
  added,
});

it('keeps what the person changed and takes what the source changed', () => {
  const current = state({
    title: 'Mine',
    properties: { a: 1, b: 2, mine: true },
    tag_ids: ['t1', 't2', 'private'],
  });
  const next = asked({ value: 'new text', properties: { a: 9, c: 3 }, tag_ids: ['t2', 't3'] });
  expect(rebase(said(), current, next)).toMatchObject({
    title: 'Mine',
    value: 'new text',
    metadata: { properties: { a: 9, c: 3, mine: true } },
    tag_ids: ['t2', 'private', 't3'],
  });
});

it('takes the source where both changed the same', () => {
  expect(rebase(said(), state({ value: 'mine' }), asked({ value: 'new' })).value).toBe('new');
});

it('keeps a property that the source has dropped and the person has changed', () => {
  const current = state({ properties: { a: 'mine', b: 2 } });
  expect(rebase(said(), current, asked({ properties: {} })).metadata).toMatchObject({
    properties: { a: 'mine' },
  });
});

it('a repeated import does not bring back a tag that the person took off', () => {
  expect(rebase(said(), state({ tag_ids: ['t1'] }), asked()).tag_ids).toEqual(['t1']);
});

it('a repeated import never takes the last tag', () => {
  expect(rebase(said(), state(), asked({ tag_ids: [] })).tag_ids).toEqual(['t1', 't2']);
});

it('keeps tags that an option added, also where the source gave them once, too', () => {
  const current = state({ tag_ids: ['t1', 't2', 'private'] });
  expect(rebase(said({}, ['private']), current, asked()).tag_ids).toEqual(['t1', 't2', 'private']);
  expect(rebase(said({}, ['t1']), state(), asked({ tag_ids: ['t2'] })).tag_ids).toEqual(['t1', 't2']);
});

it('adds the tags of an option, but none again that the person took off after it was added', () => {
  expect(rebase(said(), state(), asked({}, ['new'])).tag_ids).toEqual(['t1', 't2', 'new']);
  expect(rebase(said({}, ['public']), state(), asked({}, ['public'])).tag_ids).toEqual(['t1', 't2']);
});

it('takes no tag off where nobody knows which tags the source gave', () => {
  const last = stateWithoutTags(state({ tag_ids: ['t1', 't2'] }));
  expect(rebase(last, state(), asked({ tag_ids: ['t3'] }, ['t4'])).tag_ids).toEqual(['t1', 't2', 't3', 't4']);
});

it('reads whatever is stored as the last state', () => {
  expect(lastStateOf({ tag_ids: 'x', properties: 3, title: {} })).toMatchObject({
    tag_ids: [],
    properties: {},
  });
  expect(lastStateOf({ ...sourceStateOf(state(), ['t9']) })).toEqual(said({}, ['t9']));
});

it('marks tell nothing about paths and differ by collection', () => {
  expect(markOf('vault', 'private/diary.md')).toMatch(/^[\w-]{6}\.[\w-]{22}$/);
  expect(markOf('vault', 'a.md')).not.toBe(markOf('other', 'a.md'));
});
