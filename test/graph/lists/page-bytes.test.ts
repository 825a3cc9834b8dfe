import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { letsIn, profile, tagId } from '../../support/worlds/nodes.js';

type Item = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
type Page = { items: Item[]; limit: number; total: number; bytes: number };

/** The limit of a page, including its enclosing object and its last item. */
const MOST_BYTES = 5 * 1024 * 1024;
const LARGE = 24;

/** The largest possible node. Its metadata compresses very well, so its stored size reveals little. */
const large = (number: number): Item => ({
  title: `large ${number}`,
  value: `sail ${'v'.repeat(99_000)}`,
  node_type: 'note',
  metadata: { text: 'm'.repeat(250_000) },
  tags: ['large'],
});

describe('pages of large items', () => {
  let world: World;
  let user: TestUser;
  let masked: Client;
  let tag: string;
  let ids: string[];

  beforeAll(async () => {
    world = await World.startHere();
    user = await world.user();
    for (const from of [0, LARGE / 2]) {
      const nodes = Array.from({ length: LARGE / 2 }, (_, index) => large(from + index));
      expect((await user.post('/nodes/batch', { nodes })).status).toBe(201);
    }
    tag = await tagId(user, 'large');
    ids = (await walk(user, '/nodes', 'nodes', 100)).flatMap(({ items }) =>
      items.map(({ id }) => id as string),
    );
    masked = await letsIn(world, user, {
      ...profile({ read: 'all', discover: 'all' }),
      transformations: [{ type: 'field_mask', config: { paths: ['value', 'metadata'], strategy: 'remove' } }],
    });
  });
  afterAll(() => world.stop());

  const page = async (client: Client, path: string, key: string): Promise<Page> => {
    const { status, body, text } = await client.get(path);
    expect(status).toBe(200);
    return {
      items: body[key] as Item[],
      limit: body.limit,
      total: body.total,
      bytes: Buffer.byteLength(text),
    };
  };

  /** Reads all pages of a list like a client that adds up the entries received. */
  async function walk(client: Client, path: string, key: string, limit: number): Promise<Page[]> {
    const pages: Page[] = [];
    const mark = path.includes('?') ? '&' : '?';
    for (let offset = 0; ;) {
      const next = await page(client, `${path}${mark}limit=${limit}&offset=${offset}`, key);
      pages.push(next);
      offset += next.items.length;
      if (offset >= next.total) return pages;
      expect(next.items.length).toBeGreaterThan(0);
    }
  }

  const lists: [string, string, () => string, (item: Item) => string, number][] = [
    ['nodes', 'nodes', () => '/nodes', ({ id }) => id, LARGE],
    ['nodes by title', 'nodes', () => '/nodes?sort=title&search=LARGE', ({ id }) => id, LARGE],
    ['nodes with a tag', 'nodes', () => `/tags/${tag}/nodes`, ({ id }) => id, LARGE],
  ];

  it.each(lists)('%s are complete over all pages, without duplicates', async (_, key, path, idOf, count) => {
    const pages = await walk(user, path(), key, 100);
    expect(pages.length).toBeGreaterThan(1);
    for (const { bytes, items, limit } of pages.slice(0, -1)) {
      expect(bytes).toBeLessThan(MOST_BYTES);
      expect(limit).toBe(items.length);
    }
    const found = pages.flatMap(({ items }) => items.map(idOf));
    expect(new Set(found).size).toBe(count);
    expect(found).toHaveLength(count);
  });

  it('relationships come page by page, with both of their nodes', async () => {
    const [hub, ...others] = ids as [string, ...string[]];
    for (const to of others)
      expect(
        (await user.post('/relationships', { from_node_id: hub, to_node_id: to, relationship_type: 'near' }))
          .status,
      ).toBe(201);
    const pages = await walk(user, '/relationships?include_nodes=true', 'relationships', 200);
    expect(pages.length).toBeGreaterThan(1);
    const found = pages.flatMap(({ items }) => items);
    expect(found.every(({ from_node, to_node }) => from_node?.value && to_node?.value)).toBe(true);
    expect(new Set(found.map(({ id }) => id as string)).size).toBe(others.length);
    for (const { bytes } of pages) expect(bytes).toBeLessThan(MOST_BYTES);
  });

  it('tags with long descriptions come page by page, of a person and of a group', async () => {
    const groupId = (await user.post('/groups', { name: 'harbour' })).body.id as string;
    // Three bytes for each character.
    const description = '\u20ac'.repeat(10_000);
    const count = 160;
    for (let index = 0; index < count; index++)
      for (const path of ['/tags', `/groups/${groupId}/tags`])
        expect((await user.post(path, { name: `tag ${index}`, description })).status).toBe(201);
    for (const [path, total] of [
      ['/tags', count + 1],
      ['/tags?include_nodes=true', count + 1],
      [`/groups/${groupId}/tags`, count],
    ] as const) {
      const pages = await walk(user, path, 'tags', 200);
      expect(pages.length).toBeGreaterThan(1);
      for (const { bytes } of pages) expect(bytes).toBeLessThan(MOST_BYTES);
      for (const { items, limit } of pages.slice(0, -1)) expect(limit).toBe(items.length);
      const found = pages.flatMap(({ items }) => items.map(({ id }) => id as string));
      expect(found).toHaveLength(total);
      expect(new Set(found).size).toBe(total);
    }
  });

  it('versions and contributions come page by page', async () => {
    const [, , id] = ids as [string, string, string];
    for (let number = 0; number < 8; number++)
      expect((await user.put(`/nodes/${id}`, { value: `${number}${'w'.repeat(99_000)}` })).status).toBe(200);
    const versions = await walk(user, `/nodes/${id}/history?include_snapshots=true`, 'history', 1000);
    expect(versions.flatMap(({ items }) => items.map(({ version }) => version as number))).toEqual(
      Array.from({ length: 9 }, (_, index) => 9 - index),
    );
    for (const { bytes } of versions) expect(bytes).toBeLessThan(MOST_BYTES);
    const timeline = await page(user, '/nodes/history?limit=1000', 'history');
    expect(timeline.bytes).toBeLessThan(MOST_BYTES);
    expect(timeline.total).toBe(LARGE + 8);
    const contributions = await walk(user, `/nodes/${id}/contributions`, 'contributions', 1000);
    expect(contributions.flatMap(({ items }) => items)).toHaveLength(contributions[0]?.total as number);
  });

  it('a search returns the best hits that fit', async () => {
    const { status, body, text } = await user.post('/nodes/search', { query: 'sail', limit: 100 });
    expect(status).toBe(200);
    expect(body.total).toBe(LARGE - 1);
    expect(body.nodes.length).toBeLessThan(LARGE - 1);
    expect(body.limit).toBe(body.nodes.length);
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
  });

  it('a sync page ends early and reports that more follows', async () => {
    const brought = new Set<string>();
    let cursor = '';
    for (let pages = 0; ; pages++) {
      const { status, body, text } = await user.get(`/sync?limit=1000${cursor}`);
      expect(status).toBe(200);
      expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
      for (const { node } of body.changes as Item[]) brought.add(node.id as string);
      cursor = `&cursor=${encodeURIComponent(body.cursor as string)}`;
      if (!body.has_more) {
        expect(pages).toBeGreaterThan(0);
        break;
      }
    }
    expect(brought.size).toBe(LARGE);
  });

  it('the end of a page does not reveal how large the hidden parts are', async () => {
    for (const path of [
      '/nodes?limit=100',
      `/tags/${tag}/nodes?limit=100`,
      '/nodes?limit=100&search=large',
    ]) {
      const { items, limit } = await page(masked, path, 'nodes');
      expect([path, items.length, limit]).toEqual([path, LARGE, 100]);
    }
    const timeline = await page(masked, '/nodes/history?limit=1000', 'history');
    expect(timeline.items).toHaveLength(timeline.total);
    const { body } = await masked.get('/sync?limit=1000');
    expect([body.changes.length, body.has_more]).toEqual([LARGE, false]);
  });
});
