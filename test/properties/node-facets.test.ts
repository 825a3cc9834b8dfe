import fc from 'fast-check';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { onPostgres } from '../support/database.js';
import { type Client } from '../support/client.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261128);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 300 : 120));
const COUNT = 50;
const TAGS = ['work', 'home', 'secret', 'gone'];
const TYPES = ['note', 'Note', 'person', 'place'];
const PROFILES = 10;

interface Reader {
  name: string;
  client: Client;
  /** The ids of all tags, which the caller may not know. */
  tagIds: string[];
}

interface Listed {
  id: string;
  metadata?: { properties?: Record<string, unknown> } | null;
  node_type?: string;
  meaning_level?: string;
  schema_id?: string | null;
  created_at?: string;
  tags?: string[];
}

type Counts = Record<string, number>;
type Filter = Record<string, unknown> & { path: string };

const PROPERTIES: Filter[][] = [
  [{ path: 'city', eq: 'Lisbon' }],
  [{ path: 'city', gt: 'A', lte: 'Lisbon' }],
  [{ path: 'city', eq: '[REDACTED:email]' }],
  [{ path: 'age', eq: 7 }],
  [{ path: 'age', gte: 7, lt: 7.5 }],
  [{ path: 'age', eq: '7' }],
  [{ path: 'since', gte: '2024-05' }],
  [
    { path: 'deep.on', eq: true },
    { path: 'City', eq: 'Porto' },
  ],
  [{ path: 'deep.list.0', eq: 'Lisbon' }],
];

