import fc from 'fast-check';
import { onPostgres } from '../support/database.js';
import { type Answer, type Client } from '../support/client.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261127);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 250 : 80));
const TAGS = ['work harbour', 'home', 'secret Lisbon', 'Wohnungen', 'sailing live'];
const WORDS = [
  'harbour', 'harbours', 'sailing', 'sail', 'the', 'where', 'live', 'lives', 'Lisbon', 'ada@example.org', 'Café', 'cafe',
  'Wohnungen', 'Wohnung', 'und', 'ist', 'habitent', 'habite', '東京大学', '大学', '京', 'новую', 'новая', '3rd', 'a-b', 'Zoë',
]; // prettier-ignore
const MISSPELT = ['secrte', 'harbuor', 'salling', 'Lisbno', 'Wohnnung', 'habtie', 'новыю', 'nothign'];
const TYPES = ['note', 'person', 'harbour_note', 'Wohnungen'];
const COUNT = 40;
/** The nodes of each further person who shares and receives. */
const RECEIVED = 8;

interface Shown {
  title?: string | null;
  value?: string | null;
  tags?: string[];
  node_type?: string;
  metadata?: object | null;
}

interface Found {
  /** Texts, score and snippets of each hit, in order. */
  hits: [string, number, unknown][];
  total: number;
  corrections: unknown;
}

/** The graphs that are searched; absent: the default. */
type Whose = 'owned' | 'shared' | 'all' | undefined;

interface Reader {
  name: string;
  client: Client;
  access: Whose;
  /** A person whose only nodes are those that the reader is shown, with the texts as shown. */
  model: Client;
}

/** A node of the world; the list of them is in the order of their creation. */
interface Made {
  id: string;
  owner: string;
}

const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { maxLength }).map((words) => words.join(' '));

const transformations = (...list: unknown[]) => ({ transformations: list });

/** An answer of a service that has time for it. */
async function answered(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await ask();
    if ((answer.status !== 429 && answer.status !== 503) || tries === 20) return answer;
  }
}

/**
 * Hits, totals, order, scores, snippets and corrections of a search depend on the nodes that the caller is shown, and on nothing else (rules 3.16,
 * 4.18).
 */
