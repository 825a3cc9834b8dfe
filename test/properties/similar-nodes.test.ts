import fc from 'fast-check';
import { onPostgres } from '../support/database.js';
import { type Client } from '../support/client.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261128);
const COUNT = 60;
const TAGS = ['work', 'home', 'secret'];
/** Words of which no two have a stem in common, each with a misspelt form. */
const WORDS: readonly [string, string][] = [
  ['zarquon', 'zarqoun'],
  ['blimfark', 'blimfrak'],
  ['Dropnil', 'dropníl'],
  ['wexvot', 'wexvott'],
  ['東京都', '東京'],
];
const VECTORS = [
  [1, 0, 0],
  [1, 0.3, 0],
  [0, 1, 0],
  [0.1, 1, 0.1],
];

interface Shown {
  id: string;
  title?: string | null;
}
interface Similar extends Shown {
  similarity: number;
  reason: string;
}
interface Reader {
  name: string;
  client: Client;
  /** A person whose only nodes are those that the reader is shown, with the titles as shown. */
  model: Client;
  /** The reader's node and the model's, and the vector where the reader may compare it. */
  pairs: { shown: Shown; modelId: string; vector: number[] | null }[];
}

const folded = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .trim();
const cosine = (a: number[], b: number[]) => {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** Similar nodes depend on the nodes that the caller is shown, and on nothing else (rules 3.16, 4.20). */
describe(`similar nodes in a graph of what is shown alone (seed ${SEED})`, () => {
  let world: World;
  let alice: TestUser;
  let readers: Reader[];
  const vectors = new Map<string, number[]>();

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    const ids = await nodesOf();
    readers = await Promise.all((await profiles()).map(([name, body]) => reader(ids, name, body)));
  }, 240_000);
  afterAll(() => world.stop());

  const embed = (by: Client, id: string, embedding: number[]) =>
    by.put(`/nodes/${id}/embedding`, { embedding });

  async function nodesOf(): Promise<string[]> {
    const word = fc
      .tuple(fc.constantFrom(...WORDS), fc.boolean())
      .map(([[right, wrong], isRight]) => (isRight ? right : wrong));
    const bodies = fc.sample(
      fc.record({
        title: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
        tag: fc.constantFrom(...TAGS),
        node_type: fc.constantFrom('note', 'person'),
        vector: fc.option(fc.constantFrom(...VECTORS)),
      }),
      { numRuns: COUNT, seed: SEED },
    );
    const ids: string[] = [];
    for (const { title, tag, node_type, vector } of bodies) {
      const { id } = await node(alice, { title, node_type, tags: [tag], value: 'zarquon blimfark' });
      if (vector !== null) {
        vectors.set(id, vector);
        expect((await embed(alice, id, vector)).status).toBe(200);
      }
      ids.push(id);
    }
    return ids;
  }

  async function profiles(): Promise<[string, Record<string, unknown>][]> {
    const only = async (...names: string[]) => ({
      read: await Promise.all(names.map((name) => tagId(alice, name))),
    });
    const cut = { type: 'truncate', config: { field: 'title', max: 9 } };
    const mask = (path: string) => ({
      type: 'field_mask',
      config: { paths: [path], strategy: 'null' },
      apply_to: { node_types: ['person'] },
    });
    const masked = (...transformations: unknown[]) => ({ transformations });
    return [
      ['everything', profile({ read: 'all' })],
      ['two tags', profile(await only('work', 'home'))],
      ['not secret', profile({ read: 'all' }, { tag_filters: { exclude_any: ['secret'] } })],
      ['summary', profile({ read: 'all' }, { max_detail_level: 'summary' })],
      ['cut', profile({ read: 'all' }, masked(cut))],
      ['cut summary', profile(await only('work', 'secret'), { ...masked(cut), max_detail_level: 'summary' })],
      ['some titles hidden', profile(await only('home', 'secret'), masked(mask('title')))],
      ['some values hidden', profile({ read: 'all' }, masked(mask('value')))],
    ];
  }

  async function reader(
    ids: readonly string[],
    name: string,
    body: Record<string, unknown>,
  ): Promise<Reader> {
    const client = await letsIn(world, alice, body);
    const model = await world.user();
    const pairs: Reader['pairs'] = [];
    const isFull = body['max_detail_level'] === undefined;
    const transformed = JSON.stringify(body['transformations'] ?? '');
    for (const id of ids) {
      const { status, body: shown } = await client.get(`/nodes/${id}`);
      if (status !== 200 || typeof shown.title !== 'string') continue;
      const { id: modelId } = await node(model, { title: shown.title });
      const isAltered =
        transformed.includes('truncate') || (transformed.includes('person') && shown.node_type === 'person');
      const vector = isFull && !isAltered ? (vectors.get(id) ?? null) : null;
      if (vector !== null) await embed(model, modelId, vector);
      pairs.push({ shown, modelId, vector });
    }
    return { name, client, model, pairs };
  }

  const similarTo = async (client: Client, id: string): Promise<string[]> => {
    const { status, body, text } = await client.get(`/nodes/${id}/similar?limit=20`);
    if (status !== 200) throw new Error(text);
    const nodes = body.nodes as Similar[];
    const lines = nodes.map(({ title, reason, similarity }) => `${reason} ${similarity} ${title}`);
    // Ids decide the order of equally similar nodes, which are others in the model.
    return body.truncated ? lines.map((line) => line.replace(/ [^ ]+ .*/, '')) : lines.sort();
  };

  it('similar nodes, reasons and similarities equal those of a person who has only what is shown', async () => {
    let found = 0;
    for (const { name, client, model, pairs } of readers)
      for (const { shown, modelId } of onPostgres ? pairs : pairs.filter((_, at) => at % 3 === 0)) {
        const [similar, expected] = await Promise.all([
          similarTo(client, shown.id),
          similarTo(model, modelId),
        ]);
        expect([name, shown.title, similar]).toEqual([name, shown.title, expected]);
        found += similar.length;
      }
    expect(found).toBeGreaterThan(COUNT);
  }, 600_000);

  it('exactly the listed nodes with the same title or a near vector are found by them', async () => {
    for (const { name, client, pairs } of readers)
      for (const { shown, vector } of onPostgres ? pairs : pairs.filter((_, at) => at % 3 === 1)) {
        const { nodes, truncated } = (await client.get(`/nodes/${shown.id}/similar?limit=20`)).body as {
          nodes: Similar[];
          truncated: boolean;
        };
        if (truncated) continue;
        const others = pairs.filter((one) => one.shown.id !== shown.id);
        const same = others.filter(
          (one) => folded(one.shown.title as string) === folded(shown.title as string),
        );
        const near = others.filter(
          (one) => vector !== null && one.vector !== null && cosine(vector, one.vector) >= 0.9,
        );
        const by = (reason: string) =>
          nodes
            .filter((one) => one.reason === reason)
            .map(({ id }) => id)
            .sort();
        expect([name, by('same_title')]).toEqual([name, same.map((one) => one.shown.id).sort()]);
        const titled = new Set(
          nodes.filter(({ reason }) => reason !== 'similar_meaning').map(({ id }) => id),
        );
        const meant = near.map((one) => one.shown.id).filter((id) => !titled.has(id));
        expect([name, by('similar_meaning')]).toEqual([name, meant.sort()]);
      }
  }, 600_000);
});
