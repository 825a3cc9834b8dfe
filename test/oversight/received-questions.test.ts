import { readFile } from 'node:fs/promises';
import { Database } from '../../src/kernel/database/database.js';
import { callTool } from '../support/mcp.js';
import { exchangeBytes, type Client } from '../support/client.js';
import { asApp } from '../support/as-app.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { MULTIPART, multipartOf } from '../support/worlds/files.js';
import { node, profile, tagId } from '../support/worlds/nodes.js';
import { getsToKnow, group } from '../support/worlds/people.js';
import { withWorld } from '../support/worlds/with-world.js';

const MIGRATION = new URL('../../migrations/1764651550970-questions-of-recipients.sql', import.meta.url);
const WORDS = ['pregnancy', 'divorce', 'bankruptcy', 'gambling', 'harbour', 'football'];

describe('questions of recipients and the log of their sharer (rule 12.2e)', () => {
  let world: World;
  let sharer: TestUser;
  let reader: TestUser;
  let app: TestApp;
  let byApp: Client;
  let dictionary: Map<string, string>;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    [sharer, reader, app] = [await world.user(), await world.user(), await world.app()];
    byApp = await reader.lets(app);
    await getsToKnow(reader, sharer);
    dictionary = new Map();
    for (const title of WORDS) dictionary.set(title, (await node(sharer, { title, tags: ['a word'] })).id);
  });
  afterEach(() => letClockRun(world));

  const idOf = (word: string) => dictionary.get(word) as string;
  const shares = async (node_ids = [...dictionary.values()]) => {
    const body = { shared_with_user_id: reader.id, scope: 'specific_nodes', node_ids };
    expect((await sharer.post('/sharing', body)).status).toBe(201);
  };
  const relates = async (from: string, to: string): Promise<string> => {
    const ends = { from_node_id: idOf(from), to_node_id: idOf(to) };
    return (await sharer.post('/relationships', { ...ends, relationship_type: 'near' })).body.id;
  };
  const log = async (owner = sharer) => {
    const { status, body, text } = await owner.get('/access-log?limit=100');
    if (status !== 200) throw new Error(text);
    return body.entries as { endpoint: string; node_ids: string[] }[];
  };
  /** The endpoints of the sharer's log, each with the words that its entries name. */
  const named = async () => {
    const words = new Map([...dictionary].map(([word, id]) => [id, word]));
    return (await log())
      .map(({ endpoint, node_ids }) => [endpoint, ...node_ids.map((id) => words.get(id)).sort()].join(' '))
      .sort();
  };

  it('searches by a person, their app and its tool leave nothing, though they find notes of the sharer', async () => {
    await shares();
    const tool = await callTool(byApp, 'search', { query: 'gambling debts' });
    const found = [
      (await reader.post('/nodes/search', { query: 'pregnancy week 8' })).text,
      (await byApp.post('/nodes/search', { query: 'how does a divorce work' })).text,
      JSON.stringify(tool),
      (await reader.get('/nodes?search=bankruptcy')).text,
      (await byApp.get('/nodes?search=harbour')).text,
      (await reader.get(asApp('/nodes?search=football', app.id))).text,
    ];
    const words = ['pregnancy', 'divorce', 'gambling', 'bankruptcy', 'harbour', 'football'];
    for (const [i, word] of words.entries())
      expect([word, found[i]?.includes(idOf(word))]).toEqual([word, true]);
    expect(await log()).toEqual([]);
    expect((await log(reader)).map(({ endpoint }) => endpoint).sort()).toEqual([
      'GET /nodes',
      'POST /nodes/search',
      'POST /nodes/search',
    ]);
  });

  it('lists, facets, tags, shares and relationships leave nothing, though they show notes of the sharer', async () => {
    await shares();
    const [edge, tag] = [await relates('divorce', 'gambling'), await tagId(sharer, 'a word')];
    const paths: [string, string][] = [
      ['/nodes', idOf('harbour')],
      ['/nodes/facets', '"total":6'],
      ['/tags?access=shared&include_nodes=true', idOf('harbour')],
      [`/tags/${tag}`, 'a word'],
      [`/tags/${tag}/nodes`, idOf('harbour')],
      ['/relationships', edge],
      [`/relationships/${edge}`, idOf('gambling')],
    ];
    for (const [path, part] of paths)
      for (const client of [reader, byApp])
        expect([path, (await client.get(path)).text.includes(part)]).toEqual([path, true]);
    expect((await reader.get('/sharing/incoming')).text).toContain(idOf('harbour'));
    expect(await log()).toEqual([]);
  });

  it('nodes that come with a named one leave nothing, and the named one is logged', async () => {
    await shares();
    await relates('divorce', 'gambling');
    const alike = await node(reader, { title: 'pregnancy' });
    for (const path of ['neighborhood', 'relationships', 'similar']) {
      const { status, text } = await byApp.get(`/nodes/${idOf('divorce')}/${path}`);
      expect([path, status]).toEqual([path, 200]);
      if (path !== 'similar') expect(text).toContain(idOf('gambling'));
    }
    expect((await byApp.get(`/nodes/${alike.id}/similar`)).status).toBe(200);
    expect(await named()).toEqual([
      'GET /nodes/:node_id/neighborhood divorce',
      'GET /nodes/:node_id/relationships divorce',
      'GET /nodes/:node_id/similar divorce',
    ]);
  });

  it('a named node is logged as a read by the person at the hour, whether an app, a tool or nobody asked for them', async () => {
    const clock = holdClock(world);
    // A minute after the middle of an hour, with access tokens of that time.
    clock.advance(3_600 + 1_860 - ((clock.now.getTime() / 1000) % 3_600));
    [sharer, reader] = [await world.user(), await world.user()];
    byApp = await reader.lets(app);
    await getsToKnow(reader, sharer);
    const { id } = await node(sharer, { title: 'divorce' });
    await shares([id]);
    for (const ask of [
      () => reader.get(`/nodes/${id}`),
      () => byApp.get(`/nodes/${id.toUpperCase()}`),
      () => callTool(byApp, 'fetch', { id }),
    ]) {
      await ask();
      clock.advance(3);
      const entries = await log();
      const { id: first, ...entry } = entries[0] as unknown as { id: string } & Record<string, unknown>;
      expect(first).toEqual(expect.any(String));
      const hour = new Date(Math.floor(clock.now.getTime() / 3_600_000) * 3_600_000).toISOString();
      expect(entry).toEqual({
        at: hour,
        since: hour,
        actor: {
          type: 'user',
          app_id: null,
          app_name: null,
          app_name_now: null,
          user_id: reader.id,
          username: reader.name,
          app: null,
          user: { id: reader.id, username: reader.name },
        },
        session_id: null,
        via: 'rest',
        tool: null,
        action: 'read',
        endpoint: 'GET /nodes/:node_id',
        status: 200,
        requests: 1,
        node_count: 1,
        node_ids: [id],
        nodes: [{ id, title: 'divorce' }],
        ids_left_out: false,
      });
    }
    expect(await log()).toHaveLength(3);
  });

  it('ids in the body of a look-up, links to files and histories name their nodes', async () => {
    const bytes = multipartOf([{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'hello' }]);
    const file = (await sharer.post('/raw-files', bytes, { headers: MULTIPART })).body.id as string;
    dictionary.set('a file', file);
    await shares();
    const ids = [idOf('harbour').toUpperCase(), idOf('divorce')];
    expect((await byApp.post('/nodes/lookup', { ids })).body.nodes).toHaveLength(2);
    expect((await byApp.get(`/nodes/${idOf('gambling')}/history`)).status).toBe(200);
    const { download_url } = (await byApp.get(`/nodes/${file}/download`)).body;
    expect((await exchangeBytes('GET', download_url, {})).body.toString()).toBe('hello');
    expect(await named()).toEqual([
      'GET /nodes/:node_id/download a file',
      'GET /nodes/:node_id/history gambling',
      'GET /raw-files/:file_id/content a file',
      'POST /nodes/lookup divorce harbour',
    ]);
  });

  it('a search whose body has something else than ids as its ids finds notes and leaves nothing', async () => {
    await shares();
    const body = { query: 'divorce', ids: [{ toString: 1 }, null] };
    expect((await byApp.post('/nodes/search', body)).text).toContain(idOf('divorce'));
    expect(await log()).toEqual([]);
  });

  it('reads by others from before the rule are deleted by the upgrade, and other entries stay', async () => {
    await shares();
    const sharersApp = await sharer.lets(app);
    await sharersApp.get(`/nodes/${idOf('divorce')}`);
    await reader.get(`/nodes/${idOf('harbour')}`);
    expect(await named()).toEqual(['GET /nodes/:node_id divorce', 'GET /nodes/:node_id harbour']);
    await world.nest.get(Database).dataSource.query(await readFile(MIGRATION, 'utf8'));
    expect(await named()).toEqual(['GET /nodes/:node_id divorce']);
  });

  it('lists of a group leave nothing in the log of a member who shares with it', async () => {
    const groupId = await group(reader, [sharer]);
    const all = await sharer.post('/exposure-profiles', { name: 'all', ...profile({ read: 'all' }) });
    await sharer.post(`/groups/${groupId}/share`, { exposure_profile_id: all.body.id });
    const list = await reader.get(`/groups/${groupId}/nodes?search=divorce`);
    expect(list.body.nodes).toMatchObject([{ id: idOf('divorce') }]);
    expect(await log()).toEqual([]);
    await reader.get(`/groups/${groupId}/nodes/${idOf('divorce')}`);
    expect(await named()).toEqual(['GET /groups/:group_id/nodes/:node_id divorce']);
  });
});
