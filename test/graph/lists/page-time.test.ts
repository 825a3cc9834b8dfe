import { jest } from '@jest/globals';
import { Slices } from '../../../src/kernel/slices.js';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { type Page, pull } from '../../sync/pages.js';
import { upload } from '../../support/worlds/files.js';
import { node, profile } from '../../support/worlds/nodes.js';

const AGENT = '0190aaaa-0000-7000-8000-000000000001';
const ALL_TAGS = { discover: 'all', read: 'all', propose: 'all', create: 'all', edit: 'all' } as const;
const COUNT = 3;

/** Lists and the members in which their items come. */
const LISTS: Readonly<Record<string, [path: (id: string) => string, key: string]>> = {
  nodes: [() => '/nodes', 'nodes'],
  'nodes in the order of shown titles': [() => '/nodes?sort=title&search=harbour', 'nodes'],
  files: [() => '/raw-files', 'files'],
  'relationships of a node': [(id) => `/relationships?node_id=${id}`, 'relationships'],
  'relationships with their nodes': [
    (id) => `/relationships?include_nodes=true&node_id=${id}`,
    'relationships',
  ],
  'versions of a node': [(id) => `/nodes/${id}/history?include_snapshots=true`, 'history'],
  'contributions to a node': [(id) => `/nodes/${id}/contributions?status=all`, 'contributions'],
  'contributions of an agent': [() => `/agents/${AGENT}/contributions?status=all`, 'contributions'],
};

describe('a page whose time for showing is up', () => {
  let world: World;
  let alice: TestUser;
  /** An app that is shown redacted texts. */
  let app: Client;
  let id: string;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
    const redacting = { transformations: [{ type: 'pii_redaction' }] };
    app = await alice.lets(await world.app({ requested: everything }), profile(ALL_TAGS, redacting));
    const made = async (index: number) =>
      node(alice, { title: `harbour ${index}`, agent_metadata: { agent_id: AGENT } });
    id = (await made(0)).id as string;
    for (let index = 1; index <= COUNT; index++) {
      const { id: other } = await made(index);
      const edge = { from_node_id: id, to_node_id: other, relationship_type: 'near' };
      expect((await alice.post('/relationships', edge)).status).toBe(201);
      expect((await alice.put(`/nodes/${id}`, { value: `value ${index}` })).status).toBe(200);
      expect((await upload(alice, '/raw-files', { filename: `${index}.txt` })).status).toBe(201);
    }
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it.each(Object.entries(LISTS))(
    'ends with the item that is ready, in a list of %s, which goes on to its end',
    async (_, [path, key]) => {
      const page = async (query = '') => {
        const separator = path(id).includes('?') ? '&' : '?';
        const { status, body } = await app.get(`${path(id)}${query && separator + query}`);
        expect(status).toBe(200);
        return { items: body[key] as unknown[], limit: body.limit as number, total: body.total as number };
      };
      const whole = await page();
      expect(whole.items.length).toBeGreaterThanOrEqual(COUNT);
      jest.spyOn(Slices.prototype, 'isHalfSpent', 'get').mockReturnValue(true);
      for (let offset = 0; offset < whole.total; offset++) {
        const { items, total, limit } = await page(`offset=${offset}`);
        expect(items).toEqual([whole.items[offset]]);
        expect(total).toBe(whole.total);
        // The end of a list is no early end.
        if (offset + 1 < total) expect(limit).toBe(1);
      }
    },
  );

  it('ends with the hit or the change that is ready', async () => {
    jest.spyOn(Slices.prototype, 'isHalfSpent', 'get').mockReturnValue(true);
    const found = await app.post('/nodes/search', { query: 'harbour' });
    expect(found.body).toMatchObject({ nodes: [{}], total: COUNT + 1, limit: 1 });
    const { body } = await app.get('/nodes/history');
    expect([body.history.length, body.limit]).toEqual([1, 1]);
  });

  it('ends before the last entry that was found in sync, which goes on to its end', async () => {
    const ids = (page: Page) => page.changes.map((entry: Page) => entry.node.id as string);
    const whole = ids(await pull(app));
    jest.spyOn(Slices.prototype, 'spentMs', 'get').mockReturnValue(6_000);
    const pages: string[][] = [];
    for (let page: Page = { has_more: true }; page.has_more;) {
      page = await pull(app, page.cursor === undefined ? {} : { cursor: page.cursor as string });
      pages.push(ids(page));
    }
    expect(pages.flat()).toEqual(whole);
    expect(pages.map(({ length }) => length)).toEqual([whole.length - 1, 1]);
  });
});
