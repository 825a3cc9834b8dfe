import { exposureOf, facts, health, nodeWith, work } from '../../../../test/support/exposures.js';
import { Slices } from '../../../kernel/slices.js';
import { sees } from '../visibility.js';

const mask = (apply_to: object, config: object = { paths: ['title', 'value'] }) => ({
  type: 'field_mask',
  config,
  apply_to,
});
const onHealth = mask({ tag_ids: [health] });
const inHealth = { id: 'a', tagIds: [health], nodeType: 'NOTE' };
const inWork = { id: 'a', tagIds: [work], nodeType: 'NOTE' };
const inBoth = { id: 'a', tagIds: [health, work], nodeType: 'NOTE' };
const measurement = { id: 'a', tagIds: [work], nodeType: 'MEASUREMENT' };
const knowsAll = () => true;

describe('history', () => {
  it('a past state is shown by what concerns any of the states given', async () => {
    const exposure = exposureOf([onHealth]);
    expect(exposure.expose(nodeWith(), inWork)).toHaveProperty('value');
    expect(exposure.expose(nodeWith(), [inWork, inHealth])).not.toHaveProperty('value');
    expect(exposure.exposeValue('title', 'x', [inHealth, inWork])).toBeUndefined();
    const story = exposure.story({ path: 'title', value: 'x' }, [inWork, inHealth], new Slices(1_000));
    expect(await story).toMatchObject({ hiddenBy: 'transformations' });
  });

  it('a past state is shown by the facts of one state as by that state alone', () => {
    const exposure = exposureOf(['pii_redaction', onHealth]);
    expect(exposure.expose(nodeWith(), [facts])).toEqual(exposure.expose(nodeWith(), facts));
  });
});

describe('steps', () => {
  const loosens = (
    transformations: unknown,
    before: typeof inWork,
    after: typeof inWork,
    isKnownTag: (id: string) => boolean = knowsAll,
  ) => exposureOf(transformations).loosens({ before, after, isKnownTag });

  it.each([
    ['takes off the tag that a mask is bound to', [onHealth], inBoth, inWork],
    ['leaves the type that a mask is bound to', [mask({ node_types: ['MEASUREMENT'] })], measurement, inWork],
    [
      'leaves one of two bindings',
      [mask({ tag_ids: [health], node_types: ['NOTE'] })],
      inHealth,
      measurement,
    ],
    [
      'cuts a text off before it is searched for personal data',
      [
        { type: 'truncate', config: { field: 'value', max: 9 }, apply_to: { tag_ids: [health] } },
        'pii_redaction',
      ],
      inWork,
      inBoth,
    ],
    [
      'redacts a text before it is cut off, which then ends further on',
      [
        { type: 'pii_redaction', config: { replacement: '' }, apply_to: { tag_ids: [health] } },
        { type: 'truncate', config: { field: 'value', max: 9 } },
      ],
      inWork,
      inBoth,
    ],
  ])('a step of a node loosens where it %s', (_, transformations, before, after) => {
    expect(loosens(transformations, before, after)).toBe(true);
  });

  it.each([
    ['nothing is bound', ['pii_redaction', mask({})], inBoth, measurement],
    ['nothing concerned it', [mask({ node_types: ['MEASUREMENT'] })], inWork, inHealth],
    ['a mask comes to concern it', [onHealth], inWork, inBoth],
    ['another binding of the same mask holds', [mask({ tag_ids: [health, work] })], inBoth, inWork],
    ['what takes a field away whole comes first', [onHealth, 'pii_redaction'], inWork, inBoth],
    [
      'what comes first is about another field',
      [
        { type: 'truncate', config: { field: 'title', max: 9 }, apply_to: { tag_ids: [health] } },
        { type: 'truncate', config: { field: 'value', max: 9 } },
      ],
      inWork,
      inBoth,
    ],
    [
      'what comes to concern it works last',
      [
        'pii_redaction',
        { type: 'truncate', config: { field: 'value', max: 9 }, apply_to: { tag_ids: [health] } },
      ],
      inWork,
      inBoth,
    ],
  ])('a step of a node does not loosen where %s', (_, transformations, before, after) => {
    expect(loosens(transformations, before, after)).toBe(false);
  });

  it('a step of a node is judged alike whether the node carries tags that its writer may not know', () => {
    const bound = [mask({ tag_ids: [health], node_types: ['NOTE'] })];
    const knowsWork = (id: string) => id === work;
    for (const before of [inBoth, inWork]) {
      expect(loosens(bound, before, { ...before, nodeType: 'GOAL' }, knowsWork)).toBe(true);
    }
    for (const before of [inBoth, inWork]) {
      const after = { ...before, tagIds: before.tagIds.filter((id) => id !== work) };
      expect(loosens([mask({ tag_ids: [health, work] })], before, after, knowsWork)).toBe(true);
      expect(loosens([onHealth], before, after, knowsWork)).toBe(false);
    }
  });
});

describe('unaltered fields', () => {
  const of = ({ tagIds, nodeType }: typeof inWork) => ({
    id: health,
    tagIds,
    schemaId: null,
    nodeType,
    createdAt: new Date(0),
  });
  const unaltered = (transformations: unknown, state: typeof inWork) =>
    sees(exposureOf(transformations).unaltered('title', 'value', 'metadata'), of(state));

  it('the nodes of which some fields are shown as they are stored are those that no transformation of these fields concerns', () => {
    const bound = [onHealth, mask({ node_types: ['MEASUREMENT'] }), 'round_date'];
    expect(unaltered([], inBoth)).toBe(true);
    expect(unaltered(bound.slice(0, 2), inWork)).toBe(true);
    for (const state of [inHealth, inBoth, measurement])
      expect(unaltered(bound.slice(0, 2), state)).toBe(false);
    expect(unaltered([mask({}, { paths: ['importance_score'], strategy: 'null' })], inHealth)).toBe(true);
  });

  it('the nodes of which some fields are shown as they are stored are none where a transformation of these fields is bound to nothing', () => {
    expect(exposureOf(['pii_redaction']).unaltered('title')).toEqual({ kind: 'none' });
  });

  it('the nodes of which some fields are shown as they are stored are the same object for the same fields, since their SQL is remembered by it', () => {
    const exposure = exposureOf([onHealth]);
    expect(exposure.unaltered('title', 'value')).toBe(exposure.unaltered('title', 'value'));
    expect(exposure.unaltered('created_at')).toEqual({ kind: 'all' });
  });
});
