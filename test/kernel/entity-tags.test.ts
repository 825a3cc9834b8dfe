import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { isConfirmable } from '../../src/kernel/http/endpoint.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { readOnly } from '../support/defaults.js';
import { profile } from '../support/worlds/nodes.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';

type Item = Record<string, unknown>;

const MASK = { type: 'truncate', config: { field: 'value', max: 3 } };
const LIST = '/nodes?include_tags=true';

describe('entity tags of reads', () => {
  let world: World;
  let alice: TestUser;
  let id: string;

  beforeAll(async () => {
    world = await World.startHere();
  });
  beforeEach(async () => {
    alice = await world.user();
    const made = await alice.post('/nodes', {
      title: 'Harbour',
      node_type: 'NOTE',
      value: 'lights '.repeat(600),
      tags: ['sea'],
    });
    id = made.body.id;
  });
  afterAll(() => world.stop());

  const tagOf = ({ headers }: Answer): string => headers['etag'] as string;
  const holding = (client: Client, path: string, tag: string, headers: Record<string, string> = {}) =>
    client.get(path, { headers: { 'If-None-Match': tag, ...headers } });

  it.each([
    ['a list', () => LIST],
    ['a single node', () => `/nodes/${id}`],
    ['the tags', () => '/tags'],
    ['the history of a node', () => `/nodes/${id}/history`],
  ])('%s that its caller holds is answered with 304 and no body (rule 11.14)', async (_, path) => {
    const first = await alice.get(path());
    expect(first.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: 'Authorization, X-API-Key, X-User-ID, Accept-Encoding',
    });
    const again = await holding(alice, path(), tagOf(first));
    expect([again.status, again.text, tagOf(again)]).toEqual([304, '', tagOf(first)]);
    expect(again.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: first.headers['vary'],
    });
    expect(again.headers['content-length']).toBeUndefined();
    await alice.put(`/nodes/${id}`, { title: 'Pier' });
    await alice.post('/tags', { name: 'pier' });
    const changed = await holding(alice, path(), tagOf(first));
    expect(changed.status).toBe(200);
    expect(tagOf(changed)).not.toBe(tagOf(first));
  });

  it('the tag of a single read begins with the version, and If-Match compares that part (rule 11.14)', async () => {
    const read = tagOf(await alice.get(`/nodes/${id}`));
    expect(read).toMatch(/^"1\.[\w-]{22}"$/);
    const put = (title: string, tag: string) =>
      alice.put(`/nodes/${id}`, { title }, { headers: { 'If-Match': tag } });
    const [tag] = (await alice.get('/tags')).body.tags;
    await alice.put(`/tags/${tag.id}`, { name: 'ocean' });
    const written = await put('Pier', read);
    expect([written.status, tagOf(written)]).toEqual([200, '"2"']);
    expect((await put('Quay', '"2"')).status).toBe(200);
    for (const stale of [read, tagOf(written), '"2.x"', '"3.x.y"'])
      expect([stale, (await put('lost', stale)).status]).toEqual([stale, 412]);
    const weak = await put('lost', `W/${tagOf(await alice.get(`/nodes/${id}`))}`);
    expect(weak.body.error.message).toBe('A weak entity tag never matches: send If-Match without W/');
  });

  it('a new name of a tag changes the entity tag of its node, whose version stays', async () => {
    const before = await alice.get(`/nodes/${id}`);
    const [tag] = (await alice.get('/tags')).body.tags;
    await alice.put(`/tags/${tag.id}`, { name: 'ocean' });
    const after = await holding(alice, `/nodes/${id}`, tagOf(before));
    expect([after.status, after.body.tags, after.body.version]).toEqual([200, ['ocean'], 1]);
  });

  describe('entity tags of an app', () => {
    let app: Client;
    let rulesOfApp: string;
    let ended: string;
    let hidden: string;

    beforeEach(async () => {
      hidden = (await alice.post('/nodes', { title: 'Secret', node_type: 'NOTE', tags: ['diary'] })).body.id;
      const { tags } = (await alice.get('/tags')).body;
      const sea = tags.find(({ name }: { name: string }) => name === 'sea').id;
      const made = await world.app({ requested: readOnly });
      const rules = profile({ discover: [sea], read: [sea] });
      const { profile: narrow, authorization } = await alice.authorizes(made, rules);
      ended = `/authorizations/${authorization.id}`;
      rulesOfApp = `/exposure-profiles/${narrow.id}`;
      app = made.as(alice);
    });

    it('a change of what the app is not shown leaves its entity tags as they are', async () => {
      const paths = [LIST, '/nodes', `/nodes/${id}`, '/tags', '/relationships'];
      const tags = await Promise.all(paths.map(async (path) => tagOf(await app.get(path))));
      await alice.put(`/nodes/${hidden}`, { title: 'Another secret', tags: ['diary', 'night'] });
      await alice.post('/nodes', { title: 'Third', node_type: 'NOTE', tags: ['night'] });
      for (const [index, path] of paths.entries())
        expect([path, (await holding(app, path, tags[index] as string)).status]).toEqual([path, 304]);
    });

    it('no entity tag outlives what a profile takes away, nor the authorization', async () => {
      const held = tagOf(await app.get(LIST));
      const one = tagOf(await app.get(`/nodes/${id}`));
      await alice.put(rulesOfApp, { name: 'masked', transformations: [MASK] });
      const masked = await holding(app, `/nodes/${id}`, one);
      expect([masked.status, (await holding(app, LIST, held)).status]).toEqual([200, 200]);
      expect(masked.body.value).not.toContain('lights');
      await alice.put(rulesOfApp, profile({ discover: [], read: [] }));
      expect((await holding(app, `/nodes/${id}`, one)).status).toBe(404);
      const emptied = await holding(app, LIST, held);
      expect([emptied.status, emptied.body.nodes]).toEqual([200, []]);
      await alice.delete(ended);
      expect((await holding(app, LIST, tagOf(emptied))).status).toBe(403);
    });
  });

  it('a confirmed read is in the access log like every other', async () => {
    const app = await alice.lets(await world.app());
    const held = tagOf(await app.get(`/nodes/${id}`));
    await holding(app, `/nodes/${id}`, held);
    const { entries } = (await alice.get(`/access-log?node_id=${id}`)).body;
    expect(entries.map(({ status, requests }: Item) => [status, requests]).sort()).toEqual([
      [200, 1],
      [304, 1],
    ]);
  });

  it.each([
    ['*', 200],
    ['"other", {tag}', 304],
    ['W/{tag}', 304],
    ['{tag},', 304],
    ['"other"', 200],
    ['{bare}', 200],
    ['"', 200],
    ['', 200],
    [',,\u00ff', 200],
  ])('If-None-Match "%s" is answered with %i', async (header, status) => {
    const tag = tagOf(await alice.get(LIST)).replace('W/', '');
    const sent = header.replace('{tag}', tag).replace('{bare}', tag.replaceAll('"', ''));
    expect((await holding(alice, LIST, sent)).status).toBe(status);
  });

  it('HEAD and compressed answers have the entity tag of the plain one', async () => {
    const tag = tagOf(await alice.get(LIST));
    const compressed = await alice.get(LIST, { headers: { 'Accept-Encoding': 'gzip' } });
    expect([compressed.headers['content-encoding'], tagOf(compressed)]).toEqual(['gzip', tag]);
    const head = await alice.send('HEAD', LIST);
    expect([head.status, tagOf(head)]).toEqual([200, tag]);
    const confirmed = await alice.send('HEAD', LIST, undefined, { headers: { 'If-None-Match': tag } });
    expect(confirmed.status).toBe(304);
    expect((await holding(alice, LIST, tag, { 'Accept-Encoding': 'gzip' })).status).toBe(304);
  });

  it('a long list is confirmed, too, and its entity tag covers the last of its nodes', async () => {
    const nodes = Array.from({ length: 60 }, (_, index) => ({
      title: `Note ${index}`,
      node_type: 'NOTE',
      value: `${index} harbour lights `.repeat(300),
    }));
    const made = await alice.post('/nodes/batch', { nodes });
    const before = await alice.get('/nodes?limit=100');
    expect((await holding(alice, '/nodes?limit=100', tagOf(before))).status).toBe(304);
    const last = before.body.nodes.at(-1).id;
    await alice.put(`/nodes/${last}`, { title: 'changed' });
    expect((await holding(alice, '/nodes?limit=100', tagOf(before))).status).toBe(200);
    expect(made.status).toBe(201);
  });

  it.each(['/sync', '/auth/me', '/apps', '/authorizations', '/nodes/absent'])(
    'GET %s may not be stored and has no entity tag',
    async (path) => {
      const { headers } = await holding(alice, path, '*');
      expect([headers['cache-control'], headers['etag']]).toEqual([
        expect.stringContaining('no-store'),
        undefined,
      ]);
    },
  );

  it('writes and searches are answered in full, whatever their If-None-Match says', async () => {
    const headers = { 'If-None-Match': '*' };
    expect((await alice.put(`/nodes/${id}`, { title: 'Pier' }, { headers })).status).toBe(200);
    expect((await alice.post('/nodes/search', { query: 'pier' }, { headers })).body.total).toBe(1);
  });

  it('every operation that can be confirmed documents If-None-Match and 304', () => {
    const { paths } = buildOpenApi(world.nest);
    const documented = Object.entries(paths)
      .filter(([, { get }]) => get?.responses['304'] !== undefined)
      .map(([path]) => path);
    const declared = world.nest
      .get(RouteTable)
      .routes.filter(({ method, endpoint }) => endpoint !== undefined && isConfirmable(method, endpoint));
    expect(documented.length).toBe(new Set(declared.map(({ path }) => path)).size);
    expect(documented.length).toBeGreaterThan(30);
    for (const path of documented)
      expect((paths[path]?.get?.parameters as { name: string }[]).map(({ name }) => name)).toContain(
        'If-None-Match',
      );
  });
});
