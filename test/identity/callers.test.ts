import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../../src/kernel/ids.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

let world: World;
let alice: TestUser;
let bob: TestUser;
let app: TestApp;
let stranger: TestApp;
/** A user key of alice's authorization of the app. */
let userKey: string;

beforeAll(async () => {
  world = await World.start();
  [alice, bob] = [await world.user('alice'), await world.user('bob')];
  [app, stranger] = [await world.app(), await world.app()];
  const { authorization } = await alice.authorizes(app);
  userKey = authorization.user_key as string;
});
afterAll(() => world.stop());

const withKey = (key: string, headers: Record<string, string> = {}): Client =>
  world.api.with({ 'X-API-Key': key, ...headers });
const outcome = ({ status, body }: Answer) => [status, body.error?.code];
const DENIED = [403, 'PERMISSION_DENIED'];
const UNAUTHORIZED = [401, 'UNAUTHORIZED'];

describe('app keys (rules 1.7, 1.8)', () => {
  it('acts for the user that X-User-ID names, in any letter case', async () => {
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
    expect((await withKey(app.apiKey, { 'X-User-ID': alice.id.toUpperCase() }).get('/nodes')).status).toBe(
      200,
    );
  });

  it.each([
    ['', 'absent'],
    ['nonsense', 'malformed'],
    ['%00', 'malformed'],
    ["' OR 1=1", 'malformed'],
  ])('an app key is answered with 401 when X-User-ID is %j (%s)', async (id) => {
    const answer = await withKey(app.apiKey, id === '' ? {} : { 'X-User-ID': id }).get('/nodes');
    expect(outcome(answer)).toEqual(UNAUTHORIZED);
    expect(answer.headers['www-authenticate']).toBeDefined();
  });

  it('an app key is answered with the same 403 for an unknown user and for one who has not authorized the app', async () => {
    const unknown = await withKey(app.apiKey, { 'X-User-ID': newId() }).get('/nodes');
    const notAuthorized = await app.as(bob).get('/nodes');
    const otherApp = await stranger.as(alice).get('/nodes');
    for (const answer of [unknown, notAuthorized, otherApp]) expect(outcome(answer)).toEqual(DENIED);
    const text = ({ text, body }: Answer) => text.replace(body.error.request_id as string, '');
    expect(text(unknown)).toBe(text(notAuthorized));
  });
});

describe('user keys (rule 1.7)', () => {
  it('a user key needs no X-User-ID', async () => {
    expect(userKey).toMatch(/^pig_user_[0-9A-Za-z]{36}$/);
    expect((await withKey(userKey).get('/nodes')).status).toBe(200);
  });

  it('a user key accepts the X-User-ID of its own user and refuses any other with 403', async () => {
    expect((await withKey(userKey, { 'X-User-ID': alice.id }).get('/nodes')).status).toBe(200);
    expect((await withKey(userKey, { 'X-User-ID': alice.id.toUpperCase() }).get('/nodes')).status).toBe(200);
    for (const other of [bob.id, newId(), 'nonsense']) {
      expect(outcome(await withKey(userKey, { 'X-User-ID': other }).get('/nodes'))).toEqual(DENIED);
    }
  });

  it('a user key ends with its authorization', async () => {
    const { authorization } = await bob.authorizes(app);
    const key = withKey(authorization.user_key as string);
    expect((await key.get('/nodes')).status).toBe(200);
    expect((await bob.delete(`/authorizations/${authorization.id}`)).status).toBe(200);
    expect((await key.get('/nodes')).status).toBeGreaterThanOrEqual(401);
    expect((await key.get('/nodes')).status).toBeLessThanOrEqual(403);
  });
});

