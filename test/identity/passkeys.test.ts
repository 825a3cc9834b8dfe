import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { resetPassword } from '../../src/cli/reset-password.js';
import { PasswordResets, Users } from '../../src/identity/index.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { exported } from '../portability/archives.js';
import { Authenticator, type Faults } from '../support/authenticator.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const ORIGIN = 'https://graph.example';
const PASSWORD = 'correct horse battery';
const OVER = '401 INVALID_CHALLENGE';
const REFUSED = '400 VALIDATION_ERROR';

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();

let world: World;
let clock: ReturnType<typeof holdClock>;

const bearer = (token: string): Client => new Client(world.origin, { Authorization: `Bearer ${token}` });
const optionsFor = async (client: Client) => (await client.post('/auth/passkeys/options')).body.public_key;
async function register(client: Client, device: Authenticator, faults: Faults = {}, name = 'My phone') {
  const credential = device.create(await optionsFor(client), faults);
  return client.post('/auth/passkeys', { name, credential });
}
async function logInWith(device: Authenticator): Promise<Answer> {
  const { public_key } = (await world.api.post('/auth/login/passkey/options')).body;
  return world.api.post('/auth/login/passkey', { credential: device.get(public_key) });
}
const logIn = ({ name }: TestUser, password = PASSWORD) =>
  world.api.post('/auth/login', { email: `${name}@example.org`, password });

