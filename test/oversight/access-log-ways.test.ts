import { AppSessions } from '../../src/identity/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { deliver, Receiver } from '../delivery/receiver.js';
import { exported, rowsOf } from '../portability/archives.js';
import { byToken } from '../support/app-token.js';
import { type Client, exchangeBytes } from '../support/client.js';
import { callTool } from '../support/mcp.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { MULTIPART, multipartOf } from '../support/worlds/files.js';
import { node } from '../support/worlds/nodes.js';
import { ABSENT } from '../support/worlds/schemas.js';
import { withWorld } from '../support/worlds/with-world.js';
import { getsToKnow } from '../support/worlds/people.js';

interface Entry {
  actor: { type: string; user_id: string | null };
  session_id: string | null;
  via: string;
  tool: string | null;
  action: string;
  endpoint: string;
  status: number;
  requests: number;
}

describe('sessions and ways in the access log (rule 12.2d)', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let byKey: Client;
  let authorizationId: string;

  withWorld((started) => {
    world = started;
  });
  beforeEach(async () => {
    [alice, app] = [await world.user(), await world.app()];
    authorizationId = (await alice.authorizes(app)).authorization.id as string;
    byKey = app.as(alice);
  });

  const device = async (owner = alice, authorization = authorizationId) => {
    const client = await byToken(world, {
      ownerId: owner.id,
      appId: app.id,
      authorizationId: authorization,
    });
    const text = (client.credentials.Authorization as string).replace('Bearer ', '');
    const known = await world.nest.get(AppSessions).find('access', text);
    return { client, id: known?.session.id as string };
  };
  const log = async (query = '', owner = alice): Promise<Entry[]> => {
    const { status, body, text } = await owner.get(`/access-log?limit=100${query}`);
    if (status !== 200) throw new Error(text);
    return body.entries;
  };
  it('reads by a key and by two sessions are three entries, each with its session', async () => {
    const [laptop, phone] = [await device(), await device()];
    for (const client of [byKey, laptop.client, phone.client, phone.client])
      expect((await client.get('/nodes')).status).toBe(200);
    const entries = await log();
    const found = entries.map(({ session_id, via, requests }) => [session_id, via, requests]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        [null, 'rest', 1],
        [laptop.id, 'rest', 1],
        [phone.id, 'rest', 2],
      ]),
    );
    const listed = await alice.get(`/authorizations/${authorizationId}/sessions`);
    expect(listed.body.sessions.map(({ id }: { id: string }) => id)).toContain(phone.id);
  });

  it('the log is filtered by session, also one of another person and one that is no id', async () => {
    const [laptop, phone] = [await device(), await device()];
    await laptop.client.get('/nodes');
    await phone.client.get('/tags');
    expect((await log(`&session_id=${phone.id}`)).map(({ endpoint }) => endpoint)).toEqual(['GET /tags']);
    expect(await log(`&session_id=${ABSENT}`)).toEqual([]);
    expect(await log('&session_id=nonsense')).toEqual([]);
    expect(await log(`&session_id=${phone.id}`, await world.user())).toEqual([]);
  });

  it('refusals are counted for each session by itself, across several writes of the log', async () => {
    const [laptop, phone] = [await device(), await device()];
    for (let round = 0; round < 2; round++) {
      for (const client of [byKey, laptop.client, phone.client]) await client.get(`/nodes/${ABSENT}`);
      await log();
    }
    const refused = await log('&action=refused');
    expect(refused.map(({ session_id, requests }) => [session_id, requests])).toHaveLength(3);
    for (const session of [null, laptop.id, phone.id])
      expect(refused.filter(({ session_id }) => session_id === session)).toMatchObject([
        { status: 404, requests: 2 },
      ]);
  });

  it('a file fetched by a link that a session asked for is logged with the session', async () => {
    const bytes = multipartOf([{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'hello' }]);
    const { id } = (await alice.post('/raw-files', bytes, { headers: MULTIPART })).body;
    const phone = await device();
    const { download_url } = (await phone.client.get(`/nodes/${id}/download`)).body;
    expect((await exchangeBytes('GET', download_url, {})).status).toBe(200);
    const endpoints = (await log(`&session_id=${phone.id}`)).map(({ endpoint }) => endpoint);
    expect(endpoints.sort()).toEqual(['GET /nodes/:node_id/download', 'GET /raw-files/:file_id/content']);
  });

  it('a call of a tool by MCP is logged with its tool, and one of another tool by itself', async () => {
    const { id } = await node(alice, {});
    for (const query of ['one', 'two']) await callTool(byKey, 'search', { query });
    await callTool(byKey, 'fetch', { id });
    await byKey.get(`/nodes/${id}`);
    const found = (await log()).map(({ via, tool, requests }) => [via, tool, requests]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        ['mcp', 'search', 2],
        ['mcp', 'fetch', 1],
        ['rest', null, 1],
      ]),
    );
    expect((await log('&via=mcp')).map(({ tool }) => tool).sort()).toEqual(['fetch', 'search']);
    expect((await log('&via=rest')).map(({ tool }) => tool)).toEqual([null]);
    expect((await alice.get('/access-log?via=pigeon')).status).toBe(400);
  });

  it('calls of tools are logged by what they did, refusals among them, and the message around them is not', async () => {
    await callTool(byKey, 'my_access', {});
    await callTool(byKey, 'fetch', { id: ABSENT });
    await callTool(byKey, 'remember', { title: 'Likes rye' });
    const found = (await log()).map(({ tool, action, status, endpoint }) => [tool, action, status, endpoint]);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        ['my_access', 'read', 200, 'GET /authorizations/current'],
        ['fetch', 'refused', 404, 'GET /nodes/:node_id'],
        ['remember', 'create', 201, 'POST /nodes'],
      ]),
    );
  });

  it('the session of the app that another person uses is not stored, nor that it was an app', async () => {
    const bob = await world.user();
    const { id } = await node(alice, {});
    await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: [id] });
    await getsToKnow(bob, alice);
    const { authorization } = await bob.authorizes(app);
    const phone = await device(bob, authorization.id as string);
    expect((await phone.client.get(`/nodes/${id}`)).status).toBe(200);
    expect(await log()).toMatchObject([{ actor: { type: 'user', user_id: bob.id }, session_id: null }]);
    expect((await log('', bob)).map(({ session_id }) => session_id)).toEqual([phone.id]);
    const rows = await world.nest
      .get(Database)
      .read(sql`SELECT session_id FROM access_log WHERE owner_id = ${alice.id} AND session_id IS NOT NULL`);
    expect(rows).toEqual([]);
  });

  it('events are logged as sent by webhook, also those from before ways were stored', async () => {
    const receiver = await Receiver.start();
    await byKey.post('/webhooks/subscribe', { webhook_url: receiver.url, events: ['node.created'] });
    await node(alice, {});
    await deliver(world);
    await receiver.stop();
    const sent = { endpoint: 'webhook', via: 'webhook', tool: null, session_id: null };
    expect(await log('&via=webhook')).toMatchObject([sent]);
    const old = sql`UPDATE access_log SET via = DEFAULT WHERE owner_id = ${alice.id}`;
    await world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(old));
    expect(await log('&via=webhook')).toMatchObject([sent]);
    expect((await log('&via=rest')).map(({ endpoint }) => endpoint)).not.toContain('webhook');
  });

  it('an export has the session, the way and the tool of each entry', async () => {
    const phone = await device();
    await callTool(phone.client, 'search', { query: 'rye' });
    await log();
    const rows = rowsOf(await exported(alice), 'listed/access_log.ndjson');
    expect(rows).toMatchObject([{ session_id: phone.id, via: 'mcp', tool: 'search' }]);
  });
});
