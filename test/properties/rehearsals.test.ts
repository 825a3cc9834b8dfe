import fc from 'fast-check';
import { type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';
import { node } from '../support/worlds/nodes.js';
import { approved, proposed, ready } from '../support/worlds/proposals.js';

const SEED = Number(process.env.SEED ?? 20261126);
const RUNS = Number(process.env.RUNS ?? (onPostgres ? 20 : 10));

const [NODES, EDGES] = [5, 5];
const place = fc.nat(NODES - 1);
const two = fc.shuffledSubarray([...Array(NODES).keys()], { minLength: 2, maxLength: 2 });
const type = fc.constantFrom('knows', 'likes');
const edge = fc.nat(EDGES - 1);

/** A step about nodes and relationships by their places in a graph. */
const step = fc.oneof(
  fc.record({ does: fc.constant('change' as const), place }),
  fc.record({ does: fc.constant('tag' as const), place }),
  fc.record({ does: fc.constant('delete' as const), place }),
  fc.record({ does: fc.constant('merge' as const), two }),
  fc.record({ does: fc.constant('connect' as const), two, type, bidirectional: fc.boolean() }),
  fc.record({ does: fc.constant('change edge' as const), edge, type }),
  fc.record({ does: fc.constant('delete edge' as const), edge }),
);
const story = fc.record({
  ends: fc.array(fc.record({ two, type }), { minLength: EDGES, maxLength: EDGES }),
  steps: fc.array(step, { minLength: 4, maxLength: 9 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

interface Graph {
  nodes: string[];
  edges: string[];
}
interface Action {
  id: string;
  type: string;
  payload: Record<string, unknown>;
}

/** Two people with equal graphs: of one the steps are rehearsed together, of the other applied one by one. */
describe(`random proposals that are rehearsed (seed ${SEED}, ${RUNS} runs)`, () => {
  let world: World;
  let people: [TestUser, TestUser];
  let apps: [Client, Client];
  let count = 0;

  beforeAll(async () => {
    world = await World.start();
    people = [await world.user(), await world.user()];
    apps = [await people[0].lets(await world.app()), await people[1].lets(await world.app())];
  });
  afterAll(() => world.stop());

  const graphOf = async (user: TestUser, { ends }: Story): Promise<Graph> => {
    const nodes: string[] = [];
    for (let index = 0; index < NODES; index++) nodes.push((await node(user, { tags: ['kept'] })).id);
    const edges: string[] = [];
    for (const { two: pair, type: relationship_type } of ends) {
      const [from_node_id, to_node_id] = pair.map((index) => nodes[index]);
      const made = await user.post('/relationships', { from_node_id, to_node_id, relationship_type });
      expect(made.status).toBe(201);
      edges.push(made.body.id as string);
    }
    return { nodes, edges };
  };
  const actionOf = (made: Step, { nodes, edges }: Graph, number: number): Action => {
    const id = `a${number}`;
    const title = `title ${number}`;
    const [one, other] = 'two' in made ? made.two.map((index) => nodes[index]) : [];
    const node_id = 'place' in made ? nodes[made.place] : null;
    const relationship_id = 'edge' in made ? edges[made.edge] : null;
    switch (made.does) {
      case 'change':
        return { id, type: 'UPDATE_NODE', payload: { node_id, changes: { title } } };
      case 'tag':
        return { id, type: 'ADD_TAGS', payload: { node_id, tags: [`new ${count}`] } };
      case 'delete':
        return { id, type: 'DELETE_NODE', payload: { node_id } };
      case 'merge':
        return { id, type: 'MERGE_NODES', payload: { target_node_id: one, source_node_ids: [other] } };
      case 'connect': {
        const { type: relationship_type, bidirectional } = made;
        const ends = { from_node_id: one, to_node_id: other };
        return { id, type: 'CREATE_RELATIONSHIP', payload: { ...ends, relationship_type, bidirectional } };
      }
      case 'change edge': {
        const changes = { relationship_type: made.type, context: title };
        return { id, type: 'UPDATE_RELATIONSHIP', payload: { relationship_id, changes } };
      }
      case 'delete edge':
        return { id, type: 'DELETE_RELATIONSHIP', payload: { relationship_id } };
    }
  };
  const batch = (actions: readonly Action[]) => ({ type: 'BATCH', canonical_data: {}, actions });
  const verdict = async (app: Client, actions: readonly Action[]): Promise<string> => {
    const { status, body } = await ready(app, (await proposed(app, batch(actions))).id);
    return status === 200 ? 'ready' : `${status} ${body.error.code}`;
  };
  const apply = async (person: 0 | 1, actions: readonly Action[]): Promise<void> => {
    const id = await approved(people[person], apps[person], batch(actions));
    const { body } = await people[person].post(`/proposals/${id}/apply`);
    expect(body).toMatchObject({ status: 'APPLIED', errors: [] });
  };

  it('a step becomes ready behind others exactly if it can be applied after them (rule 8.4b)', async () => {
    const refused = new Set<string>();
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        count++;
        const graphs = [await graphOf(people[0], told), await graphOf(people[1], told)] as const;
        const together: Action[] = [];
        for (const [number, made] of told.steps.entries()) {
          const [first, alone] = [actionOf(made, graphs[0], number), actionOf(made, graphs[1], number)];
          const found = await verdict(apps[0], [...together, first]);
          expect({ told, number, found }).toEqual({ told, number, found: await verdict(apps[1], [alone]) });
          if (found !== 'ready') refused.add(`${made.does}: ${found}`);
          if (found !== 'ready') continue;
          together.push(first);
          await apply(1, [alone]);
        }
        if (together.length > 0) await apply(0, together);
      }),
      { seed: SEED, numRuns: RUNS },
    );
    // The runs contain steps that are refused because of others, about nodes and about relationships.
    for (const found of ['404 NODE_NOT_FOUND', 'edge: 404 NOT_FOUND'])
      expect([...refused].filter((one) => one.includes(found))).not.toEqual([]);
  });
});