describe('/auth/passkeys', () => {
  let user: TestUser;
  let client: Client;
  let device: Authenticator;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ PUBLIC_URL: ORIGIN }),
  );
  beforeEach(async () => {
    clock = holdClock(world);
    user = await world.user();
    client = bearer(user.token);
    device = new Authenticator(ORIGIN);
  });
  afterEach(() => letClockRun(world));

  it('a new passkey is bound to the host of the public address, with its user verified and named by the device', async () => {
    const { status, body, headers } = await client.post('/auth/passkeys/options');
    expect([status, headers['cache-control'], body.expires_in]).toEqual([200, 'no-store', 300]);
    expect(body.public_key).toMatchObject({
      rp: { id: 'graph.example' },
      user: { name: `${user.name}@example.org`, displayName: user.name },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
      pubKeyCredParams: [{ alg: -8 }, { alg: -7 }, { alg: -257 }],
    });
    expect(Buffer.from(body.public_key.challenge, 'base64url')).toHaveLength(32);
  });

  it('passkeys can be added, listed and renamed', async () => {
    const added = await register(client, device);
    expect(added.status).toBe(201);
    const passkey = {
      id: added.body.id,
      name: 'My phone',
      created_at: clock.now.toISOString(),
      last_used_at: null,
      copy_suspected_at: null,
    };
    expect(added.body).toEqual(passkey);
    expect((await client.get('/auth/passkeys')).body).toEqual({ passkeys: [passkey], total: 1 });
    const renamed = await client.patch(`/auth/passkeys/${added.body.id.toUpperCase()}`, {
      name: ' Old phone ',
    });
    expect([renamed.status, renamed.body]).toEqual([200, { ...passkey, name: 'Old phone' }]);
    const { excludeCredentials } = await optionsFor(client);
    const described = { id: device.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] };
    expect(excludeCredentials).toEqual([described]);
  });

  it('adding or removing a passkey ends the other sessions', async () => {
    const before = (await logIn(user)).body;
    const { id } = (await register(client, device)).body;
    expect((await bearer(before.access_token).get('/auth/me')).status).toBe(401);
    const { access_token, refresh_token } = (await logInWith(device)).body;
    expect((await client.delete(`/auth/passkeys/${id}`)).status).toBe(204);
    expect((await bearer(access_token).get('/auth/me')).status).toBe(401);
    expect((await world.api.post('/auth/refresh', { refresh_token })).status).toBe(401);
    expect(codeOf(await logInWith(device))).toBe('401 UNAUTHORIZED');
    expect((await client.get('/auth/passkeys')).body).toEqual({ passkeys: [], total: 0 });
    expect((await client.get('/auth/sessions')).body.total).toBe(1);
    expect((await logIn(user)).status).toBe(200);
  });

  it.each<[string, Faults]>([
    ['at another origin', { origin: 'https://graph.example.evil.example' }],
    ['at the same host without TLS', { origin: 'http://graph.example' }],
    ['for another relying party', { rpId: 'example' }],
    ['without verifying its person', { isVerified: false }],
    ['without its person', { isPresent: false }],
    ['as the answer to a log-in', { type: 'webauthn.get' }],
  ])('a passkey that was created %s is refused, and its challenge is used up', async (_, faults) => {
    const options = await optionsFor(client);
    const send = (sent: Faults) =>
      client.post('/auth/passkeys', { name: 'x', credential: device.create(options, sent) });
    const refused = await send(faults);
    expect(codeOf(refused)).toBe(REFUSED);
    expect(refused.body.error.details).toEqual([
      { field: 'credential', message: 'is not a valid passkey for this service' },
    ]);
    expect(codeOf(await send({}))).toBe(OVER);
    expect((await client.get('/auth/passkeys')).body.total).toBe(0);
  });

  it("a passkey that was created inside another site's page is refused", async () => {
    expect(codeOf(await register(client, device, { crossOrigin: true }))).toBe(OVER);
  });

  it('invalid data is refused, whatever its bytes are', async () => {
    const bytes = [
      '',
      'not base64url!',
      Buffer.from([0xff]).toString('base64url'),
      // The deepest nesting that a body allows.
      Buffer.alloc(8_000, 0x81).toString('base64url'),
      // A map of 2^32 - 1 entries.
      Buffer.from([0xba, 0xff, 0xff, 0xff, 0xff]).toString('base64url'),
      Buffer.from([0xa0]).toString('base64url'),
    ];
    for (const attestationObject of bytes) {
      const credential = device.create(await optionsFor(client));
      credential.response.attestationObject = attestationObject;
      expect(codeOf(await client.post('/auth/passkeys', { name: 'x', credential }))).toBe(REFUSED);
    }
    const other = { ...device.create(await optionsFor(client)), id: 'b3RoZXI', rawId: 'b3RoZXI' };
    expect(codeOf(await client.post('/auth/passkeys', { name: 'x', credential: other }))).toBe(REFUSED);
  });

  it('the attestation of the maker of a passkey is not read', async () => {
    // Neither this form nor a certificate of it is anything that could be verified.
    const attestation = { fmt: 'packed', attStmt: new Map([['x5c', 'no certificates']]) };
    expect((await register(client, device, { attestation })).status).toBe(201);
    expect((await logInWith(device)).status).toBe(200);
  });

  it('a challenge adds one passkey, within five minutes, in its session and for its purpose', async () => {
    const send = async (by: Client, options: Parameters<Authenticator['create']>[0]) =>
      codeOf(await by.post('/auth/passkeys', { name: 'x', credential: device.create(options) }));
    const late = await optionsFor(client);
    clock.advance(300);
    const proved = await client.post('/auth/reauthenticate', { password: PASSWORD });
    client = bearer(proved.body.access_token);
    expect(await send(client, late)).toBe(OVER);
    const other = bearer((await logIn(user)).body.access_token);
    expect(await send(other, await optionsFor(client))).toBe(OVER);
    const somebody = await world.user();
    expect(await send(bearer(somebody.token), await optionsFor(client))).toBe(OVER);
    expect(await send(client, { ...late, challenge: 'made-up' })).toBe(OVER);
    for (const path of ['/auth/login/passkey/options', '/auth/reauthenticate/passkey/options']) {
      const { challenge } = (await client.post(path)).body.public_key;
      expect(await send(client, { ...late, challenge })).toBe(OVER);
    }
    const options = await optionsFor(client);
    const twice = await Promise.all([send(client, options), send(client, options)]);
    expect(twice.sort()).toEqual(['201', OVER]);
  });

  it('a challenge that began before a log-out everywhere adds no passkey', async () => {
    const options = await optionsFor(client);
    expect((await client.delete('/auth/sessions')).status).toBe(204);
    const again = bearer((await logIn(user)).body.access_token);
    const credential = device.create(options);
    expect(codeOf(await again.post('/auth/passkeys', { name: 'x', credential }))).toBe(OVER);
  });

  it('belongs to one account, once', async () => {
    expect((await register(client, device)).status).toBe(201);
    expect(codeOf(await register(client, device))).toBe('409 PASSKEY_EXISTS');
    // A passkey with the id of another one, and a key of its own.
    const thief = bearer((await world.user()).token);
    const own = new Authenticator(ORIGIN);
    const { credentialId } = device;
    expect(codeOf(await register(thief, own, { credentialId }))).toBe('409 PASSKEY_EXISTS');
    expect((await logInWith(device)).body.user.id).toBe(user.id);
  });

  it('the passkeys of other users are absent: they can be neither renamed nor removed', async () => {
    const { id } = (await register(client, device)).body;
    const stranger = bearer((await world.user()).token);
    for (const path of [`/auth/passkeys/${id}`, '/auth/passkeys/nonsense']) {
      expect(codeOf(await stranger.patch(path, { name: 'mine' }))).toBe('404 NOT_FOUND');
      expect(codeOf(await stranger.delete(path))).toBe('404 NOT_FOUND');
    }
    expect((await client.get('/auth/passkeys')).body.passkeys).toMatchObject([{ id, name: 'My phone' }]);
  });

  it('the name of a passkey has no invisible characters', async () => {
    const { id } = (await register(client, device)).body;
    for (const name of ['', '  ', 'x'.repeat(101), 'phone\u202Egnp', 'line\nbreak', 'zero\u200Bwidth', 7]) {
      expect(codeOf(await client.patch(`/auth/passkeys/${id}`, { name }))).toBe(REFUSED);
      const credential = new Authenticator(ORIGIN).create(await optionsFor(client));
      expect(codeOf(await client.post('/auth/passkeys', { name, credential }))).toBe(REFUSED);
    }
  });

  it('an account has twenty passkeys at most', async () => {
    for (let made = 0; made < 19; made++)
      expect((await register(client, new Authenticator(ORIGIN))).status).toBe(201);
    // Both begin while there is room for one.
    const options = [await optionsFor(client), await optionsFor(client)];
    const answers = await Promise.all(
      options.map((one) => {
        const credential = new Authenticator(ORIGIN).create(one);
        return client.post('/auth/passkeys', { name: 'x', credential });
      }),
    );
    expect(answers.map(codeOf).sort()).toEqual(['201', '409 TOO_MANY_PASSKEYS']);
    const full = await client.post('/auth/passkeys/options');
    expect(codeOf(full)).toBe('409 TOO_MANY_PASSKEYS');
    expect(full.body.error.message).toContain('20');
  });

  it('passkeys are in no archive, survive a change of password, and are deleted with the account', async () => {
    await register(client, device);
    const archive = [...(await exported(client))]
      .map(([name, bytes]) => `${name} ${bytes.toString()}`)
      .join();
    expect(archive).toContain(`${user.name}@example.org`);
    expect(archive).not.toMatch(/passkey/i);
    expect(archive).not.toContain(device.credentialId);
    const body = { current_password: PASSWORD, new_password: 'another horse battery' };
    expect((await client.post('/auth/password', body)).status).toBe(204);
    const again = await logInWith(device);
    expect(again.status).toBe(200);
    const left = bearer(again.body.access_token);
    await optionsFor(left);
    expect((await left.delete('/auth/me', { password: body.new_password })).status).toBe(204);
    expect(codeOf(await logInWith(device))).toBe('401 UNAUTHORIZED');
    const rows = await world.nest.get(Database).read(
      sql`SELECT (SELECT count(*)::int FROM passkeys WHERE user_id = ${user.id}) AS passkeys,
        (SELECT count(*)::int FROM challenges WHERE user_id = ${user.id}) AS challenges`,
    );
    expect(rows).toEqual([{ passkeys: 0, challenges: 0 }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'a letter',
      async () => {
        const link = await world.nest.get(PasswordResets).linkFor(await world.nest.get(Users).get(user.id));
        const token = /#reset=(\S+)/.exec(link)?.[1];
        return world.api.post('/auth/password/reset', { token, new_password: 'another horse battery' });
      },
    ],
    [
      'the operator',
      () => resetPassword(world.nest, { name: user.name, isGiven: false, removesSecondFactors: false }),
    ],
  ])('a password that is reset by %s ends the passkeys (rule 1.23g)', async (_, reset) => {
    await register(client, device);
    await reset();
    expect(codeOf(await logInWith(device))).toBe('401 UNAUTHORIZED');
    const rows = await world.nest
      .get(Database)
      .read(sql`SELECT count(*)::int AS n FROM passkeys WHERE user_id = ${user.id}`);
    expect(rows).toEqual([{ n: 0 }]);
  });
});

