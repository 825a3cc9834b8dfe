import fc from 'fast-check';
import { IntegerField, NestedField, ObjectField, StringField } from '../fields/fields.js';
import { selected, selectionOf, wrongName } from './selection.js';

class InnerDto {
  @StringField()
  id: string;

  @StringField({ optional: true })
  title?: string;
}

class ItemDto {
  @StringField()
  id: string;

  @StringField({ optional: true })
  title?: string;

  @IntegerField({ optional: true })
  version?: number;

  @ObjectField({ optional: true })
  metadata?: Record<string, unknown>;

  @NestedField(() => InnerDto, { optional: true })
  from_node?: InnerDto;
}

const ITEM = {
  id: '1',
  title: 'Boat',
  version: 3,
  metadata: { properties: { city: 'Lisbon', list: [{ a: 1, b: 2 }, 'x', null] }, empty: null },
  from_node: { id: '2', title: 'Harbour' },
};

const select = (...names: string[]) => selected(ITEM, selectionOf(names, ItemDto));

describe('selected', () => {
  it.each([
    [['title'], { id: '1', title: 'Boat' }],
    [['metadata.properties.city'], { id: '1', metadata: { properties: { city: 'Lisbon' } } }],
    [['from_node.title'], { id: '1', from_node: { id: '2', title: 'Harbour' } }],
    [['metadata', 'metadata.properties.city'], { id: '1', metadata: ITEM.metadata }],
    [['metadata.properties.city', 'metadata'], { id: '1', metadata: ITEM.metadata }],
    [['metadata.properties.list.a'], { id: '1', metadata: { properties: { list: [{ a: 1 }, null] } } }],
    [['metadata.properties.city.name'], { id: '1', metadata: { properties: {} } }],
    [['metadata.empty.deeper'], { id: '1', metadata: { empty: null } }],
    [['metadata.absent', 'metadata.__proto__', 'metadata.constructor'], { id: '1', metadata: {} }],
    [['title', '-title'], { id: '1' }],
    [['-metadata', '-from_node'], { id: '1', title: 'Boat', version: 3 }],
  ])('names %j are projected', (names, expected) => {
    expect(select(...names)).toEqual(expected);
  });

  it('a path that is left out below a list is left out of each entry', () => {
    const { metadata } = select(
      'metadata',
      '-metadata.properties.list.a',
      '-metadata.properties.city',
    ) as typeof ITEM;
    expect(metadata).toEqual({ properties: { list: [{ b: 2 }, 'x', null] }, empty: null });
  });

  it('random names of random items equal a naive projection by paths', () => {
    const step = fc.constantFrom('a', 'b', 'c');
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, fc.integer(), fc.constant('x'), tie('object')),
      object: fc.dictionary(step, tie('value'), { maxKeys: 3 }),
    })).object;
    const name = fc
      .array(step, { minLength: 0, maxLength: 3 })
      .map((steps) => ['metadata', ...steps].join('.'));
    const names = fc.array(fc.tuple(fc.boolean(), name), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(value, names, (metadata, chosen) => {
        const item = { id: '1', title: 'Boat', metadata };
        const list = chosen.map(([isLeftOut, path]) => (isLeftOut ? `-${path}` : path));
        const leaves = leavesOf(selected(item, selectionOf(list, ItemDto)));
        expect(leaves).toEqual(leavesOf(item).filter(([path]) => isChosen(path, list)));
      }),
      { numRuns: 500 },
    );
  });
});

/** The scalars of an item by their paths. */
function leavesOf(value: unknown, path: string[] = []): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

function isChosen(path: string, names: readonly string[]): boolean {
  const covers = (name: string): boolean => path === name || path.startsWith(`${name}.`);
  const [only, without] = [
    names.filter((one) => !one.startsWith('-')),
    names.filter((one) => one.startsWith('-')),
  ];
  const isIn = only.length === 0 || path === 'id' || only.some(covers);
  return isIn && !without.some((name) => covers(name.slice(1)));
}

describe('wrongName', () => {
  it.each([
    ['', 'must name at least one field'],
    ['titel', '`titel` is not a known field; the nearest one is `title`'],
    ['-metadta', '`-metadta` is not a known field; the nearest one is `metadata`'],
    ['__proto__', '`__proto__` is not a known field'],
    ['constructor', '`constructor` is not a known field'],
    ['title.length', '`title` has no fields of its own'],
    ['-id', '`id` is always present'],
    ['-from_node.id', '`id` is always present'],
    ['from_node.titel', '`from_node.titel` is not a known field; the nearest one is `title`'],
    ['metadata..city', '`metadata..city` has an empty part'],
    ['metadata.', '`metadata.` has an empty part'],
    ['-', '`-` has an empty part'],
    ['x'.repeat(400), `\`${'x'.repeat(64)}…\` is not a known field`],
  ])('the name %j is refused', (name, message) => {
    expect(wrongName(name, ItemDto)).toContain(message);
  });

  it.each([
    'title',
    '-title',
    'metadata.properties.any.thing',
    'from_node.title',
    'metadata.__proto__',
    '-from_node',
  ])('the name %s may be selected', (name) => {
    expect(wrongName(name, ItemDto)).toBeNull();
  });
});
