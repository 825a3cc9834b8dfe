import { randomUUID } from 'node:crypto';
import { Receiver } from '../delivery/receiver.js';
import { type Client } from '../support/client.js';
import { freshDatabase } from '../support/database.js';
import { everything } from '../support/defaults.js';
import { redisUrl } from '../support/redis.js';
import { s3Environment } from '../support/s3.js';
import { ACCOUNT, type Server, Workshop } from '../support/server.js';

/** Two processes that answer and one that sends webhooks, on one database, Redis and S3. */
describe('several processes are one service', () => {
  const workshop = new Workshop();
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let first: Server;
  let second: Server;
  let token: string;
  beforeAll(async () => {
    database = await freshDatabase();
    const environment = {
      DATA_DIR: workshop.folder(),
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl(),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...s3Environment,
    };
    // All start at once: the first one to arrive makes the keys and runs the migrations.
    [first, second] = await Promise.all([
      workshop.serve({ ...environment, WEBHOOK_WORKERS: 'false' }),
      workshop.serve({ ...environment, WEBHOOK_WORKERS: 'false' }),
      workshop.serve({ ...environment, WEBHOOK_WORKERS: 'true' }),
    ]);
    const { status, body } = await first.client().post('/auth/register', ACCOUNT);
    expect(status).toBe(201);
    token = body.access_token as string;
  });
  afterAll(async () => {
    await workshop.clear();
    await database.drop();
  });
  const at = (server: Server): Client => server.client({ Authorization: `Bearer ${token}` });
  const note = (title: string) => ({ title, node_type: 'NOTE' });
  /** An app that the person has authorized at one process. */
  const letIn = async () => {
    const wish = { name: `app ${randomUUID()}`, requested_permissions: everything };
    const app = (await at(first).post('/apps', wish)).body;
    const template = { template: 'transparent', name: randomUUID() };
    const profile = (await at(first).post('/exposure-profiles/from-template', template)).body.id as string;
    const approval = { app_id: app.id, exposure_profile_id: profile };
    const authorization = (await at(first).post('/authorizations', approval)).body.id as string;
    const user = (await at(first).get('/auth/me')).body.id as string;
    const headers = { 'X-API-Key': app.api_key as string, 'X-User-ID': user };
    return { app, profile, authorization, here: first.client(headers), there: second.client(headers) };
  };

  it('log-in at one counts at the other; a refresh token is good once', async () => {
    const { body } = await first.client().post('/auth/login', ACCOUNT);
    const refresh = { refresh_token: body.refresh_token as string };
    const answers = await Promise.all([first, second].map((s) => s.client().post('/auth/refresh', refresh)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('one Idempotency-Key at both at once: one node', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const title = `once ${randomUUID()}`;
    const answers = await Promise.all(
      [first, second, first, second].map((server) => at(server).post('/nodes', note(title), { headers })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body }) => body.id as string)).size).toBe(1);
    expect(answers.filter(({ status }) => ![201, 409].includes(status))).toEqual([]);
    const { body } = await at(second).post('/nodes', note(title), { headers });
    expect(body.id).toBe(made[0]?.body.id);
  });

  it('an edited profile, an ended authorization, a deleted key and a deleted app count at the other process at once', async () => {
    const edited = await letIn();
    expect((await edited.there.get('/nodes')).status).toBe(200);
    await at(first).put(`/exposure-profiles/${edited.profile}`, { max_detail_level: 'summary' });
    await at(first).delete(`/authorizations/${edited.authorization}`);
    expect((await edited.there.get('/nodes')).status).toBe(403);
    const keyed = await letIn();
    expect((await keyed.there.get('/nodes')).status).toBe(200);
    const keys = (await at(first).get(`/apps/${keyed.app.id}/keys`)).body.keys as { id: string }[];
    for (const { id } of keys)
      expect((await at(first).delete(`/apps/${keyed.app.id}/keys/${id}`)).status).toBe(204);
    expect((await keyed.there.get('/nodes')).status).toBe(401);
    const ended = await letIn();
    expect((await ended.there.get('/nodes')).status).toBe(200);
    await at(first).delete(`/apps/${ended.app.id}`);
    expect((await ended.there.get('/nodes')).status).toBe(401);
  });

  it('a pull that waits at one process is answered after a write at the other', async () => {
    const { body } = await at(first).get('/sync');
    const waiting = at(first).get(`/sync?cursor=${encodeURIComponent(body.cursor as string)}&wait=30`);
    const made = await at(second).post('/nodes', note('news'));
    expect((await waiting).text).toContain(made.body.id);
  });

  it('webhooks of writes at both are sent by the third', async () => {
    const receiver = await Receiver.start();
    const { here, there } = await letIn();
    const wish = { webhook_url: receiver.url, events: ['node.created'] };
    expect((await there.post('/webhooks/subscribe', wish)).status).toBe(201);
    await here.post('/nodes', note('from the first'));
    await there.post('/nodes', note('from the second'));
    while (receiver.received.length < 2) await new Promise((turn) => setImmediate(turn));
    expect(receiver.told.sort()).toEqual(['node.created from the first', 'node.created from the second']);
    await receiver.stop();
  });
});
