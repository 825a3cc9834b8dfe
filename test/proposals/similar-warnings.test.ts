import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { node } from '../support/worlds/nodes.js';
import { batch, proposed } from '../support/worlds/proposals.js';
import { withAlice } from '../support/worlds/with-world.js';

interface Similar {
  id: string;
  title: string;
  similarity: number;
  reason: string;
}

const TITLE = 'Learn to sail around the island';
const goal = (title: string) => ({ title, node_type: 'GOAL' });

describe('similar nodes in the diff of a proposal (rule 8.10i)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  const entriesOf = async (id: string, by: Client = alice): Promise<{ similar_nodes?: Similar[] }[]> =>
    (await by.get(`/proposals/${id}/diff`)).body.entries;
  const similarOf = async (body: Record<string, unknown>): Promise<(Similar[] | undefined)[]> =>
    (await entriesOf((await proposed(client, body)).id)).map(({ similar_nodes }) => similar_nodes);

  it('a user is warned of a node with the same or nearly the same title as a new one', async () => {
    const same = await node(alice, { title: TITLE });
    const near = await node(alice, { title: 'Learn to sail around the islands' });
    await node(alice, { title: 'Buy bread' });
    const [similar] = await similarOf({ canonical_data: goal(TITLE) });
    expect(similar).toEqual([
      { id: same.id, title: TITLE, similarity: 1, reason: 'same_title' },
      {
        id: near.id,
        title: 'Learn to sail around the islands',
        similarity: expect.any(Number),
        reason: 'similar_title',
      },
    ]);
    expect(await similarOf({ canonical_data: goal('Something quite different') })).toEqual([[]]);
  });

  it('a renamed node is compared with all nodes but itself, and other changes with none', async () => {
    const other = await node(alice, { title: TITLE });
    const { id: node_id } = await node(alice, { title: 'Row' });
    const renamed = { node_id, changes: { title: TITLE } };
    const [similar] = await similarOf({ type: 'UPDATE_NODE', canonical_data: renamed });
    expect(similar).toMatchObject([{ id: other.id, reason: 'same_title' }]);
    const fixed = { node_id: other.id, changes: { title: `${TITLE}!` } };
    expect(await similarOf({ type: 'UPDATE_NODE', canonical_data: fixed })).toEqual([[]]);
    const valued = { node_id, changes: { value: TITLE } };
    expect(await similarOf({ type: 'UPDATE_NODE', canonical_data: valued })).toEqual([undefined]);
  });

  it('an app is shown no similar nodes, not even those that it reads', async () => {
    await node(alice, { title: TITLE });
    const { id } = await proposed(client, { canonical_data: goal(TITLE) });
    expect((await entriesOf(id, client)).map((entry) => 'similar_nodes' in entry)).toEqual([false]);
    expect((await entriesOf(id)).map(({ similar_nodes }) => similar_nodes?.length)).toEqual([1]);
  });

  it('a diff names three similar nodes of a title at most, and compares its first ten titles', async () => {
    for (let number = 0; number < 4; number++) await node(alice, { title: TITLE });
    const create = (): [string, Record<string, unknown>] => ['CREATE_NODE', goal(TITLE)];
    const found = await similarOf(batch(...Array.from({ length: 12 }, create)));
    expect(found.map((similar) => similar?.length)).toEqual([
      ...Array<number>(10).fill(3),
      undefined,
      undefined,
    ]);
  });
});
