import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Apps } from '../../src/identity/index.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { UnusedClients } from '../../src/oauth/application/unused-clients.service.js';
import { DocumentSite } from '../support/document-site.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { authorizeParameters, newVerifier, OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const READ = { scope: 'graph:read' };
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const CURSOR = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
];
const DAY = 24 * 3_600;

describe('clients that register themselves (rules 14.3e, 14.3f)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    person = await oauth.world.user();
  });
  afterAll(() => oauth.world.stop());

  const register = (metadata: object, world = oauth) => world.world.api.post('//oauth/register', metadata);
  const registered = async (fields: object = {}): Promise<string> => {
    const answer = await register({ client_name: 'Reader', redirect_uris: [REDIRECT_URI], ...fields });
    return answer.body.client_id as string;
  };
  const error = async (metadata: object) => {
    const { status, body } = await register(metadata);
    return [status, body.error];
  };

  it('the answer repeats what was accepted, without a secret', async () => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await register({
      client_name: 'Reader',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token', 'implicit'],
      response_types: ['code', 'token'],
      token_endpoint_auth_method: 'client_secret_basic',
      client_uri: 'https://bank.example/',
      logo_uri: 'https://bank.example/logo.png',
      scope: 'graph:read',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { client_id, client_id_issued_at, ...rest } = answer.body;
    expect(rest).toEqual({
      client_name: 'Reader',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(client_id_issued_at).toBeGreaterThanOrEqual(before);
    const app = await oauth.world.nest.get(Apps).find(client_id);
    expect(app).toMatchObject({ kind: 'dynamic', homepageUrl: null, isActive: true });
  });

  it('a registered client is shown as not verified, and gets tokens for what a person allows', async () => {
    const id = await registered();
    const { request } = await oauth.request(id, READ);
    const { body } = await person.get(`/oauth/consent?request=${request}`);
    expect(body.client).toMatchObject({ name: 'Reader', kind: 'dynamic', host: null, verified: false });
    expect(body.client.homepage_url).toBeNull();
    const tokens = await oauth.connect(id, person, { parameters: READ });
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(200);
    expect((await oauth.with(tokens.access_token).post('/nodes', {})).status).toBe(403);
  });

  it('all three addresses of Cursor are accepted at once, and each gets its answers', async () => {
    const id = await registered({ redirect_uris: CURSOR });
    for (const redirect_uri of [...CURSOR, 'http://localhost:51111/callback']) {
      const { request, verifier } = await oauth.request(id, { ...READ, redirect_uri });
      const back = await oauth.allow(person, request);
      expect(back.href.startsWith(redirect_uri)).toBe(true);
      expect((await oauth.redeem(id, back, verifier, { redirect_uri })).status).toBe(200);
    }
  });

  it('a client for devices alone needs no address for answers', async () => {
    const { status, body } = await register({ client_name: 'Television', grant_types: [DEVICE_GRANT] });
    expect([status, body.redirect_uris, body.response_types]).toEqual([201, [], []]);
    const begun = await oauth.form('device_authorization', { client_id: body.client_id, ...READ });
    expect(begun.status).toBe(200);
  });

  it.each([
    ['without addresses', {}, 'invalid_redirect_uri'],
    [
      'whose one address runs code',
      { redirect_uris: [REDIRECT_URI, 'javascript:x'] },
      'invalid_redirect_uri',
    ],
    [
      'whose one address wraps another one',
      { redirect_uris: ['view-source:https://a.example/'] },
      'invalid_redirect_uri',
    ],
    [
      'whose one address has a name before its host',
      { redirect_uris: ['https://bank.example@a.example/'] },
      'invalid_redirect_uri',
    ],
    ['whose one address has a fragment', { redirect_uris: ['https://a.example/#b'] }, 'invalid_redirect_uri'],
    [
      'whose one address sends a code over plain http',
      { redirect_uris: [REDIRECT_URI, 'http://a.example/'] },
      'invalid_redirect_uri',
    ],
    ['whose one address is relative', { redirect_uris: ['/callback'] }, 'invalid_redirect_uri'],
    ['whose addresses are one text', { redirect_uris: REDIRECT_URI }, 'invalid_redirect_uri'],
    [
      'with a long address',
      { redirect_uris: [`https://a.example/${'x'.repeat(2_000)}`] },
      'invalid_redirect_uri',
    ],
    [
      'with 21 addresses',
      { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) },
      'invalid_redirect_uri',
    ],
    ['whose name hides a character', named('Re\u200Bader'), 'invalid_client_metadata'],
    ['whose name turns its direction', named('Reader \u202Eknab'), 'invalid_client_metadata'],
    ['whose name is empty', named('  '), 'invalid_client_metadata'],
    ['whose name is long', named('x'.repeat(101)), 'invalid_client_metadata'],
    ['whose name is a number', named(5), 'invalid_client_metadata'],
    [
      'for grants that the service has not',
      { ...named('Reader'), grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
    [
      'for answers without a code',
      { ...named('Reader'), response_types: ['token'] },
      'invalid_client_metadata',
    ],
  ])('a client %s is refused', async (_, metadata, code) =>
    expect(await error(metadata)).toEqual([400, code]),
  );

  it.each([
    ['a program on this computer', REDIRECT_URI, 302],
    ['a site', 'https://reader.example/callback', 400],
    ['an app with a scheme of its own', 'com.example.reader:/callback', 400],
  ])('the answer to a faulty request of %s at %s has status %i', async (_, uri, status) => {
    const id = await registered({ redirect_uris: [uri] });
    const faulty = { ...authorizeParameters(id, newVerifier()), redirect_uri: uri, response_type: 'token' };
    const query = new URLSearchParams(faulty).toString();
    const answer = await oauth.world.api.get(`//oauth/authorize?${query}`);
    expect([answer.status, answer.headers.location?.startsWith(uri) ?? false]).toEqual([
      status,
      status === 302,
    ]);
  });

  it('a body of more than 16 KiB is refused', async () => {
    const { status } = await register({
      redirect_uris: [REDIRECT_URI],
      software_statement: 'x'.repeat(17_000),
    });
    expect(status).toBe(413);
  });

  it('a refused body has the form of OAuth, whatever is wrong with it', async () => {
    for (const body of ['{', '[]', '"text"']) {
      const answer = await oauth.world.api.post('//oauth/register', body, {
        headers: { 'Content-Type': 'application/json' },
      });
      expect(answer.status).toBe(400);
      expect(typeof answer.body.error).toBe('string');
    }
  });

  it('an Idempotency-Key does not make two registrations one', async () => {
    const send = () =>
      oauth.world.api.post('//oauth/register', named('Reader'), { headers: { 'Idempotency-Key': 'one' } });
    const [one, other] = [await send(), await send()];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body.client_id).not.toBe(other.body.client_id);
  });

  it('unused clients are deleted after thirty days, and those that somebody has authorized stay', async () => {
    const [unused, used, ended] = [await registered(), await registered(), await registered()];
    await oauth.connect(used, person, { parameters: READ });
    await oauth.connect(ended, person, { parameters: READ });
    const { body } = await person.get('/authorizations?status=active&limit=100');
    const of = (id: string) => body.authorizations.find((one: { app_id: string }) => one.app_id === id);
    expect((await person.delete(`/authorizations/${of(ended).id}`)).status).toBeLessThan(300);
    const hand = holdClock(oauth.world);
    const left = async () => {
      await oauth.world.nest.get(Housekeeping).sweep();
      const apps = await oauth.world.nest.get(Apps).findAll([unused, used, ended]);
      return [unused, used, ended].map((id) => apps.has(id));
    };
    hand.advance(30 * DAY - 60);
    const before = await left();
    hand.advance(120);
    const after = await left();
    letClockRun(oauth.world);
    expect([before, after]).toEqual([
      [true, true, true],
      [false, true, true],
    ]);
    const gone = await oauth.form('token', {
      grant_type: 'authorization_code',
      client_id: unused,
      code: 'x',
    });
    expect([gone.status, gone.body.error]).toEqual([401, 'invalid_client']);
    const parameters = new URLSearchParams(authorizeParameters(unused, newVerifier()));
    expect((await oauth.world.api.get(`//oauth/authorize?${parameters.toString()}`)).status).toBe(400);
  });

  it('the newest unused clients stay where strangers make more than the service holds', async () => {
    const service = oauth.world.nest.get(UnusedClients);
    const held = service.bounds;
    const used = await registered();
    await oauth.connect(used, person, { parameters: READ });
    service.bounds = { most: 3, every: 4 };
    const made: string[] = [];
    for (let count = 0; count < 9; count++) made.push(await registered());
    await service.sweep();
    service.bounds = held;
    const apps = await oauth.world.nest.get(Apps).findAll([used, ...made]);
    expect([used, ...made].map((id) => apps.has(id))).toEqual([
      true,
      ...Array(6).fill(false),
      true,
      true,
      true,
    ]);
  });

  it('the registrations of a process sweep by themselves', async () => {
    const service = oauth.world.nest.get(UnusedClients);
    const held = service.bounds;
    service.bounds = { most: 2, every: 1 };
    const made = [await registered(), await registered(), await registered(), await registered()];
    service.bounds = held;
    const apps = await oauth.world.nest.get(Apps).findAll(made);
    expect(made.map((id) => apps.has(id))).toEqual([false, false, true, true]);
  });

  it('a client that a person is about to authorize is not deleted', async () => {
    const service = oauth.world.nest.get(UnusedClients);
    const held = service.bounds;
    const id = await registered();
    service.bounds = { most: 0, every: 1_000 };
    const [{ access_token }] = await Promise.all([
      oauth.connect(id, person, { parameters: READ }).catch(() => ({ access_token: null })),
      service.sweep(),
    ]);
    await service.sweep();
    service.bounds = held;
    const isLeft = (await oauth.world.nest.get(Apps).find(id)) !== null;
    expect(isLeft).toBe(access_token !== null);
  });
});

function named(client_name: unknown): object {
  return { client_name, redirect_uris: [REDIRECT_URI] };
}

describe('settings and limits of registration (rule 14.3e)', () => {
  it.each([
    ['off', 404],
    ['documents', 404],
    ['open', 201],
  ])('OAUTH_REGISTRATION=%s answers a registration by %d', async (registration, status) => {
    const oauth = await OAuthWorld.start({ OAUTH_REGISTRATION: registration });
    const answer = await oauth.world.api.post('//oauth/register', named('Reader'));
    const { body } = await oauth.world.api.get('//.well-known/oauth-authorization-server');
    await oauth.world.stop();
    expect([answer.status, body.registration_endpoint !== undefined]).toEqual([status, status === 201]);
    if (status === 404) expect(answer.body.error).toBe('invalid_request');
  });

  it('a network has 120 registrations a minute, and its other requests are not counted with them', async () => {
    const oauth = await OAuthWorld.startHere({ RATE_LIMITS: 'on' });
    const hand = holdClock(oauth.world);
    const statuses: number[] = [];
    for (let count = 0; count < 121; count++)
      statuses.push((await oauth.world.api.post('//oauth/register', named('Reader'))).status);
    const other = await oauth.world.api.get('/users?username=nobody');
    const refused = await oauth.world.api.post('//oauth/register', named('Reader'));
    hand.advance(60);
    const later = await oauth.world.api.post('//oauth/register', named('Reader'));
    await oauth.world.stop();
    expect(statuses).toEqual([...Array(120).fill(201), 429]);
    expect(other.status).toBe(401);
    expect(refused.body.error).toBe('temporarily_unavailable');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(later.status).toBe(201);
  });

  it('unused clients with documents are bounded as well', async () => {
    const oauth = await OAuthWorld.startHere({ WEBHOOK_ALLOW_PRIVATE: 'true' });
    const site = await DocumentSite.start();
    Object.assign(oauth.world.nest.get(UnusedClients), { bounds: { most: 1, every: 1 } });
    const ids = ['/a.json', '/b.json'].map((path) => site.serve(path));
    for (const id of ids) await oauth.request(id, READ);
    // The first was deleted for the second: its document is read and its app made again.
    const again = await oauth.request(ids[0] as string, READ);
    const visits = site.visitsOf('/a.json');
    site.stop();
    await oauth.world.stop();
    expect([again.request === '', visits]).toEqual([false, 2]);
  });
});