describe('authentication (rule 1.10)', () => {
  const routes: [string, string][] = [
    ['GET', '/nodes'],
    ['GET', '/auth/me'],
    ['GET', '/apps/current'],
    ['POST', '/nodes'],
  ];

  it.each(routes)(
    'credentials are refused with 400 if two are sent to %s %s, valid or not',
    async (method, path) => {
      const both = { 'X-API-Key': app.apiKey, 'X-User-ID': alice.id, Authorization: `Bearer ${alice.token}` };
      for (const headers of [
        both,
        { ...both, 'X-API-Key': 'bad' },
        { ...both, Authorization: 'Bearer bad' },
      ]) {
        expect(outcome(await world.api.with(headers).send(method, path))).toEqual([
          400,
          'AMBIGUOUS_CREDENTIALS',
        ]);
      }
    },
  );

  it.each(routes)(
    'credentials are 401 with a challenge if missing or invalid for %s %s',
    async (method, path) => {
      const bad = [
        {},
        { 'X-API-Key': '' },
        { 'X-API-Key': 'bad', 'X-User-ID': alice.id },
        { 'X-User-ID': alice.id },
        { Authorization: 'Bearer bad' },
        { Authorization: 'Bearer ' },
        { Authorization: `Basic ${Buffer.from('alice:x').toString('base64')}` },
        { Authorization: `Bearer ${app.apiKey}` },
        { 'X-API-Key': alice.token, 'X-User-ID': alice.id },
      ];
      for (const headers of bad) {
        const answer = await world.api.with(headers as Record<string, string>).send(method, path);
        expect(outcome(answer)).toEqual(UNAUTHORIZED);
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer .*ApiKey /);
      }
    },
  );

  it('credentials are recognized by their form when they are in the wrong header', async () => {
    const { body } = await world.api.with({ Authorization: `Bearer ${app.apiKey}` }).get('/nodes');
    expect(body.error.message).toBe('The access token is not valid; API keys go into X-API-Key');
    const unnamed = await withKey(app.apiKey, { 'X-User-ID': 'alice' }).get('/nodes');
    expect(unnamed.body.error.message).toBe('X-User-ID must be the id of the user the app acts for');
  });

  it('another scheme in Authorization is ignored, and does not make a key ambiguous', async () => {
    const answer = await withKey(app.apiKey, { 'X-User-ID': alice.id, Authorization: 'Basic YTpi' }).get(
      '/nodes',
    );
    expect(answer.status).toBe(200);
  });

  it('credentials are not read by public endpoints', async () => {
    const headers = { 'X-API-Key': 'bad', Authorization: 'Bearer bad' };
    const answer = await world.api
      .with(headers)
      .post('/auth/login', { email: 'alice@example.org', password: 'correct horse battery' });
    expect(answer.status).toBe(200);
  });

  it('credentials are required after the route is known: unknown route 404, wrong method 405', async () => {
    expect(outcome(await world.api.get('/no-such-route'))).toEqual([404, 'NOT_FOUND']);
    const wrongMethod = await world.api.put('/auth/me', {});
    expect(outcome(wrongMethod)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrongMethod.headers.allow).toContain('PATCH');
  });
});

describe('the kind of caller (rules 1.11, 1.12)', () => {
  it('a valid key is refused with 403 on an endpoint for users, with and without a user', async () => {
    for (const path of ['/auth/me', '/apps', `/users/${alice.id}`, '/exposure-profiles']) {
      expect(outcome(await app.as(alice).get(path))).toEqual(DENIED);
      expect(outcome(await app.alone.get(path))).toEqual(DENIED);
      expect(outcome(await withKey(userKey).get(path))).toEqual(DENIED);
    }
  });

  it('a JWT acts as the owner on an endpoint for apps', async () => {
    expect((await alice.get('/nodes')).status).toBe(200);
    expect((await alice.with({ 'X-User-ID': bob.id }).get('/nodes')).status).toBe(200);
  });

  it.each([
    ['GET', '/apps/current'],
    ['GET', '/apps/current/authorizations'],
    ['GET', '/authorizations/current'],
    ['DELETE', '/authorizations/current'],
    ['POST', '/third-party/tags'],
  ])('a JWT on %s %s, which is for keys only, is refused with 403', async (method, path) => {
    expect(outcome(await alice.send(method, path))).toEqual(DENIED);
  });
});

describe('GET /apps/current (rules 1.9, 2.6)', () => {
  it('the app itself is shown to both kinds of its keys, whatever X-User-ID contains', async () => {
    const whole = (await app.alone.get('/apps/current')).body;
    expect(whole.id).toBe(app.id);
    const ofUsers = (await withKey(userKey).get('/apps/current')).body;
    for (const id of [alice.id, bob.id, newId(), 'nonsense', '']) {
      for (const key of [app.apiKey, userKey]) {
        const answer = await withKey(key, { 'X-User-ID': id }).get('/apps/current');
        expect([answer.status, answer.body]).toEqual([200, key === userKey ? ofUsers : whole]);
      }
    }
  });

  it('a user key is shown of the app what the preview of an authorization shows (rule 2.6c)', async () => {
    const { body } = await withKey(userKey).get('/apps/current');
    const preview = (await alice.get(`/authorizations/preview?app_id=${app.id}`)).body;
    expect(body).toEqual({ ...preview.app, requested_permissions: preview.requested_permissions });
    const whole = (await app.alone.get('/apps/current')).body;
    const hidden = Object.keys(whole).filter((field) => !(field in body));
    expect(hidden.sort()).toEqual(
      ['created_at', 'is_active', 'owner_id', 'redirect_uris', 'tier', 'updated_at'].sort(),
    );
  });
});
