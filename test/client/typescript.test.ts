import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  type Client,
  createClient,
  follow,
  memoryReplica,
  syncOnce,
  verifyWebhook,
} from '../../clients/typescript/src/index.js';
import { newSecret, signedHeaders } from '../../src/delivery/domain/signature.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

describe('clients/typescript', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let asAlice: Client;
  let asApp: Client;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    app = await world.app();
    await alice.lets(app);
    asAlice = createClient({ baseUrl: `${world.origin}/`, credentials: { accessToken: alice.token } });
    asApp = createClient({
      baseUrl: world.origin,
      credentials: () => Promise.resolve({ apiKey: app.apiKey, userId: alice.id }),
    });
  });
  afterAll(() => world.stop());

  const made = async (title: string): Promise<string> => {
    const { data } = await asAlice.POST('/api/v1/nodes', { body: { title, node_type: 'note' } });
    return data?.id as string;
  };

  it('the TypeScript client has the types of openapi.json (npm run client:types)', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/client-types.mjs', '--check'], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('the TypeScript client asks in the name of a person and of an app', async () => {
    const id = await made('hello');
    const { data } = await asApp.GET('/api/v1/nodes/{node_id}', { params: { path: { node_id: id } } });
    expect(data).toMatchObject({ id, title: 'hello', node_type: 'note' });
  });

  it('the TypeScript client throws what the service says is wrong', async () => {
    const asked = asAlice.GET('/api/v1/nodes/{node_id}', { params: { path: { node_id: 'none' } } });
    await expect(asked).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'NODE_NOT_FOUND' });
    const nobody = createClient({ baseUrl: world.origin });
    await expect(nobody.GET('/api/v1/nodes')).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    const limited = createClient({
      baseUrl: world.origin,
      fetch: async () =>
        new Response(JSON.stringify({ error: 'Rate limit exceeded', retry_after: 7 }), {
          status: 429,
          headers: { 'Retry-After': '7' },
        }),
    });
    await expect(limited.GET('/api/v1/nodes')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 7 });
  });

  /** All nodes that the caller can see, by a full read. */
  const inFull = async (client: Client): Promise<[string, string][]> => {
    const { data } = await client.GET('/api/v1/nodes', { params: { query: { limit: 100 } } });
    return (data?.nodes ?? []).map(({ id, title }): [string, string] => [id, title as string]).sort();
  };
  const held = (replica: ReturnType<typeof memoryReplica>): [string, string][] =>
    [...replica.nodes.values()].map(({ id, title }): [string, string] => [id, title as string]).sort();

  it('the TypeScript client keeps a replica that holds what a full read gives', async () => {
    const replica = memoryReplica();
    const ids = [await made('one'), await made('two'), await made('three')];
    await syncOnce(asApp, replica, { pageSize: 2 });
    expect(held(replica)).toEqual(await inFull(asApp));
    await asAlice.PUT('/api/v1/nodes/{node_id}', {
      params: { path: { node_id: ids[0] as string } },
      body: { title: 'changed' },
    });
    await asAlice.DELETE('/api/v1/nodes/{node_id}', { params: { path: { node_id: ids[1] as string } } });
    expect(await syncOnce(asApp, replica)).toEqual({ put: 1, removed: 1 });
    expect(held(replica)).toEqual(await inFull(asApp));
    expect(await syncOnce(asApp, replica)).toEqual({ put: 0, removed: 0 });
  });

  it('the TypeScript client keeps relationships and tags that are included', async () => {
    const replica = memoryReplica();
    const include = ['relationships', 'tags'] as const;
    const [from, to] = [await made('from'), await made('to')];
    const tag = (await alice.post('/tags', { name: 'included' })).body;
    const ends = { from_node_id: from, to_node_id: to, relationship_type: 'near' };
    const edge = (await alice.post('/relationships', ends)).body;
    await syncOnce(asApp, replica, { include, pageSize: 2 });
    expect(replica.relationships.get(edge.id)).toEqual(edge);
    expect([...replica.tags.keys()]).toContain(tag.id);
    await alice.put(`/tags/${tag.id}`, { name: 'renamed' });
    await alice.delete(`/nodes/${to}`);
    expect(await syncOnce(asApp, replica, { include })).toEqual({ put: 1, removed: 2 });
    expect(replica.tags.get(tag.id)?.name).toBe('renamed');
    expect([...replica.relationships.keys()]).toEqual([]);
    const nodes = memoryReplica();
    await syncOnce(asApp, nodes);
    expect([nodes.relationships.size, nodes.tags.size]).toEqual([0, 0]);
  });

  it('the TypeScript client removes what a moved rule takes away, and keeps its cursor while access is gone', async () => {
    const owner = await world.user();
    const reader = await world.app();
    const { profile, authorization } = await owner.authorizes(reader);
    const client = createClient({
      baseUrl: world.origin,
      credentials: { apiKey: reader.apiKey, userId: owner.id },
    });
    await owner.post('/nodes', { title: 'a', node_type: 'note' });
    await owner.post('/nodes', { title: 'b', node_type: 'diary' });
    const replica = memoryReplica();
    await syncOnce(client, replica);
    await owner.put(`/exposure-profiles/${profile.id}`, { excluded_node_types: ['diary'] });
    expect(await syncOnce(client, replica)).toEqual({ put: 0, removed: 1 });
    expect(held(replica)).toEqual(await inFull(client));
    const cursor = replica.cursor();
    await owner.delete(`/authorizations/${authorization.id}`);
    await expect(syncOnce(client, replica)).rejects.toMatchObject({ status: 403 });
    expect(replica.cursor()).toBe(cursor);
  });

  it('the TypeScript client begins anew, in one step, when its cursor is another’s', async () => {
    const replica = memoryReplica();
    await syncOnce(asApp, replica, { scope: 'all' });
    const foreign = replica.cursor() as string;
    const mine = memoryReplica();
    const stale = { id: 'stale' } as never;
    void mine.apply({ put: [stale], remove: [], cursor: foreign, isReset: true });
    const states: boolean[] = [];
    const watched = {
      cursor: () => mine.cursor(),
      apply: (state: Parameters<typeof mine.apply>[0]) => {
        states.push(state.isReset);
        return mine.apply(state);
      },
    };
    await syncOnce(asAlice, watched, { pageSize: 2 });
    expect(states.slice(0, 2)).toEqual([true, false]);
    expect(held(mine)).toEqual(await inFull(asAlice));
  });

  it('the TypeScript client follows what happens until it is told to stop', async () => {
    const replica = memoryReplica();
    await syncOnce(asApp, replica);
    const stop = new AbortController();
    const news = follow(asApp, replica, { signal: stop.signal, wait: 5 });
    const first = news.next();
    await made('news');
    expect((await first).value).toEqual({ put: 1, removed: 0 });
    const last = news.next();
    stop.abort();
    expect((await last).done).toBe(true);
  });

  describe('webhooks', () => {
    const secret = newSecret();
    const at = new Date('2026-01-01T00:00:00Z');
    const body = JSON.stringify({
      event: 'node.created',
      timestamp: at.toISOString(),
      user_id: 'u',
      data: { ö: 1 },
    });
    const signed = (secrets: readonly [string, ...string[]] = [secret]) =>
      signedHeaders({ id: 'msg', event: 'node.created', at, body, secrets });
    const verified = (
      headers: Record<string, string>,
      given: Partial<Parameters<typeof verifyWebhook>[2]> = {},
      text = body,
    ) => verifyWebhook(text, headers, { secret, now: at.getTime(), ...given });

    it('the verification of webhooks takes what the service signs, whatever kind of secret it is', async () => {
      expect(await verified(signed())).toMatchObject({ id: 'msg', event: 'node.created', data: { ö: 1 } });
      expect(
        await verifyWebhook(Buffer.from(body), new Headers(signed()), { secret, now: at.getTime() }),
      ).toMatchObject({ id: 'msg' });
      expect(await verified(signed(['a plain text']), { secret: 'a plain text' })).toMatchObject({
        id: 'msg',
      });
    });

    it('the verification of webhooks takes both secrets for as long as both sign', async () => {
      const next = newSecret();
      expect(await verified(signed([next, secret]))).toMatchObject({ id: 'msg' });
      expect(await verified(signed([next, secret]), { secret: next })).toMatchObject({ id: 'msg' });
      expect(await verified(signed([next]), { secret: [secret, next] })).toMatchObject({ id: 'msg' });
    });

    const refused: [string, () => Promise<unknown>][] = [
      ['another body', () => verified(signed(), {}, body.replace('1', '2'))],
      ['another secret', () => verified(signed(), { secret: newSecret() })],
      ['another id', () => verified({ ...signed(), 'webhook-id': 'other' })],
      ['another time', () => verified({ ...signed(), 'webhook-timestamp': '1767225601' })],
      ['an old message', () => verified(signed(), { now: at.getTime() + 301_000 })],
      ['a message of the future', () => verified(signed(), { now: at.getTime() - 301_000 })],
      ['a time that is none', () => verified({ ...signed(), 'webhook-timestamp': 'now' })],
      ['no signature', () => verified({ ...signed(), 'webhook-signature': '' })],
      ['a signature that is none', () => verified({ ...signed(), 'webhook-signature': 'v1,%%% v0,abc' })],
      [
        'a wrong signature of the body',
        () => verified({ ...signed(), 'X-Service-Signature': `sha256=${'0'.repeat(64)}` }),
      ],
    ];
    it.each(refused)('the verification of webhooks refuses %s', async (_, work) => {
      await expect(work()).rejects.toMatchObject({ name: 'WebhookRefused' });
    });
  });

  it('the TypeScript client is described by examples that use what it exports', () => {
    const readme = readFileSync('clients/typescript/README.md', 'utf8');
    for (const name of ['createClient', 'syncOnce', 'follow', 'verifyWebhook', 'ApiError'])
      expect(readme).toContain(name);
  });
});
