import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { onlyReads } from '../../src/kernel/http/endpoint.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { actionOfRoute } from '../../src/oversight/domain/access-entry.js';
import { AccessLogQueries } from '../../src/oversight/infrastructure/access-log.queries.js';
import { getsToKnow, group } from '../support/worlds/people.js';
import { deliver, Receiver } from '../delivery/receiver.js';
import { codeOf, node, profile, tagId } from '../support/worlds/nodes.js';
import { MULTIPART, multipartOf } from '../support/worlds/files.js';
import { compared, exported, importedBy, imports, rowsOf, zipped } from '../portability/archives.js';
import { type Client, exchangeBytes } from '../support/client.js';
import { freshDatabase, onPostgres } from '../support/database.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { ACCOUNT, Workshop } from '../support/server.js';
import { until } from '../support/until.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

interface Entry {
  at: string;
  since: string;
  actor: {
    type: string;
    app_id: string | null;
    app_name: string | null;
    app_name_now: string | null;
    user_id: string | null;
    username: string;
    app: { id: string; name: string } | null;
  };
  action: string;
  endpoint: string;
  status: number;
  requests: number;
  node_count: number;
  node_ids: string[];
  ids_left_out: boolean;
}

const logOf = async (user: Client, query = ''): Promise<Entry[]> => {
  const { status, body, text } = await user.get(`/access-log?limit=100${query}`);
  if (status !== 200) throw new Error(text);
  return body.entries;
};

