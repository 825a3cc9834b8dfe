import fc from 'fast-check';
import { letsIn, node, profile, tagId } from '../graph/nodes-world.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';

const SEED = Number(process.env.SEED ?? 20261123);
const RUNS = Number(process.env.RUNS ?? 25);
const TAGS = ['work', 'home', 'secret'];
const QUERIES = ['', 'search=plan', 'node_type=note', 'tag_id=work', 'deleted=true'];

type Step =
  | { do: 'create'; tags: number[]; title: string; type: string }
  | { do: 'batch'; tags: number[]; size: number }
  | { do: 'retitle'; node: number; title: string }
  | { do: 'retype'; node: number; type: string }
  | { do: 'retag'; node: number; tags: number[] }
  | { do: 'delete' | 'restore' | 'embed'; node: number }
  | { do: 'relate'; node: number; other: number }
  | { do: 'delete tag'; tag: number }
  | { do: 'ask' };

const index = fc.nat({ max: 9 });
const tags = fc.uniqueArray(fc.nat({ max: TAGS.length - 1 }), { maxLength: 2 });
const title = fc.constantFrom('plan', 'note');
const type = fc.constantFrom('note', 'goal');
const step = (name: Step['do'], parts: Record<string, fc.Arbitrary<unknown>> = {}): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant(name), ...parts }) as unknown as fc.Arbitrary<Step>;

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: step('ask') },
    { weight: 5, arbitrary: step('create', { tags, title, type }) },
    { weight: 1, arbitrary: step('batch', { tags, size: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 1, arbitrary: step('retitle', { node: index, title }) },
    { weight: 1, arbitrary: step('retype', { node: index, type }) },
    { weight: 1, arbitrary: step('retag', { node: index, tags }) },
    { weight: 2, arbitrary: step('delete', { node: index }) },
    { weight: 1, arbitrary: step('restore', { node: index }) },
    { weight: 1, arbitrary: step('embed', { node: index }) },
    { weight: 1, arbitrary: step('relate', { node: index, other: index }) },
    { weight: 1, arbitrary: step('delete tag', { tag: fc.nat({ max: TAGS.length - 1 }) }) },
  ),
  { minLength: 8, maxLength: 24 },
);

/** Totals are carried from one list to the next, pages are not: each has to hold as many as the other says. */
describe(`totals of lists between changes (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  async function expectTotals(client: Client, workTag: string): Promise<void> {
    for (const query of QUERIES) {
      const { body } = await client.get(`/nodes?limit=100&${query.replace('=work', `=${workTag}`)}`);
      expect([query, body.total]).toEqual([query, body.nodes.length]);
    }
  }

  it('are the length of the list', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (wanted) => {
        const alice = await world.user();
        const tagIds = await Promise.all(TAGS.map((name) => tagId(alice, name)));
        const [work, home, secret] = tagIds as [string, string, string];
        const app = await letsIn(
          world,
          alice,
          profile({ read: [work, home] }, { tag_filters: { exclude_any: [secret] } }),
        );
        const ids = [(await node(alice, { title: 'plan', tags: ['work'] })).id as string];
        for (const one of [...wanted, { do: 'ask' } as const]) {
          if (one.do !== 'ask') await take(alice, one, ids);
          else for (const client of [alice, app]) await expectTotals(client, work);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }, 300_000);
});

/** What a step means by now may be refused: a tag that is gone, a node that is deleted. */
async function take(alice: TestUser, one: Exclude<Step, { do: 'ask' }>, ids: string[]): Promise<void> {
  const id = 'node' in one ? (ids[one.node % ids.length] as string) : '';
  const named = 'tags' in one ? { tags: one.tags.map((tag) => TAGS[tag]) } : {};
  switch (one.do) {
    case 'create':
      ids.push((await node(alice, { title: one.title, node_type: one.type, ...named })).id as string);
      return;
    case 'batch': {
      const nodes = Array.from({ length: one.size }, (_, at) => ({
        title: `plan ${ids.length + at}`,
        node_type: 'note',
        ...named,
      }));
      const { body } = await alice.post('/nodes/batch', { nodes });
      ids.push(...(body.created as { id: string }[]).map((made) => made.id));
      return;
    }
    case 'retitle':
      return void (await alice.put(`/nodes/${id}`, { title: one.title }));
    case 'retype':
      return void (await alice.put(`/nodes/${id}`, { node_type: one.type }));
    case 'retag':
      return void (await alice.put(`/nodes/${id}`, named));
    case 'delete':
      return void (await alice.delete(`/nodes/${id}`));
    case 'restore':
      return void (await alice.post(`/nodes/${id}/restore`));
    case 'embed':
      return void (await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0] }));
    case 'relate':
      return void (await alice.post('/relationships', {
        from_node_id: id,
        to_node_id: ids[one.other % ids.length],
        relationship_type: 'related_to',
      }));
    case 'delete tag': {
      const { body } = await alice.get(`/tags?search=${TAGS[one.tag]}&per_page=200`);
      const tag = (body.tags as { id: string; name: string }[]).find(({ name }) => name === TAGS[one.tag]);
      if (tag) await alice.delete(`/tags/${tag.id}`);
    }
  }
}