/** Facets count what the pages of the list show, and nothing else (rules 3.16b, 4.21a). */
describe(`facets against all pages of the list (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let readers: Reader[];

  beforeAll(async () => {
    world = await World.startHere();
    [alice, bob] = [await world.user(), await world.user()];
    const schema = await schemaOf(alice);
    await makeNodes(alice, schema, SEED);
    await makeNodes(bob, null, SEED + 1);
    readers = [...(await readersOf(alice)), { name: 'bob', client: bob, tagIds: await tagIdsOf(bob) }];
    for (const { name, client, tagIds } of readers)
      if (name === 'owner' || name === 'bob')
        expect((await client.delete(`/tags/${tagIds[TAGS.indexOf('gone')]}`)).status).toBe(200);
    await shares(alice, bob, { scope: 'specific_tags', tag_ids: [await tagId(alice, 'home')] });
    await shares(bob, alice, { scope: 'all' });
  }, 240_000);
  afterAll(() => world.stop());

  async function shares(from: TestUser, to: TestUser, body: object): Promise<void> {
    const { status, text } = await from.post('/sharing', { shared_with_user_id: to.id, ...body });
    if (status !== 201) throw new Error(text);
  }

  async function schemaOf(owner: TestUser): Promise<string> {
    const { body, status, text } = await owner.post('/schemas', {
      name: 'trip',
      json_schema: { type: 'object' },
    });
    if (status !== 201) throw new Error(text);
    return body.id as string;
  }

  async function makeNodes(owner: TestUser, schema: string | null, seed: number): Promise<void> {
    const bodies = fc.sample(
      fc.record({
        title: fc.constantFrom('ada@example.org', 'sail', 'Sailing by 2024-05-06', 'harbour'),
        value: fc.constantFrom(null, 'ada@example.org', 'a long story of a harbour'),
        node_type: fc.constantFrom(...TYPES),
        meaning_level: fc.constantFrom('DATA', 'CONTEXT'),
        graph_view: fc.constantFrom('identity', 'neutral'),
        schema_id: fc.constantFrom(null, schema),
        tags: fc.subarray(TAGS),
        metadata: fc.constantFrom(
          null,
          { properties: { city: 'Lisbon', age: 7 } },
          { properties: { city: 'ada@example.org', since: '2024-05-06', age: 7.5 } },
          { properties: { City: 'Porto', age: '7', deep: { on: true, list: ['Lisbon'] } } },
        ),
      }),
      { numRuns: COUNT, seed },
    );
    const months = fc.sample(fc.integer({ min: 0, max: 40 }), { numRuns: COUNT, seed });
    for (const [at, body] of bodies.entries()) {
      const { id } = await node(owner, body);
      const age = sql`UPDATE nodes SET created_at = created_at - ${months[at]}::integer * interval '1 month'
        WHERE owner_id = ${owner.id} AND id = ${id}`;
      await world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(age));
    }
    const { body } = await owner.get('/nodes?access=owned&limit=4');
    for (const { id } of body.nodes as { id: string }[]) await owner.delete(`/nodes/${id}`);
  }

  async function readersOf(owner: TestUser): Promise<Reader[]> {
    const tagIds = await tagIdsOf(owner);
    const only = async (...names: string[]) => Promise.all(names.map((name) => tagId(owner, name)));
    const round = (granularity: string, apply_to: object = {}) => ({
      type: 'round_date',
      config: { granularity },
      apply_to,
    });
    const hide = (...paths: string[]) => ({ type: 'field_mask', config: { paths, strategy: 'null' } });
    const [mask, someCities] = [
      hide('title', 'value'),
      { ...hide('metadata.properties.city'), apply_to: { node_types: ['person'] } },
    ];
    const masked = (...transformations: unknown[]) => ({ transformations });
    const bodies: [string, Record<string, unknown>][] = [
      ['everything', profile({ read: 'all' })],
      ['two tags', profile({ read: await only('work', 'home') })],
      ['not secret', profile({ read: 'all' }, { tag_filters: { exclude_any: ['secret'] } })],
      ['summary', profile({ read: 'all' }, { max_detail_level: 'summary' })],
      ['minimal', profile({ read: 'all' }, { max_detail_level: 'minimal' })],
      ['redacted', profile({ read: 'all' }, masked('pii_redaction', round('day')))],
      ['by year', profile({ read: 'all' }, masked(round('year')))],
      ['some cities hidden', profile({ read: 'all' }, masked(someCities))],
      [
        'some by year',
        profile(
          { read: await only('work', 'secret') },
          masked(round('month'), round('year', { node_types: ['NOTE'] }), mask),
        ),
      ],
    ];
    const apps = await Promise.all(
      bodies.map(async ([name, body]) => ({ name, client: await letsIn(world, owner, body), tagIds })),
    );
    return [{ name: 'owner', client: owner, tagIds }, ...apps];
  }

  const tagIdsOf = (owner: TestUser): Promise<string[]> =>
    Promise.all(TAGS.map((name) => tagId(owner, name)));

  const seldom = <T>(some: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some });

  const question = fc.record({
    access: seldom(fc.constantFrom('owned', 'shared', 'all')),
    search: seldom(fc.constantFrom('sail', 'ada', 'REDACTED', 'harbour')),
    node_type: seldom(fc.constantFrom('note', 'person')),
    meaning_level: seldom(fc.constantFrom('DATA', 'CONTEXT')),
    view: seldom(fc.constantFrom('identity', 'neutral')),
    tag: seldom(fc.nat({ max: TAGS.length - 1 })),
    deleted: seldom(fc.boolean()),
    properties: seldom(fc.constantFrom(...PROPERTIES).map((one) => JSON.stringify(one))),
  });

  async function allOf(client: Client, query: URLSearchParams): Promise<Listed[]> {
    const listed: Listed[] = [];
    for (;;) {
      const page = `include_tags=true&limit=40&offset=${listed.length}&sort=title`;
      const { body, status, text } = await client.get(`/nodes?${query.toString()}&${page}`);
      if (status !== 200) throw new Error(text);
      listed.push(...(body.nodes as Listed[]));
      if (listed.length >= (body.total as number)) return listed;
    }
  }

  it('facets equal the counts over all pages of the list with the same filters', async () => {
    let counted = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: PROFILES }), question, async (index, { tag, ...rest }) => {
        const reader = readers[index] as Reader;
        const query = new URLSearchParams(
          Object.entries(rest).flatMap(([name, value]): [string, string][] =>
            value === undefined ? [] : [[name, String(value)]],
          ),
        );
        if (tag !== undefined) query.set('tag_id', reader.tagIds[tag] as string);
        const nodes = await allOf(reader.client, query);
        const { status, body, text } = await reader.client.get(`/nodes/facets?${query.toString()}`);
        if (status !== 200) throw new Error(text);
        counted += nodes.length;
        expect([reader.name, shownBy(body)]).toEqual([
          reader.name,
          {
            total: nodes.length,
            tags: countsOf(nodes.flatMap(({ tags }) => tags ?? [])),
            node_types: countsOf(nodes.map(({ node_type }) => node_type)),
            meaning_levels: countsOf(nodes.map(({ meaning_level }) => meaning_level)),
            schemas: countsOf(
              nodes.map(({ schema_id }) => (schema_id === null ? '__freeform__' : schema_id)),
            ),
            months: countsOf(nodes.map(({ created_at }) => created_at?.slice(0, 7))),
          },
        ]);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(counted).toBeGreaterThan(4 * RUNS);
  }, 600_000);

  it('filters by properties find what the metadata of the list shows, in lists and searches (rule 4.22)', async () => {
    let found = 0;
    for (const { name, client } of readers) {
      const everything = await allOf(client, new URLSearchParams());
      const asked = { query: 'harbour sail ada', limit: 100 };
      const hits = idsOf((await client.post('/nodes/search', asked)).body.nodes);
      for (const properties of PROPERTIES) {
        const expected = idsOf(
          everything.filter(({ metadata }) => isShownWith(metadata?.properties, properties)),
        );
        const query = new URLSearchParams({ properties: JSON.stringify(properties) });
        expect([name, properties, idsOf(await allOf(client, query))]).toEqual([name, properties, expected]);
        const { status, body, text } = await client.post('/nodes/search', { ...asked, properties });
        if (status !== 200) throw new Error(text);
        const searched = hits.filter((id) => expected.includes(id));
        expect([name, properties, idsOf(body.nodes)]).toEqual([name, properties, searched]);
        found += expected.length + searched.length;
      }
    }
    expect(found).toBeGreaterThan(RUNS);
  }, 600_000);

  it('include_node_counts gives each tag the number of nodes that the list finds by it (rule 4.23)', async () => {
    let counted = 0;
    for (const { name, client } of readers) {
      const { body } = await client.get('/tags?include_node_counts=true&per_page=200');
      for (const tag of body.tags as { id: string; name: string; node_count: number }[]) {
        const { total } = (await client.get(`/nodes?tag_id=${tag.id}&limit=1`)).body;
        expect([name, tag.name, tag.node_count]).toEqual([name, tag.name, total]);
        counted += tag.node_count;
      }
    }
    expect(counted).toBeGreaterThan(RUNS);
  }, 600_000);
});

const idsOf = (nodes: readonly { id: string }[]): string[] => nodes.map(({ id }) => id).sort();

/** The filter on properties as they are shown, written plainly. */
function isShownWith(properties: Record<string, unknown> | undefined, filters: readonly Filter[]): boolean {
  return filters.every(({ path, ...comparisons }) => {
    const value = path
      .split('.')
      .reduce<unknown>(
        (held, key) =>
          Array.isArray(held) ? undefined : (held as Record<string, unknown> | undefined)?.[key],
        properties,
      );
    return Object.entries(comparisons).every(([operator, wanted]) => {
      if (typeof value !== typeof wanted) return false;
      if (operator === 'eq') return value === wanted;
      const [a, b] = [value as string, wanted as string];
      return { gt: a > b, gte: a >= b, lt: a < b, lte: a <= b }[operator];
    });
  });
}

function countsOf(values: readonly (string | undefined)[]): Counts {
  const counts: Counts = {};
  for (const value of values) if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** The facets by their values; tags of two owners with one name are one value, as the list shows names only. */
function shownBy(body: Record<string, { count: number }[]>): Record<string, unknown> {
  const by = (facet: string, name: string): Counts => {
    const counts: Counts = {};
    for (const one of body[facet] as (Record<string, string> & { count: number })[])
      counts[one[name] as string] = (counts[one[name] as string] ?? 0) + one.count;
    return counts;
  };
  return {
    total: body['total'],
    tags: by('tags', 'name'),
    node_types: by('node_types', 'node_type'),
    meaning_levels: by('meaning_levels', 'meaning_level'),
    schemas: by('schemas', 'id'),
    months: by('months', 'month'),
  };
}