const bytesOf = ({ credentials }: Client, method: string, path: string, body = ''): string => {
  const headers = {
    Host: 'x',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...credentials,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /api/v1${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

describe('the access log', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    [alice, app] = [await world.user(), await world.app()];
    client = await alice.lets(app);
  });
  // Entries with one time have no order.
  afterEach(() => letClockRun(world));

  const told = async (query?: string) =>
    (await logOf(alice, query)).map(({ action, endpoint, node_count }) => [action, endpoint, node_count]);

  it('GET /access-log lists which app read what, when and through which endpoint', async () => {
    const { id } = await node(alice, {});
    await client.get(`/nodes/${id}`);
    const answer = await alice.get('/access-log');
    expect(answer.body).toMatchObject({ total: 1, limit: 20, offset: 0 });
    expect(answer.body.entries).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        since: expect.any(String),
        actor: {
          type: 'app',
          app_id: app.id,
          app_name: expect.stringMatching(/^app/),
          app_name_now: null,
          user_id: alice.id,
          username: alice.name,
          app: { id: app.id, name: expect.stringMatching(/^app/) },
          user: { id: alice.id, username: alice.name },
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
        nodes: [{ id, title: 'a node' }],
        ids_left_out: false,
      },
    ]);
  });

  it("GET /access-log has the app's name of that time, also after its renaming and deletion", async () => {
    const developer = await world.user();
    const clock = (await developer.post('/apps', { name: 'Clock', requested_permissions: {} })).body;
    const made = await alice.post('/exposure-profiles', { name: `p${world.number()}` });
    await alice.post('/authorizations', { app_id: clock.id, exposure_profile_id: made.body.id });
    const reader = world.api.with({ 'X-API-Key': clock.api_key, 'X-User-ID': alice.id });
    const names = async () =>
      (await logOf(alice, `&app_id=${clock.id}`)).map(({ actor }) => [actor.app_name, actor.app_name_now]);
    const current = () => reader.get('/authorizations/current');
    expect((await current()).status).toBe(200);
    await developer.patch(`/apps/${clock.id}`, { name: 'Harmless' });
    expect(await names()).toEqual([['Clock', 'Harmless']]);
    await current();
    expect((await names()).sort()).toEqual([
      ['Clock', 'Harmless'],
      ['Harmless', null],
    ]);
    await developer.delete(`/apps/${clock.id}`);
    expect((await names()).sort()).toEqual([
      ['Clock', null],
      ['Harmless', null],
    ]);
  });

  it('GET /access-log lists changes by their action, and not the answer to a write as a read', async () => {
    const { id } = await node(client, { tags: ['a'] });
    await client.put(`/nodes/${id}`, { title: 'another' });
    await client.delete(`/nodes/${id}`);
    const entries = (await told()).reverse();
    expect(entries).toEqual([
      ['create', 'POST /nodes', 1],
      ['update', 'PUT /nodes/:node_id', 1],
      ['delete', 'DELETE /nodes/:node_id', 1],
    ]);
  });

  it('GET /access-log derives the action of a request that changed nothing in the graph from its endpoint', async () => {
    const receiver = await Receiver.start();
    const subscription = { webhook_url: receiver.url, events: ['node.created'] };
    const schema = await alice.post('/schemas', { name: 'Recipe', json_schema: { type: 'object' } });
    const schemaPath = `/schemas/${schema.body.id}/validate`;
    const requests: [string, string, object | undefined, string][] = [
      ['POST', '/webhooks/subscribe', subscription, 'create'],
      ['POST', '/webhooks/subscribe', subscription, 'update'],
      ['POST', '/proposals/subscribe', { ...subscription, event_types: ['created'] }, 'create'],
      ['POST', '/webhooks/subscription/rotate-secret', undefined, 'update'],
      ['POST', '/webhooks/subscription/test', undefined, 'create'],
      ['GET', '/webhooks/subscription', undefined, 'read'],
      ['DELETE', '/webhooks/subscription', undefined, 'delete'],
      ['POST', '/nodes/search', { query: 'nothing' }, 'read'],
      ['POST', schemaPath, { metadata: {} }, 'read'],
      ['DELETE', '/authorizations/current', undefined, 'delete'],
    ];
    for (const [method, path, body, action] of requests) {
      const { status, text } = await client.send(method, path, body);
      if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
      const [entry] = await logOf(alice);
      expect([method, path, entry?.endpoint.split(' ')[0], entry?.action]).toEqual([
        method,
        path,
        method,
        action,
      ]);
    }
    await receiver.stop();
  });

  it('GET /access-log lists no operation that writes as a read', () => {
    const mayRead = world.nest
      .get(RouteTable)
      .routes.filter(({ method, endpoint }) => method !== 'GET' && onlyReads(method, endpoint))
      .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
    expect(mayRead.sort()).toEqual([
      'POST /exposure-profiles/:profile_id/preview',
      'POST /exposure-profiles/preview',
      'POST /nodes/lookup',
      'POST /nodes/search',
      'POST /nodes/search/vector',
      'POST /schemas/:schema_id/validate',
    ]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const status of [200, 201, 202, 204])
        expect(actionOfRoute(`${method} /x`, { reads: false, status })).not.toBe('read');
  });

  it('GET /access-log lists every answer to an app, with the nodes in it, and no invalid requests', async () => {
    const tag = await tagId(alice, 'work');
    const [one, two] = [
      await node(alice, { tags: ['work'], last_modified_by_agent_id: AGENT }),
      await node(alice, {}),
    ];
    const answered: [string, number, object?][] = [
      ['GET /nodes', 2],
      ['GET /nodes/facets', 0],
      ['GET /tags', 0],
      ['GET /tags?include_nodes=true', 1],
      [`GET /tags/${tag}/nodes`, 1],
      [`GET /nodes/${one.id}/history`, 1],
      ['GET /nodes/history?include_snapshots=true', 2],
      ['GET /sync', 2],
      ['GET /sync?ids_only=true', 2],
      ['GET /sync?include=relationships,tags', 2],
      ['GET /nodes/graph-snapshot?timestamp=2999-01-01T00:00:00Z', 2],
      [`GET /agents/${AGENT}/contributions`, 1],
      ['POST /nodes/search', 0],
      [`GET /nodes/${one.id}/neighborhood`, 2],
      [`GET /nodes/${one.id}/similar`, 2],
      ['POST /nodes/lookup', 2, { ids: [two.id, ABSENT, one.id] }],
    ];
    const edge = { from_node_id: one.id, to_node_id: two.id, relationship_type: 'near' };
    expect((await alice.post('/relationships', edge)).status).toBe(201);
    for (const [request, count, body = {}] of answered) {
      const [method, path] = request.split(' ') as [string, string];
      const { status } = await client.send(method, path, method === 'POST' ? body : undefined);
      const before = await alice.get('/access-log?limit=1');
      if (status < 400) expect([request, before.body.entries[0]?.node_count]).toEqual([request, count]);
    }
    const { total } = (await alice.get('/access-log')).body;
    await client.post('/nodes', { title: 7 });
    await alice.get(`/nodes/${two.id}`);
    expect((await alice.get('/access-log')).body.total).toBe(total);
  });

  it('GET /access-log counts refusals of an app in one entry for each hour, endpoint and status', async () => {
    const clock = holdClock(world);
    const refusals = async () =>
      (await logOf(alice, '&action=refused'))
        .map(({ endpoint, status, requests, node_count, since, at }) =>
          [endpoint, status, requests, node_count, Date.parse(at) - Date.parse(since)].join(' '),
        )
        .sort();
    // One minute before the end of an hour.
    clock.advance(3_600 + 3_540 - ((clock.now.getTime() / 1000) % 3_600));
    alice = await world.user();
    client = await alice.lets(app);
    const probe = () => Promise.all(Array.from({ length: 10 }, () => client.get(`/nodes/${randomUUID()}`)));
    await probe();
    await logOf(alice);
    clock.advance(30);
    await probe();
    await client.get(`/relationships/${ABSENT}`);
    const first = [
      'GET /nodes/:node_id 404 20 0 3570000',
      'GET /relationships/:relationship_id 404 1 0 3570000',
    ];
    expect(await refusals()).toEqual(first);
    clock.advance(60);
    await probe();
    expect(await refusals()).toEqual([...first, 'GET /nodes/:node_id 404 10 0 30000'].sort());
    const [newest] = await logOf(alice, `&app_id=${app.id}`);
    expect(newest).toMatchObject({ actor: { app_id: app.id, user_id: alice.id }, node_ids: [] });
  });

  it('GET /access-log lists what an app reads beyond 10,000 ids an hour by numbers of the hour (rule 12.2b)', async () => {
    const clock = holdClock(world);
    // Five minutes before the end of an hour: the access tokens outlive it.
    clock.advance(3_600 + 3_300 - ((clock.now.getTime() / 1000) % 3_600));
    alice = await world.user();
    client = await alice.lets(app);
    const others = await alice.lets(await world.app());
    for (let batch = 0; batch < 5; batch++) {
      const nodes = Array.from({ length: 100 }, (_, i) => ({ title: `${batch} ${i}`, node_type: 'NOTE' }));
      expect((await alice.post('/nodes/batch', { nodes })).status).toBeLessThan(300);
    }
    const sync = async (reader = client) => {
      clock.advance(3);
      expect((await reader.get('/sync?limit=1000&ids_only=true')).status).toBe(200);
      const [newest] = await logOf(alice);
      return newest as Entry;
    };
    const whole = { requests: 1, node_count: 500, ids_left_out: false };
    for (let i = 0; i < 20; i++) expect(await sync()).toMatchObject(whole);
    for (let i = 1; i <= 3; i++) {
      const counted = { requests: i, node_count: i * 500, node_ids: [], ids_left_out: true };
      const entry = await sync();
      expect(entry).toMatchObject({ ...counted, action: 'read', endpoint: 'GET /sync', status: 200 });
      expect(Date.parse(entry.since) % 3_600_000).toBe(0);
    }
    const { total } = (await alice.get(`/access-log?app_id=${app.id}`)).body;
    expect(total).toBe(21);
    expect(await sync(others)).toMatchObject(whole);
    clock.advance(300);
    expect(await sync()).toMatchObject(whole);
  });

  it('GET /access-log counts refusals of an app that was never authorized, and none of people in person', async () => {
    const [bob, stranger] = [await world.user(), await world.app()];
    await stranger.as(bob).get('/nodes');
    await stranger.alone.with({ 'X-User-ID': randomUUID() }).get('/nodes');
    await bob.get(`/nodes/${ABSENT}`);
    const [only, ...more] = await logOf(bob);
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      actor: { type: 'app', app_id: stranger.id, user_id: bob.id },
      action: 'refused',
      endpoint: 'GET /nodes',
      status: 403,
      requests: 1,
    });
  });

  it('GET /access-log lists a write whose connection closed before its answer was sent', async () => {
    const bob = await world.user();
    await bob.lets(app);
    const { hostname, port } = new URL(world.origin);
    const connection = connect(Number(port), hostname);
    const body = JSON.stringify({ title: 'behind', node_type: 'NOTE' });
    // The first of two pipelined requests waits for a change in somebody else's graph.
    connection.write(bytesOf(app.as(bob), 'GET', '/sync?wait=30') + bytesOf(client, 'POST', '/nodes', body));
    await until(async () => (await alice.get('/nodes')).body.total === 1, 'the node is stored');
    connection.destroy();
    await until(async () => (await told()).length === 1, 'the write is logged');
    expect(await told()).toEqual([['create', 'POST /nodes', 1]]);
  });

  it('GET /access-log makes one entry of equal accesses, and counts them', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.push((await node(alice, {})).id);
    await Promise.all([...ids, ...ids].map((id) => client.get(`/nodes/${id}`)));
    const entries = await logOf(alice);
    expect(entries.length).toBeLessThan(5);
    expect(entries.reduce((sum, { requests }) => sum + requests, 0)).toBe(10);
    expect(new Set(entries.flatMap(({ node_ids }) => node_ids))).toEqual(new Set(ids));
  });

  it('GET /access-log is filtered, paged and sorted newest first', async () => {
    const clock = holdClock(world);
    const times: string[] = [];
    const [one, two] = [await node(alice, {}), await node(alice, {})];
    const other = await world.app();
    const others = await alice.lets(other);
    for (const act of [
      () => client.get(`/nodes/${one.id}`),
      () => client.put(`/nodes/${two.id}`, { title: 'x' }),
      () => others.get('/nodes'),
    ]) {
      clock.advance(60);
      times.push(clock.now.toISOString());
      await act();
    }
    const endpoints = async (query: string) => (await logOf(alice, query)).map(({ endpoint }) => endpoint);
    const [list, put, get] = ['GET /nodes', 'PUT /nodes/:node_id', 'GET /nodes/:node_id'];
    expect(await endpoints('')).toEqual([list, put, get]);
    expect(await endpoints(`&app_id=${other.id}`)).toEqual([list]);
    expect(await endpoints(`&node_id=${one.id}`)).toEqual([list, get]);
    expect(await endpoints('&action=update')).toEqual([put]);
    expect(await endpoints(`&from=${times[1]}`)).toEqual([list, put]);
    expect(await endpoints(`&to=${times[1]}`)).toEqual([put, get]);
    expect(await endpoints(`&from=${times[1]}&to=${times[1]}&app_id=${app.id}`)).toEqual([put]);
    for (const nothing of [
      `node_id=${ABSENT}`,
      'node_id=no-id',
      'app_id=no-id',
      `app_id=${ABSENT}`,
      `app_id=${'x'.repeat(1000)}`,
    ])
      expect(await endpoints(`&${nothing}`)).toEqual([]);
    const page = await alice.get('/access-log?limit=1&offset=1');
    expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1, entries: [{ endpoint: put }] });
    expect(codeOf(await alice.get('/access-log?action=stolen'))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await alice.get('/access-log?from=yesterday'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('GET /access-log is open only to its owner, not to apps or other people', async () => {
    await client.get('/nodes');
    expect(codeOf(await client.get('/access-log'))).toEqual([403, 'PERMISSION_DENIED']);
    expect(await logOf(await world.user())).toEqual([]);
  });

  it('GET /access-log names the reader of a shared node, as far as the owner knows that person, and no app of theirs', async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    const { id } = await node(alice, {});
    const share = (from: TestUser, to: TestUser, more: object = {}) =>
      from.post('/sharing', { shared_with_user_id: to.id, scope: 'specific_nodes', node_ids: [id], ...more });
    expect((await share(alice, bob, { can_write: true, can_share: true })).status).toBe(201);
    expect((await share(bob, carol)).status).toBe(201);
    const bobsApp = await bob.lets(await world.app());
    await getsToKnow(bob, alice);
    await bob.get(`/nodes/${id}`);
    await bob.put(`/nodes/${id}`, { title: 'changed' });
    await bobsApp.post('/nodes/lookup', { ids: [id] });
    await carol.get(`/nodes/${id}`);
    const entries = (await logOf(alice, `&node_id=${id}`)).map(({ actor, action, endpoint }) => ({
      ...actor,
      did: `${action} ${endpoint}`,
    }));
    const nobody = { app_id: null, app_name: null, app_name_now: null, app: null };
    const named = { id: bob.id, username: bob.name };
    const known = { ...nobody, user_id: bob.id, username: bob.name, user: named };
    const unknown = { ...nobody, user_id: null, username: null, user: null };
    expect(entries).toHaveLength(4);
    expect(entries).toEqual(
      expect.arrayContaining([
        { ...known, type: 'user', did: 'read GET /nodes/:node_id' },
        { ...known, type: 'user', did: 'update PUT /nodes/:node_id' },
        { ...known, type: 'user', did: 'read POST /nodes/lookup' },
        { ...unknown, type: 'user', did: 'read GET /nodes/:node_id' },
      ]),
    );
    // The reader's own log has the reader's app, and no nodes of others.
    const own = { actor: { type: 'app' }, endpoint: 'POST /nodes/lookup', node_count: 0, node_ids: [] };
    expect(await logOf(bob)).toMatchObject([own]);
    expect(await logOf(carol)).toEqual([]);
  });

  it('GET /access-log is in an export, as the owner sees it', async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    const { id } = await node(alice, {});
    const share = (from: TestUser, to: TestUser, more: object = {}) =>
      from.post('/sharing', { shared_with_user_id: to.id, scope: 'specific_nodes', node_ids: [id], ...more });
    await share(alice, bob, { can_share: true });
    await share(bob, carol);
    await client.get(`/nodes/${id}`);
    const bobs = await bob.lets(await world.app());
    await getsToKnow(bob, alice);
    for (const reader of [bob, carol]) await reader.get(`/nodes/${id}`);
    await bobs.post('/nodes/lookup', { ids: [id] });
    expect(await logOf(alice)).toHaveLength(4);
    const archive = await exported(alice);
    const rows = rowsOf(archive, 'listed/access_log.ndjson');
    expect(
      rows.map(({ by_type, app_id, reader_id, endpoint, node_ids }) => [
        [by_type, app_id, reader_id, endpoint],
        node_ids,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [['app', app.id, null, 'GET /nodes/:node_id'], [id]],
        [['user', null, bob.id, 'GET /nodes/:node_id'], [id]],
        [['user', null, bob.id, 'POST /nodes/lookup'], [id]],
        [['user', null, null, 'GET /nodes/:node_id'], [id]],
      ]),
    );
    expect(rows).toHaveLength(4);
    const dave = await world.user();
    expect((await imports(dave, await zipped(archive))).status).toBe(201);
    expect(await logOf(dave)).toEqual([]);
    expect(compared(await exported(dave))).toEqual(compared(importedBy(dave, archive)));
  });

  it('GET /access-log lists which group member read shared nodes; the group itself has no log', async () => {
    const bob = await world.user();
    const groupId = await group(bob, [alice]);
    const { id } = await node(alice, {});
    const all = await alice.post('/exposure-profiles', { name: 'all', ...profile({ read: 'all' }) });
    await alice.post(`/groups/${groupId}/share`, { exposure_profile_id: all.body.id });
    expect((await bob.get(`/groups/${groupId}/nodes`)).body.total).toBe(1);
    expect(await logOf(alice)).toEqual([]);
    expect((await bob.get(`/groups/${groupId}/nodes/${id}`)).status).toBe(200);
    const [entry] = await logOf(alice);
    expect(entry).toMatchObject({ actor: { type: 'user', user_id: bob.id }, node_ids: [id] });
    expect(await logOf(bob)).toEqual([]);
  });

  it('GET /access-log lists files, also those that are fetched by a link', async () => {
    const bytes = multipartOf([{ name: 'file', filename: 'a.txt', type: 'text/plain', content: 'hello' }]);
    const { id } = (await alice.post('/raw-files', bytes, { headers: MULTIPART })).body;
    await client.get('/raw-files');
    const { download_url } = (await client.get(`/nodes/${id}/download`)).body;
    expect((await exchangeBytes('GET', download_url, {})).status).toBe(200);
    const entries = await logOf(alice, `&node_id=${id}&app_id=${app.id}`);
    expect(entries.map(({ endpoint }) => endpoint).sort()).toEqual([
      'GET /nodes/:node_id/download',
      'GET /raw-files',
      'GET /raw-files/:file_id/content',
    ]);
  });

  it('GET /access-log lists events that are sent to an app', async () => {
    const receiver = await Receiver.start();
    await client.post('/webhooks/subscribe', { webhook_url: receiver.url, events: ['node.created'] });
    const { id } = await node(alice, {});
    await deliver(world);
    expect(receiver.received).toHaveLength(1);
    expect(await logOf(alice, '&action=read')).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          endpoint: 'webhook',
          node_ids: [id],
          actor: expect.objectContaining({ type: 'app', app_id: app.id }),
        }),
      ]),
    );
    await receiver.stop();
  });

  it('GET /access-log does not list explanations and previews, which only the owner sees', async () => {
    const { id } = await node(alice, {});
    const { profile: through } = await alice.authorizes(await world.app());
    await alice.get(`/exposure-profiles/${through.id}/explain?node_id=${id}&app_id=${app.id}`);
    await alice.post(`/exposure-profiles/${through.id}/preview`, { app_id: app.id });
    await alice.post('/exposure-profiles/preview', { app_id: app.id, profile: profile({ read: 'all' }) });
    expect(await logOf(alice)).toEqual([]);
  });

  it('GET /access-log contains no content of the graph', async () => {
    const secret = `secret-${Math.random()}`;
    await node(client, { title: secret, value: secret, tags: [secret], metadata: { [secret]: secret } });
    await client.get(`/nodes?search=${secret}`);
    await client.get(`/tags?search=${secret}`, {
      headers: { 'X-Change-Reason': secret, 'User-Agent': secret },
    });
    expect(await logOf(alice)).not.toHaveLength(0);
    const rows = await world.nest
      .get(Database)
      .read(sql`SELECT * FROM access_log WHERE owner_id = ${alice.id}`);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('GET /access-log survives a database that cannot be written to, and is written afterwards', async () => {
    const queries = world.nest.get(AccessLogQueries);
    const add = jest.spyOn(queries, 'add').mockRejectedValue(new Error('away'));
    await client.get('/nodes');
    expect(await logOf(alice)).toEqual([]);
    add.mockRestore();
    expect(await told()).toEqual([['read', 'GET /nodes', 0]]);
  });

  it('GET /access-log drops entries after 90 days', async () => {
    const clock = holdClock(world);
    await client.get('/nodes');
    expect(await told()).toHaveLength(1);
    clock.advance(89 * 24 * 3600);
    await world.nest.get(Housekeeping).sweep();
    const rows = () =>
      world.nest.get(Database).read(sql`SELECT 1 FROM access_log WHERE owner_id = ${alice.id}`);
    expect(await rows()).toHaveLength(1);
    clock.advance(2 * 24 * 3600);
    await world.nest.get(Housekeeping).sweep();
    expect(await rows()).toHaveLength(0);
  });
});

