import fc from 'fast-check';
import { onPostgres } from '../support/database.js';
import { type Client } from '../support/client.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261121);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 250 : 80));
const TAGS = ['work', 'home', 'play', 'secret'];
const TYPES = ['note', 'GOAL', 'person'];

type Wire = Record<string, unknown> & { id: string };

interface Reader {
  name: string;
  client: Client;
  mayEdit: boolean;
  /** The nodes as single reads show them, by id. */
  shown: Map<string, Wire>;
  knownTags: Set<string>;
}

const transformations = (...list: unknown[]) => ({ transformations: list });

/** Lists, counts and searches must agree with single reads in every word (rules 3.16, 4.8). */
describe(`lists of nodes against single reads (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let alice: TestUser;
  let nodes: Wire[];
  let readers: Reader[];
  const tagIds = new Map<string, string>();

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    for (const name of TAGS) tagIds.set(name, await tagId(alice, name));
    nodes = await makeNodes(alice);
    readers = await makeReaders();
  }, 120_000);
  afterAll(() => world.stop());

  async function makeReaders(): Promise<Reader[]> {
    const ids = (...names: string[]) => names.map((name) => tagIds.get(name) as string);
    const bodies: [string, Record<string, unknown>][] = [
      ['everything', profile({ read: 'all', edit: 'all' })],
      ['two tags', profile({ read: ids('work', 'home'), edit: ids('work') })],
      ['not secret', profile({ read: 'all', edit: 'all' }, { tag_filters: { exclude_any: ['secret'] } })],
      ['summary', profile({ read: 'all', edit: 'all' }, { max_detail_level: 'summary' })],
      ['minimal', profile({ read: ids('play', 'home') }, { max_detail_level: 'minimal' })],
      ['redacted', profile({ read: 'all', edit: 'all' }, transformations('pii_redaction'))],
      ['masked', profile({ read: 'all', edit: 'all' }, transformations(mask('null', 'title', 'metadata.a')))],
      [
        'hashed',
        profile({ read: 'all', edit: 'all' }, transformations(mask('hash', 'value', 'agent_metadata'))),
      ],
      [
        'cut',
        profile(
          { read: 'all', edit: 'all' },
          transformations({ type: 'truncate', config: { field: 'title', max: 3 } }),
        ),
      ],
      [
        'rounded summary',
        profile(
          { read: 'all' },
          {
            ...transformations({ type: 'round_date', config: { granularity: 'year' } }),
            max_detail_level: 'summary',
          },
        ),
      ],
      [
        'some hidden',
        profile(
          { read: 'all', edit: 'all' },
          transformations({ ...mask('remove', 'title', 'value'), apply_to: { node_types: ['person'] } }),
        ),
      ],
    ];
    return Promise.all(
      bodies.map(async ([name, body]) => {
        const client = await letsIn(world, alice, body);
        const reads = await Promise.all(nodes.map(({ id }) => client.get(`/nodes/${id}`)));
        const shown = reads.filter(({ status }) => status === 200).map(({ body: one }) => one as Wire);
        const tags = (await client.get('/tags?per_page=200')).body.tags as { id: string }[];
        return {
          name,
          client,
          mayEdit: 'edit' in (body['tag_permissions'] as object),
          shown: new Map(shown.map((one) => [one.id, one])),
          knownTags: new Set(tags.map(({ id }) => id)),
        };
      }),
    );
  }

  const question = fc.record(
    {
      search: fc.constantFrom(
        'a',
        'SS',
        'ß',
        'ada',
        '@',
        'redacted',
        'ΣΑΣ',
        '%',
        '_',
        '\\',
        'note 1',
        'e',
        '🙂',
      ),
      node_type: fc.constantFrom(...TYPES),
      meaning_level: fc.constantFrom('DATA', 'CONTEXT'),
      tag: fc.constantFrom(...TAGS),
      sort: fc.constantFrom('title', 'updated_at', 'created_at'),
      order: fc.constantFrom('asc', 'desc'),
      limit: fc.integer({ min: 1, max: 30 }),
      offset: fc.integer({ min: 0, max: 40 }),
    },
    { requiredKeys: [] },
  );

  it('lists and single reads agree on their nodes, totals and order', async () => {
    const anyReader = fc.nat({ max: 10 }).map((index) => readers[index] as Reader);
    await fc.assert(
      fc.asyncProperty(anyReader, question, async (reader, asked) => {
        const { tag, ...rest } = asked;
        const query = new URLSearchParams(
          Object.entries(rest).map(([key, value]): [string, string] => [key, String(value)]),
        );
        if (tag !== undefined) query.set('tag_id', tagIds.get(tag) as string);
        const expected = naively(reader, asked);
        const { body } = await reader.client.get(`/nodes?${query.toString()}&include_tags=true`);
        const { offset = 0, limit = 20 } = asked;
        const page = expected.slice(offset, offset + limit);
        expect([reader.name, body.total]).toEqual([reader.name, expected.length]);
        expect(body.nodes.map(withoutListFields)).toEqual(page.map((one) => reader.shown.get(one.id)));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }, 300_000);

  it('writes lose nothing when nodes are written back as they were read', async () => {
    for (const reader of readers.filter(({ mayEdit }) => mayEdit)) {
      for (const shown of reader.shown.values()) {
        const answer = await reader.client.put(`/nodes/${shown.id}`, shown);
        if (answer.status !== 403) expect([reader.name, answer.body]).toEqual([reader.name, shown]);
      }
    }
    const now = await Promise.all(nodes.map(({ id }) => alice.get(`/nodes/${id}`)));
    expect(now.map(({ body }) => body as Wire)).toEqual(nodes);
  }, 300_000);

  function naively(reader: Reader, asked: Record<string, unknown>): Wire[] {
    const {
      search,
      node_type,
      meaning_level,
      tag,
      sort = 'updated_at',
      order = 'desc',
    } = asked as Record<string, string>;
    const fold = (text: unknown) => String(text).toUpperCase();
    const found = [...reader.shown.values()].filter(
      (one) =>
        (node_type === undefined || one['node_type'] === node_type) &&
        (meaning_level === undefined || one['meaning_level'] === meaning_level) &&
        (tag === undefined ||
          (reader.knownTags.has(tagIds.get(tag) as string) && tagsOf(one.id).includes(tag))) &&
        (search === undefined ||
          [one['title'], one['value']].some(
            (text) => typeof text === 'string' && fold(text).includes(fold(search)),
          )),
    );
    const key = (one: Wire) => Buffer.from(`${(one[sort] as string | null | undefined) ?? ''}`);
    const compare = (a: Wire, b: Wire) => Buffer.compare(key(a), key(b)) || (a.id < b.id ? -1 : 1);
    return found.sort((a, b) => (order === 'asc' ? compare(a, b) : compare(b, a)));
  }

  const tagsOf = (id: string): string[] => nodes.find((one) => one.id === id)?.['tags'] as string[];
});

const mask = (strategy: string, ...paths: string[]) => ({ type: 'field_mask', config: { paths, strategy } });

const withoutListFields = (entry: Wire): Wire => {
  const shown = { ...entry };
  delete shown['is_shared'];
  return shown;
};

const TITLES = [
  'note 1',
  'Straße',
  'STRASSE 9',
  'ada@example.org',
  'Äpfel',
  'σας',
  'ΣΑΣ',
  'a_b',
  '100%',
  'c:\\d',
  '🙂',
  'Zoë',
];

/**
 * Texts that redaction matches, in several scripts; one title has enough addresses to become too long when
 * redacted.
 */
async function makeNodes(owner: TestUser): Promise<Wire[]> {
  const { body } = await owner.get('/nodes');
  expect(body.total).toBe(0);
  const made: Wire[] = [];
  for (let i = 0; i < 40; i++) {
    const title =
      i === 7 ? 'a@b.co '.repeat(140).trim() : `${TITLES[i % TITLES.length]}${i % 3 === 0 ? ` ${i}` : ''}`;
    made.push(
      (await node(owner, {
        title,
        value:
          i % 4 === 0
            ? null
            : `mail ada${i}@example.org or call +49 30 901820, ${TITLES[(i * 5) % TITLES.length]}`,
        node_type: TYPES[i % TYPES.length],
        meaning_level: i % 5 === 0 ? 'DATA' : 'CONTEXT',
        importance_score: i % 2 === 0 ? i / 40 : null,
        metadata:
          i % 3 === 0
            ? null
            : { a: `x${i}@example.org`, properties: { list: ['192.168.0.1', { b: 'y@example.org' }] } },
        agent_metadata:
          i % 6 === 0 ? { agent_id: '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f', agent_name: 'bot' } : null,
        tags: TAGS.filter((_, bit) => (i >> bit) & 1),
      })) as Wire,
    );
  }
  return made;
}