describe('challenges for passkeys', () => {
  beforeAll(async () => {
    world = await World.startHere({ PUBLIC_URL: ORIGIN });
    clock = holdClock(world);
  });
  afterAll(() => world.stop());
  const count = async () =>
    (await world.nest.get(Database).read<{ count: number }>(sql`SELECT count(*)::int FROM challenges`))[0]
      ?.count;

  it('one session has at most a hundred of them, and the newest work', async () => {
    const client = bearer((await world.user()).token);
    let newest;
    for (let made = 0; made < 103; made++) {
      await client.post('/auth/reauthenticate/passkey/options');
      newest = await optionsFor(client);
      clock.advance(1);
    }
    expect(await count()).toBe(200);
    const credential = new Authenticator(ORIGIN).create(newest);
    expect((await client.post('/auth/passkeys', { name: 'x', credential })).status).toBe(201);
    clock.advance(301);
    await world.nest.get(Housekeeping).sweep();
    expect(await count()).toBe(0);
  });
});

describe('a service for which no passkey can be created', () => {
  it.each(['', 'http://graph.example', 'https://203.0.113.7'])(
    'a service with PUBLIC_URL=%s reports it, and its users list and remove their passkeys',
    async (PUBLIC_URL) => {
      world = await World.startHere({ PUBLIC_URL });
      try {
        const client = bearer((await world.user()).token);
        const device = new Authenticator(ORIGIN);
        const created = device.create({ challenge: 'x', rp: { id: 'x' }, user: { id: 'x' } });
        const used = device.get({ challenge: 'x', rpId: 'x' });
        const answers = [
          await client.post('/auth/passkeys/options'),
          await client.post('/auth/passkeys', { name: 'x', credential: created }),
          await world.api.post('/auth/login/passkey/options'),
          await world.api.post('/auth/login/passkey', { credential: used }),
          await client.post('/auth/reauthenticate/passkey/options'),
          await client.post('/auth/reauthenticate/passkey', { credential: used }),
        ];
        expect(answers.map(codeOf)).toEqual(answers.map(() => '409 PASSKEYS_NOT_CONFIGURED'));
        expect((await client.get('/auth/passkeys')).body).toEqual({ passkeys: [], total: 0 });
      } finally {
        await world.stop();
      }
    },
  );
});
