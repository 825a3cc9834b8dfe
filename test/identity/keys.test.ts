import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { checksumOf } from '../../src/identity/domain/key-text.js';
import { ApiKeys } from '../../src/identity/index.js';
import { Clock } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type TestUser, World } from '../support/world.js';

const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

let world: World;
let dev: TestUser;
let app: { id: string; api_key: string };
beforeAll(async () => {
  world = await World.startHere();
  dev = await world.user();
  app = (await dev.post('/apps', { name: 'App', requested_permissions: {} })).body;
});
afterAll(() => world.stop());
afterEach(() => {
  jest.restoreAllMocks();
});

const use = (key: string) => world.api.get('/apps/current', { headers: { 'X-API-Key': key } });
const make = (body: Record<string, unknown> = {}) => dev.post(`/apps/${app.id}/keys`, body);

describe('/apps/:app_id/keys (rule 1.6)', () => {
  it('app keys are not repeated by a replay, and no cache may store either answer', async () => {
    const once = () => dev.post(`/apps/${app.id}/keys`, {}, { headers: { 'Idempotency-Key': 'once' } });
    const [first, again] = [await once(), await once()];
    const { api_key, ...key } = first.body;
    expect(api_key).toMatch(/^pig_live_/);
    expect([again.status, again.body]).toEqual([201, key]);
    for (const { headers } of [first, again]) expect(headers['cache-control']).toContain('no-store');
  });

  it('app keys are created with a name and an expiry, and shown once', async () => {
    const expires_at = '2100-01-01T00:00:00.000Z';
    const answer = await make({ name: 'server 2', expires_at });
    expect(answer.status).toBe(201);
    const { api_key, ...key } = answer.body;
    expect(key).toEqual({
      id: expect.any(String),
      name: 'server 2',
      prefix: api_key.slice(0, 13),
      last_four: api_key.slice(-4),
      created_at: expect.stringMatching(ISO),
      expires_at,
    });
    const list = await dev.get(`/apps/${app.id}/keys`);
    expect(list.body.keys).toContainEqual(key);
    expect(list.text).not.toContain(api_key);
    expect((await make()).body).toMatchObject({ name: null, expires_at: null });
  });

  it('an app has at most 100 keys, and room for another one once one is deleted (rule 1.6d)', async () => {
    const full = (await dev.post('/apps', { name: 'full', requested_permissions: {} })).body;
    const add = () => dev.post(`/apps/${full.id}/keys`, {});
    for (let count = 1; count < 100; count++) expect((await add()).status).toBe(201);
    const { status, body } = await add();
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'QUOTA_EXCEEDED',
      { quota: 'app_keys', limit: 100 },
    ]);
    const { keys } = (await dev.get(`/apps/${full.id}/keys?limit=1`)).body;
    expect((await dev.delete(`/apps/${full.id}/keys/${keys[0].id}`)).status).toBe(204);
    expect((await add()).status).toBe(201);
    const stored = await world.nest
      .get(Database)
      .read(sql`SELECT id FROM api_keys WHERE app_id = ${full.id}`);
    expect(stored).toHaveLength(100);
  });

  it('app keys contain the checksum of the specified form', async () => {
    const { api_key } = (await make()).body;
    expect(api_key).toMatch(/^pig_live_[0-9A-Za-z]{36}$/);
    expect(checksumOf(api_key.slice(9, 39))).toBe(api_key.slice(39));
  });

  it('app keys are valid side by side, and each ends alone', async () => {
    const [first, second] = [(await make()).body, (await make()).body];
    expect([(await use(first.api_key)).status, (await use(second.api_key)).status]).toEqual([200, 200]);
    const deleted = await dev.delete(`/apps/${app.id}/keys/${first.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect([(await use(first.api_key)).status, (await use(second.api_key)).status]).toEqual([401, 200]);
    expect((await dev.delete(`/apps/${app.id}/keys/${first.id}`)).status).toBe(404);
    const { body } = await dev.get(`/apps/${app.id}/keys?limit=100`);
    const ids = body.keys.map(({ id }: { id: string }) => id);
    expect([ids.includes(first.id), ids.includes(second.id)]).toEqual([false, true]);
    expect(body.total).toBe(ids.length);
  });

  it('app keys expire to the millisecond', async () => {
    const end = Date.now() + 60_000;
    const { api_key } = (await make({ expires_at: new Date(end).toISOString() })).body;
    const clock = jest.spyOn(world.nest.get(Clock), 'now');
    clock.mockReturnValue(new Date(end - 1));
    expect((await use(api_key)).status).toBe(200);
    clock.mockReturnValue(new Date(end));
    expect((await use(api_key)).status).toBe(401);
  });

  it.each([
    ['expires_at', { expires_at: '2001-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['expires_at', { expires_at: 4102444800 }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 1 }],
  ])('app keys are refused with %s as the invalid field of %j', async (field, wrong) => {
    const answer = await make(wrong);
    expect([answer.status, answer.body.error.details[0].field]).toEqual([400, field]);
  });

  it('app keys are 404 when unknown, malformed, of another app or bound to a user', async () => {
    const foreign = (await dev.post('/apps', { name: 'Other', requested_permissions: {} })).body;
    const [foreignKey] = (await dev.get(`/apps/${foreign.id}/keys`)).body.keys;
    const userKey = await world.nest
      .get(ApiKeys)
      .issueUserKey({ appId: app.id, userId: dev.id, authorizationId: newId() });
    for (const id of [newId(), 'nonsense', foreignKey.id, userKey.id]) {
      const answer = await dev.delete(`/apps/${app.id}/keys/${id}`);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await use(foreign.api_key)).status).toBe(200);
    expect((await dev.get(`/apps/${app.id}/keys?limit=100`)).text).not.toContain(userKey.id);
  });

  it('app keys are refused without a query when the checksum or the form is wrong', async () => {
    const read = jest.spyOn(world.nest.get(Database), 'read');
    const { api_key } = app;
    const wrong = [
      api_key.slice(0, -1) + (api_key.endsWith('a') ? 'b' : 'a'),
      api_key.slice(0, 12) + (api_key[12] === 'a' ? 'b' : 'a') + api_key.slice(13),
      'pig_live_',
      'x',
      `${api_key}x`,
      api_key.toLowerCase(),
      api_key.replace('live', 'test'),
    ];
    for (const key of wrong) {
      const answer = await use(key);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(answer.headers['www-authenticate']).toMatch(/ApiKey/);
    }
    expect(read).not.toHaveBeenCalled();
  });

  it('app keys are refused when unknown, though well formed', async () => {
    const random = 'A'.repeat(30);
    expect((await use(`pig_live_${random}${checksumOf(random)}`)).status).toBe(401);
  });

  it('app keys are stored only as SHA-256', async () => {
    const rows = await world.nest.get(Database).read(sql`SELECT to_jsonb(k) AS row FROM api_keys k`);
    const dump = JSON.stringify(rows);
    expect(dump).toContain(createHash('sha256').update(app.api_key).digest('hex'));
    expect(dump).not.toContain(app.api_key.slice(9));
    expect(dump).not.toContain(app.api_key.slice(13, 39));
  });

  it('app keys cost no query of the identity tables once they are cached', async () => {
    await use(app.api_key);
    const read = jest.spyOn(world.nest.get(Database), 'read');
    for (let i = 0; i < 5; i++) expect((await use(app.api_key)).status).toBe(200);
    expect(read).not.toHaveBeenCalled();
  });
});

describe('keys for one user (rule 1.7)', () => {
  it('user keys are one for each authorization: a new key ends the one before', async () => {
    const keys = world.nest.get(ApiKeys);
    const bound = { appId: app.id, userId: dev.id, authorizationId: newId() };
    const first = await keys.issueUserKey(bound);
    expect(first.api_key).toMatch(/^pig_user_[0-9A-Za-z]{36}$/);
    expect((await use(first.api_key)).status).toBe(200);
    const second = await keys.issueUserKey(bound);
    expect([(await use(first.api_key)).status, (await use(second.api_key)).status]).toEqual([401, 200]);
    await keys.revokeOfAuthorization(bound.authorizationId);
    expect((await use(second.api_key)).status).toBe(401);
    expect((await use(app.api_key)).status).toBe(200);
  });

  it('user keys end with their app', async () => {
    const other = (await dev.post('/apps', { name: 'Short-lived', requested_permissions: {} })).body;
    const key = await world.nest
      .get(ApiKeys)
      .issueUserKey({ appId: other.id, userId: dev.id, authorizationId: newId() });
    expect((await use(key.api_key)).status).toBe(200);
    await dev.delete(`/apps/${other.id}`);
    expect((await use(key.api_key)).status).toBe(401);
  });
});

it('keys that end while they are used are refused from the next request on', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, api_key } = (await make()).body;
    const stop = { now: false };
    const using = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!stop.now) await use(api_key);
      }),
    );
    expect((await dev.delete(`/apps/${app.id}/keys/${id}`)).status).toBe(204);
    expect(
      (await Promise.all(Array.from({ length: 5 }, () => use(api_key)))).map(({ status }) => status),
    ).toEqual([401, 401, 401, 401, 401]);
    stop.now = true;
    await using;
  }
});
