import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { StatementLog } from './statement-log.js';

interface Hiding {
  rest: Record<string, unknown>;
  /** An edit of a visible node that its caller is not shown. */
  edit: (number: number) => Record<string, unknown>;
}

const mask = (strategy: string) => ({
  transformations: [{ type: 'field_mask', config: { paths: ['value'], strategy } }],
});
const value = (number: number) => ({ value: `number ${number} of text` });

const HIDINGS: Record<string, Hiding> = {
  'removes the value': { rest: mask('remove'), edit: value },
  'shows the last characters of the value': { rest: mask('last4'), edit: value },
  'ends at a detail level': { rest: { max_detail_level: 'summary' }, edit: value },
};

interface Graph {
  alice: TestUser;
  app: Client;
  visible: string;
  hidden: string;
}

interface Request {
  method: string;
  path: string;
  body: unknown;
}

const get = (path: string): Request => ({ method: 'GET', path, body: undefined });
const readsOf = (id: string): Request[] => [
  get(`/nodes/${id}`),
  get('/nodes'),
  get('/nodes?sort=updated_at'),
  get('/nodes?search=node'),
  get(`/nodes/${id}/history`),
  get(`/nodes/${id}/history/1`),
  get(`/nodes/${id}/history/at-time?timestamp=2999-01-01T00:00:00Z`),
  get(`/nodes/${id}/contributions`),
];
/** A write that changes nothing, and one that brings a new version. */
const writesOf = (id: string, title: string): Request[] =>
  ['a node', title].map((title) => ({ method: 'PUT', path: `/nodes/${id}`, body: { title } }));

/** Hidden edits of a visible node cost its caller nothing that a clock could tell (rule 3.16d, ADR 54). */
describe.each(Object.entries(HIDINGS))('%s', (_, { rest, edit }) => {
  let world: World;
  let log: StatementLog;
  let count = 0;

  beforeAll(async () => {
    world = await World.startHere();
    log = new StatementLog(world);
  });
  afterAll(() => world.stop());

  const graphWithApp = async (): Promise<Graph> => {
    const alice = await world.user();
    const open = [await tagId(alice, 'open')];
    for (let number = 1; number <= 9; number++) await tagId(alice, `hidden ${number}`);
    const app = await letsIn(world, alice, profile({ discover: open, read: open, edit: open }, rest));
    const { id: visible } = await node(alice, { tags: ['open'], value: 'number 0 of text' });
    const { id: hidden } = await node(alice);
    return { alice, app, visible, hidden };
  };
  const edited = async ({ alice }: Graph, id: string): Promise<void> => {
    const { status } = await alice.put(`/nodes/${id}`, edit((count++ % 9) + 1));
    expect(status).toBe(200);
  };
  /** The statements of a request after an edit that the app does not see, and of the same request again. */
  const statements = async (graph: Graph, id: string, request: Request): Promise<string[]> => {
    await edited(graph, id);
    // Some are sent concurrently, in any order.
    const sent = async () => (await log.of(graph.app, request)).split(/,? /).sort().join(' ');
    return [await sent(), await sent()];
  };

  it('a profile that %s has the same statements after edits of a visible node and of a hidden one', async () => {
    const [one, other] = [await graphWithApp(), await graphWithApp()];
    for (const { app, visible } of [one, other])
      for (const request of readsOf(visible)) await log.of(app, request);
    const requestsOf = (id: string) => [...readsOf(id), ...writesOf(id, 'another')];
    for (const [index, request] of requestsOf(one.visible).entries()) {
      const otherRequest = requestsOf(other.visible)[index] as Request;
      const expected = await statements(one, one.hidden, request);
      const found = await statements(other, other.visible, otherRequest);
      expect([request, found]).toEqual([request, expected]);
      expect(expected[0]).toMatch(/^200 .*node/);
    }
  });
});
