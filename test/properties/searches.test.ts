import fc from 'fast-check';
import { onPostgres } from '../support/database.js';
import { type Client } from '../support/client.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261127);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 250 : 80));
const TAGS = ['work', 'home', 'secret'];
const WORDS = [
  'harbour', 'harbours', 'sailing', 'sail', 'the', 'where', 'live', 'lives', 'Lisbon', 'ada@example.org', 'Café', 'cafe',
  'Wohnungen', 'Wohnung', 'und', 'ist', 'habitent', 'habite', '東京大学', '大学', '京', 'новую', 'новая', '3rd', 'a-b', 'Zoë',
]; // prettier-ignore
const MISSPELT = ['harbuor', 'salling', 'Lisbno', 'Wohnnung', 'habtie', 'новыю', 'nothign'];
const COUNT = 40;

interface Shown {
  title?: string | null;
  value?: string | null;
}

interface Found {
  /** Texts, score and snippets of each hit, in order. */
  hits: [string, number, unknown][];
  total: number;
  corrections: unknown;
}

interface Reader {
  name: string;
  client: Client;
  /** A person whose only nodes are those that the reader is shown, with the texts as shown. */
  model: Client;
}

const transformations = (...list: unknown[]) => ({ transformations: list });

/**
 * Hits, totals, order, scores, snippets and corrections of a search depend on the nodes that the caller is shown, and on nothing else (rules 3.16,
 * 4.18).
 */
describe(`searches against a graph of what is shown alone (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let readers: Reader[];

  beforeAll(async () => {
    world = await World.start();
    const alice = await world.user();
    const ids = await nodesOf(alice);
    readers = await Promise.all(
      (await profiles(alice)).map(([name, body]) => reader(alice, ids, { name, body })),
    );
  }, 240_000);
  afterAll(() => world.stop());

  /** Nodes of one to six words, one after another: the newest of equal ones comes first. */
  async function nodesOf(alice: TestUser): Promise<string[]> {
    const texts = fc.sample(
      fc.record({
        title: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }),
        value: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
        tag: fc.constantFrom(...TAGS),
        node_type: fc.constantFrom('note', 'person'),
      }),
      { numRuns: COUNT, seed: SEED },
    );
    const ids: string[] = [];
    for (const [index, { title, value, tag, node_type }] of texts.entries()) {
      const body = {
        title: [...title, `n${index}`].join(' '),
        value: value.join(' '),
        node_type,
        tags: [tag],
      };
      ids.push((await node(alice, body)).id as string);
    }
    return ids;
  }

  async function profiles(alice: TestUser): Promise<[string, Record<string, unknown>][]> {
    const known = async (name: string) => tagId(alice, name);
    const only = async (...names: string[]) => ({ read: await Promise.all(names.map(known)) });
    const cut = { type: 'truncate', config: { field: 'title', max: 12 } };
    const mask = {
      type: 'field_mask',
      config: { paths: ['value'], strategy: 'remove' },
      apply_to: { node_types: ['person'] },
    };
    return [
      ['everything', profile({ read: 'all' })],
      ['two tags', profile(await only('work', 'home'))],
      ['not secret', profile({ read: 'all' }, { tag_filters: { exclude_any: ['secret'] } })],
      ['summary', profile({ read: 'all' }, { max_detail_level: 'summary' })],
      ['redacted', profile(await only('work', 'secret'), transformations('pii_redaction'))],
      ['cut', profile({ read: 'all' }, transformations(cut))],
      ['cut summary', profile({ read: 'all' }, { ...transformations(cut), max_detail_level: 'summary' })],
      ['some hidden', profile(await only('home', 'secret'), transformations(mask))],
    ];
  }

  async function reader(
    alice: TestUser,
    ids: readonly string[],
    { name, body }: { name: string; body: Record<string, unknown> },
  ): Promise<Reader> {
    const client = await letsIn(world, alice, body);
    const model = await world.user();
    for (const id of ids) {
      const { status, body: shown } = await client.get(`/nodes/${id}`);
      if (status !== 200) continue;
      const { title, value } = shown as Shown;
      await node(model, { title, ...(typeof value === 'string' && { value }) });
    }
    return { name, client, model };
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
      .array(fc.constantFrom(...WORDS, ...MISSPELT, 'nothing', 'harb', 'n1'), { minLength: 1, maxLength: 6 })
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
        const { name, client, model } = readers[index] as Reader;
        const [answer, expected] = await Promise.all([search(client, asked), search(model, asked)]);
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
