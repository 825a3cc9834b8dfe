import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Devices } from '../../src/oauth/application/devices.service.js';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

describe('devices without a browser (rule 14.7)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let appId: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    person = await oauth.world.user();
    ({ id: appId } = await oauth.app());
  });
  afterAll(() => oauth.world.stop());

  const begin = async () =>
    (await oauth.form('device_authorization', { client_id: appId, scope: 'graph:read' })).body;
  const ask = (code: string, clientId = appId) =>
    oauth.form('token', { grant_type: GRANT, client_id: clientId, device_code: code });
  const requestOf = async (typed: string) =>
    (await person.post('/oauth/device', { user_code: typed })).body.request;

  it('a device that its person allows gets tokens once, and its session is listed', async () => {
    const { device_code, user_code, verification_uri_complete } = await begin();
    expect(user_code).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    expect(verification_uri_complete).toBe(`${oauth.origin}/console/device?user_code=${user_code}`);
    expect((await ask(device_code)).body.error).toBe('authorization_pending');
    expect((await ask(device_code)).body.error).toBe('slow_down');
    const request = await requestOf(user_code.toLowerCase().replace('-', ' '));
    const page = await person.get(`/oauth/consent?request=${request}`);
    expect(page.body.returns_to).toEqual({ uri: null, host: null, kind: 'device' });
    const allowed = await person.post('/oauth/consent', {
      request,
      decision: 'allow',
      scopes: ['graph:read'],
      exposure_profile_id: await oauth.transparent(person),
    });
    expect([allowed.status, allowed.body]).toEqual([200, { redirect_to: null }]);
    const { status, body } = await ask(device_code);
    expect(status).toBe(200);
    expect((await oauth.with(body.access_token).get('/nodes')).status).toBe(200);
    expect((await ask(device_code)).body.error).toBe('invalid_grant');
  });

  it('a device that its person denies gets nothing, and a decision is final', async () => {
    const { device_code, user_code } = await begin();
    const request = await requestOf(user_code);
    expect((await person.post('/oauth/consent', { request, decision: 'deny' })).status).toBe(200);
    const again = await person.post('/oauth/consent', { request, decision: 'deny' });
    expect([again.status, again.body.error.code]).toEqual([400, 'CONSENT_EXPIRED']);
    expect((await ask(device_code)).body.error).toBe('access_denied');
  });

  it('codes of devices are worth nothing for another client, and unknown ones are not found', async () => {
    const { device_code } = await begin();
    const other = await oauth.app();
    expect((await ask(device_code, other.id)).body.error).toBe('invalid_grant');
    expect((await ask('x')).body.error).toBe('invalid_grant');
    expect((await person.post('/oauth/device', { user_code: 'BBBB-BBBB' })).status).toBe(404);
  });

  it('the oldest of too many devices no longer wait, and an allowed one still gets its tokens', async () => {
    const devices = oauth.world.nest.get(Devices);
    const held = devices.bounds;
    const waiting = [];
    for (let count = 0; count < 4; count++) waiting.push(await begin());
    const [allowed, oldest, ...newest] = waiting;
    const request = await requestOf(allowed.user_code);
    const exposure_profile_id = await oauth.transparent(person);
    const decision = { request, decision: 'allow', scopes: ['graph:read'], exposure_profile_id };
    expect((await person.post('/oauth/consent', decision)).status).toBe(200);
    devices.bounds = { most: 3, every: 1 };
    const last = await begin();
    devices.bounds = held;
    const answers = [];
    for (const { device_code } of [allowed, oldest, ...newest, last])
      answers.push((await ask(device_code)).body.error);
    const waits = 'authorization_pending';
    expect(answers).toEqual([undefined, 'invalid_grant', waits, waits, waits]);
  });
});