describe('an orderly stop of the service', () => {
  const workshop = new Workshop();
  let drop = async (): Promise<void> => undefined;
  afterAll(async () => {
    await workshop.clear();
    await drop();
  });

  it('writes the last entries of the access log', async () => {
    const database = onPostgres ? await freshDatabase() : null;
    if (database) drop = () => database.drop();
    const environment = await workshop.settings(database);
    const server = await workshop.serve(environment);
    const { body } = await server.client().post('/auth/register', ACCOUNT);
    const alice = server.client({ Authorization: `Bearer ${body.access_token}` });
    const all = { schema_ids: [], allow_all: true };
    const requested_permissions = {
      tags: { read: true, edit: true, create: true, delete: true },
      schemas: { read: all, write: all },
    };
    const app = (await alice.post('/apps', { name: 'app', requested_permissions })).body;
    const through = (
      await alice.post('/exposure-profiles/from-template', { template: 'transparent', name: 'all' })
    ).body;
    await alice.post('/authorizations', { app_id: app.id, exposure_profile_id: through.id });
    const client = server.client({ 'X-API-Key': app.api_key, 'X-User-ID': body.user.id });
    expect((await client.get('/nodes')).status).toBe(200);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const again = await workshop.serve(environment);
    const entries = await logOf(await again.logIn());
    expect(entries.map(({ endpoint }) => endpoint)).toEqual(['GET /nodes']);
    await again.kill('SIGTERM');
  }, 120_000);
});

const AGENT = '0197a3c2-6f0e-4c11-9d53-1a2b3c4d5e6f';
const ABSENT = '00000000-0000-4000-8000-000000000000';
