import fc from 'fast-check';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { onPostgres } from '../support/database.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const SEED = Number(process.env.SEED ?? 20261123);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 25 : 8));
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

/**
 * Totals are cached from one list to the next, pages are not: each has to contain as many as the other says.
 */
describe(`totals of lists between changes (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );

  async function expectTotals(client: Client, workTag: string): Promise<void> {
    for (const query of QUERIES) {
      const { body } = await client.get(`/nodes?limit=100&${query.replace('=work', `=${workTag}`)}`);
      expect([query, body.total]).toEqual([query, body.nodes.length]);
    }
  }

  it('totals equal the length of the list', async () => {
    const taken = new Set<Step['do']>();
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
          if (one.do !== 'ask') {
            if ((await take(alice, one, ids)) < 300) taken.add(one.do);
          } else for (const client of [alice, app]) await expectTotals(client, work);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
    expect([...taken].sort()).toEqual([...TAKEN].sort());
  }, 300_000);
});

/** The steps of which some must succeed; others are refused, for deleted nodes or tags. */
const TAKEN: Step['do'][] = [
  'create',
  'batch',
  'retitle',
  'retype',
  'retag',
  'delete',
  'restore',
  'embed',
  'relate',
  'delete tag',
];

/** @returns the status of the answer */
async function take(alice: TestUser, one: Exclude<Step, { do: 'ask' }>, ids: string[]): Promise<number> {
  const id = 'node' in one ? (ids[one.node % ids.length] as string) : '';
  const named = 'tags' in one ? { tags: one.tags.map((tag) => TAGS[tag]) } : {};
  switch (one.do) {
    case 'create': {
      const { status, body } = await alice.post('/nodes', {
        title: one.title,
        node_type: one.type,
        ...named,
      });
      ids.push(body.id as string);
      return status;
    }
    case 'batch': {
      const nodes = Array.from({ length: one.size }, (_, at) => ({
        title: `plan ${ids.length + at}`,
        node_type: 'note',
        ...named,
      }));
      const { status, body } = await alice.post('/nodes/batch', { nodes });
      ids.push(...(body.created as { id: string }[]).map((made) => made.id));
      return status;
    }
    case 'retitle':
      return (await alice.put(`/nodes/${id}`, { title: one.title })).status;
    case 'retype':
      return (await alice.put(`/nodes/${id}`, { node_type: one.type })).status;
    case 'retag':
      return (await alice.put(`/nodes/${id}`, named)).status;
    case 'delete':
      return (await alice.delete(`/nodes/${id}`)).status;
    case 'restore':
      return (await alice.post(`/nodes/${id}/restore`)).status;
    case 'embed':
      return (await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0] })).status;
    case 'relate': {
      const ends = { from_node_id: id, to_node_id: ids[one.other % ids.length] };
      return (await alice.post('/relationships', { ...ends, relationship_type: 'related_to' })).status;
    }
    case 'delete tag':
      return (await alice.delete(`/tags/${await tagId(alice, TAGS[one.tag] as string)}`)).status;
  }
}
