import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Answer, type Client } from '../support/client.js';
import { SharedCounters } from '../../src/identity/infrastructure/shared-counters.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { readOnly } from '../support/defaults.js';
import { holdClock } from '../support/moved-clock.js';
import { exchangeRaw } from '../support/raw-requests.js';
import { World } from '../support/world.js';

const times = <T>(count: number, work: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => work(index));
const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);
const standing = ({ headers }: Answer) => ({
  limit: Number(headers['x-ratelimit-limit']),
  remaining: Number(headers['x-ratelimit-remaining']),
  reset: Number(headers['x-ratelimit-reset']),
});
const NODE = { title: 'counted', node_type: 'NOTE' };

describe('RATE_LIMITED (rule 9.7)', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let addresses = 0;
  beforeAll(async () => {
    world = await World.startHere({ RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    clock = holdClock(world);
  });
  afterAll(() => world.stop());

  /** An address of a network that no other suite calls from: all suites of the services lane count in one Redis. */
  const stranger = (): Client => world.api.with({ 'X-Forwarded-For': `198.18.0.${++addresses}` });
  /** A new user with an authorized app, created over several minutes, so that no window is used up. */
  const letIn = async () => {
    clock.advance(60);
    const [alice, app] = [await world.user(), await world.app()];
    const client = await alice.lets(app);
    clock.advance(60);
    return { alice, app, client };
  };

  it('rate limits allow 60 requests a minute of an address without a credential, and describe themselves', async () => {
    const caller = stranger();
    const first = await caller.get('/nodes');
    expect(first.status).toBe(401);
    expect(standing(first)).toEqual({
      limit: 60,
      remaining: 59,
      reset: (Math.floor(clock.now.getTime() / 60_000) + 1) * 60,
    });
    const answers = await Promise.all(times(99, () => caller.get('/nodes')));
    expect(withStatus(answers, 401)).toHaveLength(59);
    const refused = withStatus(answers, 429);
    expect(refused).toHaveLength(40);
    for (const { body, headers } of refused) {
      expect(body).toEqual({ error: 'Rate limit exceeded', retry_after: Number(headers['retry-after']) });
      expect(headers['x-ratelimit-remaining']).toBe('0');
    }
    expect((await stranger().get('/nodes')).status).toBe(401);
    clock.advance(60);
    expect((await caller.get('/nodes')).status).toBe(401);
  });

  it.each([
    ['an unknown path', 'GET', '/nothing', 404],
    ['a wrong method', 'DELETE', '/nodes', 405],
    ['a bad key', 'GET', '/nodes', 401],
    ['a path that cannot be read', 'GET', '/nodes/%E0%A4%A', 404],
    ['a log-in that fails', 'POST', '/auth/login', 400],
  ])('rate limits count %s by address, with the headers on its answer', async (_, method, path, status) => {
    const caller = stranger().with({ 'X-API-Key': method === 'GET' && path === '/nodes' ? 'bad' : '' });
    const answer = await caller.send(method, path, method === 'POST' ? {} : undefined);
    expect(answer.status).toBe(status);
    expect(standing(answer)).toMatchObject({ limit: 60, remaining: 59 });
    await Promise.all(times(59, () => caller.send(method, path, method === 'POST' ? {} : undefined)));
    expect((await caller.send(method, path, method === 'POST' ? {} : undefined)).status).toBe(429);
  });

  it.each([['http://service.example/api/v1/nodes'], ['/api\\v1/nodes#'], ['/api/v1#'], ['/api/v1/nodes/?a']])(
    'rate limits count a request however its target is written: %s',
    async (target) => {
      const answer = await exchangeRaw(
        world.origin,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.18.0.${++addresses}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 40[14] [^]*\r\nx-ratelimit-remaining: 59\r\n/i);
    },
  );

  it('rate limits of endpoints are a minute of their own, which both uploads share, and reads by vectors (rule 9.7b)', () => {
    const limits = world.nest
      .get(RouteTable)
      .routes.flatMap(({ endpoint }) => (endpoint?.limit ? [endpoint.limit] : []))
      .map(({ name, perMinute }) => `${name} ${perMinute}`);
    expect(limits.sort()).toEqual([
      'GET /export 10',
      'GET /nodes 120',
      'POST /files 10',
      'POST /files 10',
      'POST /import 10',
      'POST /nodes 30',
      'POST /nodes/search/vector 20',
      'POST /nodes/search/vector 20',
      'POST /oauth/device 10',
      'oauth devices 60',
      'oauth registrations 120',
      'oauth requests 600',
      'oauth tokens 3000',
      'oauth tokens 3000',
      'oauth tokens 3000',
    ]);
  });

  it('rate limits count nothing outside the version prefix', async () => {
    const answers = await Promise.all(times(70, () => world.api.get('//health/live')));
    expect(withStatus(answers, 200)).toHaveLength(70);
    expect(answers[0]?.headers['x-ratelimit-limit']).toBeUndefined();
  });

  it('rate limits allow exactly 30 of 1,000 concurrent creates, and do not count the refused ones', async () => {
    const { client } = await letIn();
    const answers = await Promise.all(times(1_000, () => client.post('/nodes', NODE)));
    expect(withStatus(answers, 201)).toHaveLength(30);
    expect(withStatus(answers, 429)).toHaveLength(970);
    expect(standing(withStatus(answers, 429)[0] as Answer)).toMatchObject({ limit: 30, remaining: 0 });
    const list = await client.get('/nodes');
    expect(list.body.total).toBe(30);
    expect(standing(list)).toMatchObject({ limit: 60, remaining: 29 });
  });

  it('rate limits count a request once whose caller is read twice: uploads, and sync', async () => {
    const { alice, app, client } = await letIn();
    const upload = async (path: string) => {
      const body = new FormData();
      body.append('file', new Blob(['hello']), 'hello.txt');
      const headers = { 'X-API-Key': app.apiKey, 'X-User-ID': alice.id };
      const answer = await fetch(`${world.origin}/api/v1${path}`, { method: 'POST', body, headers });
      return [answer.status, Number(answer.headers.get('x-ratelimit-remaining'))];
    };
    // The limit of POST /files, which both share (rule 9.7b).
    for (let left = 9; left >= 0; left--)
      expect(await upload(left % 2 ? '/nodes/upload' : '/raw-files')).toEqual([201, left]);
    expect(await upload('/nodes/upload')).toEqual([429, 0]);
    expect(standing(await client.get('/sync'))).toMatchObject({ limit: 60, remaining: 49 });
    const { body } = await app.alone.get(`/third-party/${app.id}/metrics`);
    expect(body).toMatchObject({ total_requests: 12, total_errors: 1 });
  });

  it('rate limits count a key for each user separately, and a user with all tokens together', async () => {
    const { alice, app, client } = await letIn();
    const bob = await world.user();
    const forBob = await bob.lets(app);
    clock.advance(60);
    await Promise.all(times(60, () => client.get('/tags')));
    expect((await client.get('/tags')).status).toBe(429);
    expect((await forBob.get('/tags')).status).toBe(200);
    expect(standing(await alice.get('/tags'))).toMatchObject({ limit: 600, remaining: 599 });
    const again = await stranger().post('/auth/login', {
      email: `${alice.name}@example.org`,
      password: 'correct horse battery',
    });
    const secondToken = world.api.with({ Authorization: `Bearer ${again.body.access_token}` });
    expect(standing(await secondToken.get('/tags'))).toMatchObject({ remaining: 598 });
  });

  it('rate limits allow a person ten times the minute of their apps, and neither uses up that of the other (rule 9.7b)', async () => {
    const { alice, client } = await letIn();
    const ofApp = await Promise.all(times(61, () => client.get('/tags')));
    expect(withStatus(ofApp, 429)).toHaveLength(1);
    const answers = await Promise.all(times(620, () => alice.get('/tags')));
    expect(withStatus(answers, 200)).toHaveLength(600);
    expect(standing(withStatus(answers, 429)[0] as Answer)).toMatchObject({ limit: 600, remaining: 0 });
    clock.advance(60);
    await Promise.all(times(600, () => alice.get('/tags')));
    expect(standing(await client.get('/tags'))).toMatchObject({ limit: 60, remaining: 59 });
  });

  it('the multiple of people raises no limit of an endpoint (rule 9.7b)', async () => {
    const { alice } = await letIn();
    const answers = await Promise.all(times(40, () => alice.post('/nodes', NODE)));
    expect(withStatus(answers, 201)).toHaveLength(30);
    expect(standing(withStatus(answers, 429)[0] as Answer)).toMatchObject({ limit: 30, remaining: 0 });
    expect(standing(await alice.get('/nodes'))).toMatchObject({ limit: 120, remaining: 119 });
  });

  it('the operator decides how many times the requests of an app a person has', async () => {
    const plain = await World.startHere({ RATE_LIMITS: 'on', FIRST_PARTY_RATE_MULTIPLE: '1', REDIS_URL: '' });
    try {
      const person = await plain.user();
      expect(standing(await person.get('/tags'))).toMatchObject({ limit: 60, remaining: 59 });
    } finally {
      await plain.stop();
    }
  });

  it('rate limits leave a person what ends access when a stolen token uses up their minute (rule 9.7f)', async () => {
    clock.advance(60);
    const alice = await world.user();
    clock.advance(60);
    const from = (address: string): Client =>
      world.api.with({ Authorization: `Bearer ${alice.token}`, 'X-Forwarded-For': address });
    const [thief, owner] = [from('198.18.2.1'), from('198.18.2.2')];
    await Promise.all(times(600, () => thief.get('/tags')));
    expect((await owner.get('/tags')).status).toBe(429);
    const sessions = await Promise.all(times(30, () => thief.get('/auth/sessions')));
    expect(withStatus(sessions, 200)).toHaveLength(10);
    expect(standing(withStatus(sessions, 429)[0] as Answer)).toMatchObject({ limit: 10, remaining: 0 });
    const listed = await owner.get('/auth/sessions');
    expect(listed.status).toBe(200);
    expect(standing(listed)).toMatchObject({ limit: 10, remaining: 9 });
    expect((await owner.post('/auth/reauthenticate', { password: 'wrong' })).status).toBe(401);
    expect((await owner.delete('/auth/sessions')).status).toBe(204);
    expect((await thief.get('/tags')).status).toBe(401);
  });

  it('rate limits reserve nothing for apps, which end no access', async () => {
    const { client } = await letIn();
    await Promise.all(times(60, () => client.get('/tags')));
    expect((await client.delete('/webhooks/subscription')).status).toBe(429);
  });

  it('rate limits ignore X-User-ID where the app acts for itself, or for its only user', async () => {
    const { alice, app } = await letIn();
    const askedAs = (userId: string) => app.alone.with({ 'X-User-ID': userId });
    for (const path of [`/third-party/${app.id}/metrics`, '/apps/current', '/apps/current/authorizations']) {
      clock.advance(60);
      const answers = await Promise.all(times(61, () => askedAs(randomUUID()).get(path)));
      expect([path, withStatus(answers, 200).length]).toEqual([path, 60]);
    }
    clock.advance(60);
    const tags = await Promise.all(
      times(61, (i) =>
        (i % 2 ? app.alone : askedAs(alice.id)).post('/third-party/tags', { name: `tag ${i}` }),
      ),
    );
    expect(withStatus(tags, 201)).toHaveLength(60);
    const bob = await world.user();
    await bob.lets(app);
    clock.advance(60);
    for (const { id } of [alice, bob])
      expect(standing(await askedAs(id).post('/third-party/tags', { name: 'own' }))).toMatchObject({
        remaining: 59,
      });
  });

  it('rate limits are on answers to a valid key without permission, with bad input or without a result', async () => {
    const { client } = await letIn();
    const answers = [
      await client.get('/exposure-profiles'),
      await client.get('/nodes/5b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f'),
      await client.post('/nodes', '{'),
      await client.with({ 'X-User-ID': '5b0c2f3e-8a41-4d57-9d53-1a2b3c4d5e6f' }).get('/nodes'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 404, 400, 403]);
    expect(answers.map((answer) => standing(answer).remaining)).toEqual([59, 58, 29, 59]);
  });

  it('rate limits do not reveal existing users: strangers and forged ids are counted alike', async () => {
    const { app } = await letIn();
    const stranger = await world.user();
    clock.advance(60);
    const asked = async (id: string) => {
      const answers = [];
      for (let i = 0; i < 61; i++) answers.push(await app.alone.with({ 'X-User-ID': id }).get('/tags'));
      return answers.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']]);
    };
    const known = await asked(stranger.id);
    expect(known.at(-1)?.[0]).toBe(429);
    expect(await asked(randomUUID())).toEqual(known);
  });

  it('rate limits bound forged ids of users: an app has ten times its minute for all of them together', async () => {
    const { alice, app, client } = await letIn();
    const asked = () => app.alone.with({ 'X-User-ID': randomUUID() }).get('/tags');
    const answers = await Promise.all(times(700, asked));
    expect(withStatus(answers, 403)).toHaveLength(600);
    expect(withStatus(answers, 429)).toHaveLength(100);
    const refused = withStatus(answers, 429)[0] as Answer;
    expect(standing(refused)).toMatchObject({ limit: 600, remaining: 0 });
    // The minute of the app is used up for all of its users, but not for a user with a JWT.
    expect((await client.get('/tags')).status).toBe(429);
    expect((await alice.get('/tags')).status).toBe(200);
    clock.advance(60);
    expect((await client.get('/tags')).status).toBe(200);
  });

  it('rate limits bound all apps of a developer together: they have fifty times the minute of a tier', async () => {
    clock.advance(60);
    const [developer, other] = [await world.user(), await world.user()];
    const asked = async () => {
      const { body } = await developer.post('/apps', {
        name: `app ${randomUUID()}`,
        client_level: 'L2',
        requested_permissions: readOnly,
      });
      const app = world.api.with({ 'X-API-Key': body.api_key, 'X-User-ID': randomUUID() });
      return () => app.get('/tags');
    };
    const [one, another] = [await asked(), await asked()];
    const counters = world.nest.get(SharedCounters);
    const used = [{ key: `developer ${developer.id}`, limit: 3_000, seconds: 60 }];
    await Promise.all(times(2_999, () => counters.take(used, clock.now)));
    expect((await one()).status).toBe(403);
    for (const ask of [one, another]) {
      const refused = await ask();
      expect(refused.status).toBe(429);
      expect(standing(refused)).toMatchObject({ limit: 3_000, remaining: 0 });
    }
    for (const person of [developer, other]) expect((await person.get('/tags')).status).toBe(200);
    clock.advance(60);
    expect((await another()).status).toBe(403);
  });

  it('user keys use up nothing of the minute that an app has for all its users (rule 9.7)', async () => {
    const { app, client } = await letIn();
    const keys: Client[] = [];
    for (let i = 0; i < 11; i++) {
      clock.advance(60);
      const { authorization } = await (await world.user()).authorizes(app);
      keys.push(world.api.with({ 'X-API-Key': authorization.user_key }));
    }
    clock.advance(60);
    for (const key of keys) {
      const answers = await Promise.all(times(61, () => key.get('/tags')));
      expect(withStatus(answers, 200)).toHaveLength(60);
      expect(standing(withStatus(answers, 429)[0] as Answer)).toMatchObject({ limit: 60, remaining: 0 });
    }
    expect((await client.get('/tags')).status).toBe(200);
  });

  it('rate limits continue in one process after Redis is lost', async () => {
    const lonely = await World.startHere({
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    try {
      holdClock(lonely);
      const caller = lonely.api.with({ 'X-Forwarded-For': '198.18.1.1' });
      const answers = await Promise.all(times(80, () => caller.get('/nodes')));
      expect(withStatus(answers, 429)).toHaveLength(20);
      expect((await lonely.api.get('//health/ready')).body).toEqual({ status: 'ok', redis: 'down' });
    } finally {
      await lonely.stop();
    }
  });
});