describe(`searches against a graph of what is shown alone (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let readers: Reader[];

  beforeAll(async () => {
    world = await World.start();
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    const made = [
      ...(await nodesOf(alice, SEED, COUNT)),
      ...(await nodesOf(bob, SEED + 1, RECEIVED)),
      ...(await nodesOf(carol, SEED + 2, RECEIVED)),
    ];
    made.push(...(await nodesOf(bob, SEED + 3, RECEIVED)));
    await shares(alice, bob, { scope: 'specific_tags', tag_ids: [await tagId(alice, 'home')] });
    const ofCarol = made.filter(({ owner }) => owner === carol.id).map(({ id }) => id);
    await shares(carol, bob, { scope: 'specific_nodes', node_ids: ofCarol.slice(0, RECEIVED / 2) });
    await shares(bob, carol, { scope: 'all' });
    const bodies = await profiles(bob);
    const receiving = bodies.filter(([name]) =>
      /^(everything|two tags|not secret|cut|summary|a property hidden)$/.test(name),
    );
    const meet = async (name: string, user: TestUser, body: Record<string, unknown>) =>
      reader({ name, access: undefined, client: await letsIn(world, user, body) }, { user, made });
    readers = await Promise.all([
      ...(await profiles(alice)).map(([name, body]) => meet(name, alice, body)),
      ...receiving.map(([name, body]) => meet(`${name}, received nodes too`, bob, body)),
      ...(['owned', 'shared', 'all', undefined] as const).map((access) =>
        reader({ name: `a recipient of ${access}`, access, client: bob }, { user: bob, made }),
      ),
      reader({ name: 'a recipient of everything', access: 'all', client: carol }, { user: carol, made }),
    ]);
  }, 480_000);
  afterAll(() => world.stop());

  /** Nodes of one to six words, one after another: the newest of equal ones comes first. */
  async function nodesOf(owner: TestUser, seed: number, numRuns: number): Promise<Made[]> {
    const texts = fc.sample(
      fc.record({
        title: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
        value: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
        tags: fc.subarray(TAGS, { maxLength: 3 }),
        node_type: fc.constantFrom(...TYPES),
        properties: fc.option(
          fc.record(
            {
              city: text(2),
              secret: text(2),
              list: fc.array(fc.record({ text: text(3) }), { maxLength: 2 }),
              age: fc.nat(9),
            },
            { requiredKeys: [] },
          ),
        ),
      }),
      { numRuns, seed },
    );
    const made: Made[] = [];
    for (const [index, { title, value, tags, node_type, properties }] of texts.entries()) {
      const body = {
        title: [...title, `n${index}`].join(' '),
        value: value.join(' '),
        node_type,
        tags,
        ...(properties !== null && { metadata: { properties, notes: 'nothing' } }),
      };
      made.push({ id: (await node(owner, body)).id as string, owner: owner.id });
    }
    return made;
  }

  async function shares(from: TestUser, to: TestUser, body: Record<string, unknown>): Promise<void> {
    const made = await from.post('/sharing', { shared_with_user_id: to.id, ...body });
    if (made.status !== 201) throw new Error(made.text);
  }

  async function profiles(owner: TestUser): Promise<[string, Record<string, unknown>][]> {
    const { tags } = (await owner.get('/tags?access=owned&per_page=200')).body as {
      tags: { id: string; name: string }[];
    };
    const known = (name: string) => tags.find((tag) => tag.name === name)?.id as string;
    const only = (...names: string[]) => ({ read: names.map(known) });
    const cut = { type: 'truncate', config: { field: 'title', max: 12 } };
    const mask = {
      type: 'field_mask',
      config: { paths: ['value'], strategy: 'remove' },
      apply_to: { node_types: ['person'] },
    };
    const maskOf = (path: string, strategy: string) => ({
      type: 'field_mask',
      config: { paths: [path], strategy },
      apply_to: { node_types: ['person', 'Wohnungen'] },
    });
    const cutProperty = { type: 'truncate', config: { field: 'metadata.properties.city', max: 9 } };
    return [
      ['everything', profile({ read: 'all' })],
      ['two tags', profile(only('work harbour', 'home'))],
      ['not secret', profile({ read: 'all' }, { tag_filters: { exclude_any: ['secret Lisbon'] } })],
      ['summary', profile({ read: 'all' }, { max_detail_level: 'summary' })],
      ['redacted', profile(only('work harbour', 'secret Lisbon'), transformations('pii_redaction'))],
      ['cut', profile({ read: 'all' }, transformations(cut))],
      [
        'a property hidden',
        profile({ read: 'all' }, transformations(maskOf('metadata.properties.secret', 'remove'))),
      ],
      ['properties cut', profile(only('home', 'secret Lisbon'), transformations(cutProperty))],
      ['lists hashed', profile({ read: 'all' }, transformations(maskOf('metadata.properties.list', 'hash')))],
      ['no metadata', profile({ read: 'all' }, transformations(maskOf('metadata', 'remove')))],
      ['cut summary', profile({ read: 'all' }, { ...transformations(cut), max_detail_level: 'summary' })],
      ['some hidden', profile(only('home', 'secret Lisbon'), transformations(mask))],
    ];
  }

  async function reader(
    asked: Omit<Reader, 'model'>,
    { user, made }: { user: TestUser; made: readonly Made[] },
  ): Promise<Reader> {
    const model = await world.user();
    for (const { id, owner } of made) {
      if (
        asked.access !== undefined &&
        asked.access !== 'all' &&
        (asked.access === 'owned') !== (owner === user.id)
      )
        continue;
      const { status, body: shown, text } = await answered(() => asked.client.get(`/nodes/${id}`));
      if (status === 404) continue;
      if (status !== 200) throw new Error(text);
      const { title, value, tags, node_type, metadata } = shown as Shown;
      await node(model, { title, tags, node_type, metadata, ...(typeof value === 'string' && { value }) });
    }
    return { ...asked, model };
  }

  async function search(client: Client, body: Record<string, unknown>): Promise<Found> {
    const answer = await client.post('/nodes/search', body);
    if (answer.status !== 200) throw new Error(answer.text);
    type Hit = Shown & { scores: { text: { score: number } }; highlights?: unknown };
    const hits = (answer.body.nodes as Hit[]).map(
      ({ title, value, scores, highlights }): [string, number, unknown] => [
        `${title}|${value ?? ''}`,
        scores.text.score,
        highlights,
      ],
    );
    const { total, corrections } = answer.body as { total: number; corrections: unknown };
    return { hits, total, corrections };
  }

  const question = fc.record({
    query: fc
      .array(
        fc.constantFrom(...WORDS, ...MISSPELT, 'nothing', 'secret', 'home', 'harb', 'n1', 'note', 'person'),
        {
          minLength: 1,
          maxLength: 6,
        },
      )
      .map((words) => words.join(' ')),
    match: fc.constantFrom('any', 'all'),
    prefix: fc.boolean(),
    limit: fc.integer({ min: 1, max: 60 }),
    offset: fc.constantFrom(0, 0, 0, 1, 5, 50),
    highlights: fc.boolean(),
  });

  it('hits, totals, order, scores, snippets and corrections equal those of a person who has only what is shown', async () => {
    let [found, corrected] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: readers.length - 1 }), question, async (index, asked) => {
        const { name, client, access, model } = readers[index] as Reader;
        const [answer, expected] = await Promise.all([
          search(client, { ...asked, ...(access && { access }) }),
          search(model, asked),
        ]);
        found += answer.total;
        corrected += (answer.corrections as unknown[]).length;
        expect([name, answer]).toEqual([name, expected]);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS);
    expect(corrected).toBeGreaterThan(RUNS / 10);
  }, 3_600_000);
});
