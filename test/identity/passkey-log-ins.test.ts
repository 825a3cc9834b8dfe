import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Authenticator, type Faults } from '../support/authenticator.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const ORIGIN = 'https://graph.example';
const PASSWORD = 'correct horse battery';
const OVER = '401 INVALID_CHALLENGE';
const WRONG = '401 UNAUTHORIZED';

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();

/** A person with a passkey. */
interface Holder {
  user: TestUser;
  client: Client;
  device: Authenticator;
}

let world: World;
let clock: ReturnType<typeof holdClock>;

const bearer = (token: string): Client => new Client(world.origin, { Authorization: `Bearer ${token}` });
async function register(client: Client, device: Authenticator): Promise<void> {
  const { public_key } = (await client.post('/auth/passkeys/options')).body;
  const added = await client.post('/auth/passkeys', { name: 'phone', credential: device.create(public_key) });
  if (added.status !== 201) throw new Error(added.text);
}
async function holder(device = new Authenticator(ORIGIN)): Promise<Holder> {
  const user = await world.user();
  const client = bearer(user.token);
  await register(client, device);
  return { user, client, device };
}
const logInOptions = async (api = world.api) =>
  (await api.post('/auth/login/passkey/options')).body.public_key;
async function logIn(device: Authenticator, faults: Faults = {}, api = world.api): Promise<Answer> {
  return api.post('/auth/login/passkey', { credential: device.get(await logInOptions(api), faults) });
}
const stepUpOptions = async (client: Client) =>
  (await client.post('/auth/reauthenticate/passkey/options')).body.public_key;
async function stepUp(client: Client, device: Authenticator, faults: Faults = {}): Promise<Answer> {
  const credential = device.get(await stepUpOptions(client), faults);
  return client.post('/auth/reauthenticate/passkey', { credential });
}

/** Each made by the device that the person has, or looking like it. */
const FAULTS: [string, Faults][] = [
  ['at another origin', { origin: 'https://evil.example' }],
  ['at another port of the host', { origin: `${ORIGIN}:8443` }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['without verifying its person', { isVerified: false }],
  ['without its person', { isPresent: false }],
  ['as the answer to a registration', { type: 'webauthn.create' }],
  ['with another key', { key: new Authenticator(ORIGIN).privateKey }],
  ['under a name that nobody has', { credentialId: 'bm9ib2R5' }],
];

describe('a passkey in use', () => {
  withWorld(
    (started) => (world = started),
    () => World.startHere({ PUBLIC_URL: ORIGIN }),
  );
  beforeEach(() => {
    clock = holdClock(world);
  });
  afterEach(() => letClockRun(world));

  describe('a passkey at a log-in', () => {
    it('replaces e-mail and password, and the answer is the same', async () => {
      const { user, device } = await holder();
      const options = await world.api.post('/auth/login/passkey/options');
      expect([options.status, options.headers['cache-control'], options.body.expires_in]).toEqual([
        200,
        'no-store',
        300,
      ]);
      expect(options.body.public_key).toMatchObject({ rpId: 'graph.example', userVerification: 'required' });
      expect(options.body.public_key.allowCredentials ?? []).toEqual([]);
      const byPassword = await world.api.post('/auth/login', {
        email: `${user.name}@example.org`,
        password: PASSWORD,
      });
      const answer = await logIn(device);
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(Object.keys(answer.body)).toEqual(Object.keys(byPassword.body));
      expect(answer.body.user).toEqual(byPassword.body.user);
      const client = bearer(answer.body.access_token);
      expect((await client.get('/export')).status).toBe(200);
      expect((await client.get('/auth/passkeys')).body.passkeys[0].last_used_at).toBe(
        clock.now.toISOString(),
      );
      const { refresh_token } = answer.body;
      expect((await world.api.post('/auth/refresh', { refresh_token })).status).toBe(200);
    });

    it('needs no code of the authenticator app that the password needs', async () => {
      const { user, client, device } = await holder();
      const { secret } = (await client.post('/auth/totp')).body;
      const timestamp = clock.now.getTime();
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
      expect((await client.post('/auth/totp/confirm', { code })).status).toBe(200);
      const email = `${user.name}@example.org`;
      const byPassword = await world.api.post('/auth/login', { email, password: PASSWORD });
      expect(codeOf(byPassword)).toBe('401 SECOND_FACTOR_REQUIRED');
      expect((await logIn(device)).status).toBe(200);
      clock.advance(301);
      expect((await stepUp(client, device)).status).toBe(200);
    });

    it.each(FAULTS)('a passkey that answers %s is refused in the same words', async (_, faults) => {
      const { client, device } = await holder();
      const refused = await logIn(device, faults);
      expect(codeOf(refused)).toBe(WRONG);
      expect(refused.body.error).toEqual({
        code: 'UNAUTHORIZED',
        message: 'The passkey was not accepted',
        request_id: expect.any(String),
      });
      expect((await client.get('/auth/passkeys')).body.passkeys[0].last_used_at).toBeNull();
    });

    it('the passkey of another user is refused, and so is one that names another user or none', async () => {
      const [alice, bob] = [await holder(), await holder()];
      expect(codeOf(await logIn(bob.device, { credentialId: alice.device.credentialId }))).toBe(WRONG);
      expect(codeOf(await logIn(bob.device, { userHandle: alice.device.userHandle }))).toBe(WRONG);
      expect(codeOf(await logIn(bob.device, { userHandle: undefined }))).toBe(WRONG);
      expect((await logIn(bob.device)).body.user.id).toBe(bob.user.id);
    });

    it("a log-in inside another site's page is refused", async () => {
      const { device } = await holder();
      expect(codeOf(await logIn(device, { crossOrigin: true }))).toBe(OVER);
    });

    it('answers each challenge once, right or wrong, in any number of concurrent answers', async () => {
      const { device } = await holder();
      const options = await logInOptions();
      const send = async (faults: Faults = {}) =>
        codeOf(await world.api.post('/auth/login/passkey', { credential: device.get(options, faults) }));
      const answers = await Promise.all([send(), send(), send()]);
      expect(answers.sort()).toEqual(['200', OVER, OVER]);
      expect(await send()).toBe(OVER);
      const other = await logInOptions();
      const wrong = { credential: device.get(other, { origin: 'https://evil.example' }) };
      expect(codeOf(await world.api.post('/auth/login/passkey', wrong))).toBe(WRONG);
      const right = { credential: device.get(other) };
      expect(codeOf(await world.api.post('/auth/login/passkey', right))).toBe(OVER);
    });

    it('answers a challenge however many others have begun, and none of them is stored', async () => {
      const { device } = await holder();
      const options = await logInOptions();
      for (let begun = 0; begun < 150; begun++) await logInOptions();
      const stored = () =>
        world.nest.get(Database).read(sql`SELECT digest FROM challenges WHERE user_id IS NULL`);
      const before = await stored();
      const answer = { credential: device.get(options) };
      expect(codeOf(await world.api.post('/auth/login/passkey', answer))).toBe('200');
      expect(await stored()).toHaveLength(before.length + 1);
    });

    it('refuses a challenge whose end, signature or spelling was changed', async () => {
      const { device } = await holder();
      const { challenge, ...options } = await logInOptions();
      const bytes = Buffer.from(challenge, 'base64url');
      const changed = [24, 29, 30, 45].map((at) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ 1;
        return copy.toString('base64url');
      });
      for (const other of [...changed, `${challenge}=`, `${challenge}A`, challenge.slice(0, -4)]) {
        const answer = { credential: device.get({ ...options, challenge: other }) };
        expect([other, codeOf(await world.api.post('/auth/login/passkey', answer))]).toEqual([other, OVER]);
      }
      const answer = { credential: device.get({ ...options, challenge }) };
      expect(codeOf(await world.api.post('/auth/login/passkey', answer))).toBe('200');
    });

    it('answers a challenge of this service for a log-in within five minutes', async () => {
      const { client, device } = await holder();
      const options = await logInOptions();
      const send = async (challenge: string) =>
        codeOf(
          await world.api.post('/auth/login/passkey', { credential: device.get({ ...options, challenge }) }),
        );
      clock.advance(300);
      expect(await send(options.challenge)).toBe(OVER);
      expect(await send('made-up')).toBe(OVER);
      expect(await send((await stepUpOptions(client)).challenge)).toBe(OVER);
      const registering = await client.post('/auth/passkeys/options');
      expect(codeOf(registering)).toBe('401 REAUTHENTICATION_REQUIRED');
      const fresh = bearer((await stepUp(client, device)).body.access_token);
      const { public_key } = (await fresh.post('/auth/passkeys/options')).body;
      expect(await send(public_key.challenge)).toBe(OVER);
      const late = await logInOptions();
      clock.advance(299);
      expect(await send(late.challenge)).toBe('200');
    });

    it('invalid data is refused, whatever its bytes are', async () => {
      const { device } = await holder();
      const credential = device.get(await logInOptions());
      const part = (name: 'authenticatorData' | 'signature', text: string) => ({
        ...credential,
        response: { ...credential.response, [name]: text },
      });
      const hostile = [
        part('signature', ''),
        part('signature', 'MAA'),
        part('signature', 'x'.repeat(5_000)),
        part('authenticatorData', ''),
        part('authenticatorData', Buffer.alloc(5_000, 0xff).toString('base64url')),
        { ...credential, rawId: 'b3RoZXI' },
        { ...credential, type: 'password' },
      ];
      for (const body of hostile) {
        const { challenge } = await logInOptions();
        const { clientDataJSON } = device.get({ challenge, rpId: 'graph.example' }).response;
        const sent = { ...body, response: { ...body.response, clientDataJSON } };
        expect(codeOf(await world.api.post('/auth/login/passkey', { credential: sent }))).toBe(WRONG);
      }
      for (const clientDataJSON of ['', 'e30', '!', Buffer.from('null').toString('base64url')]) {
        const sent = { ...credential, response: { ...credential.response, clientDataJSON } };
        expect(codeOf(await world.api.post('/auth/login/passkey', { credential: sent }))).toBe(OVER);
      }
    });
  });

  describe('the counter of a passkey', () => {
    it('a counter that goes back is refused at log-in and step-up; its user sees it, and the device that counts on continues', async () => {
      const { client, device } = await holder();
      expect((await logIn(device, { counter: 7 })).status).toBe(200);
      for (const counter of [7, 6, 0]) expect(codeOf(await logIn(device, { counter }))).toBe(WRONG);
      const [seen] = (await client.get('/auth/passkeys')).body.passkeys;
      expect(seen.copy_suspected_at).toBe(clock.now.toISOString());
      expect(codeOf(await stepUp(client, device, { counter: 7 }))).toBe(WRONG);
      expect((await stepUp(client, device, { counter: 8 })).status).toBe(200);
      expect(codeOf(await logIn(device, { counter: 8 }))).toBe(WRONG);
    });

    it('a lower counter under an invalid signature raises no suspicion', async () => {
      const { client, device } = await holder();
      const { privateKey: key } = new Authenticator(ORIGIN);
      expect(codeOf(await logIn(device, { counter: 0, key }))).toBe(WRONG);
      expect((await client.get('/auth/passkeys')).body.passkeys[0].copy_suspected_at).toBeNull();
    });

    it('a counter that is always 0, as for synced passkeys, is accepted', async () => {
      const { device } = await holder(new Authenticator(ORIGIN, false));
      expect((await logIn(device)).status).toBe(200);
      expect((await logIn(device)).status).toBe(200);
    });

    it('a counter that is sent twice at once is accepted once', async () => {
      const { device } = await holder();
      const answers = await Promise.all([logIn(device, { counter: 9 }), logIn(device, { counter: 9 })]);
      expect(answers.map(codeOf).sort()).toEqual(['200', WRONG]);
    });
  });

  describe('a passkey as a proof of identity', () => {
    it('makes the session fresh without the password', async () => {
      const { client, device } = await holder();
      clock.advance(301);
      expect(codeOf(await client.get('/export'))).toBe('401 REAUTHENTICATION_REQUIRED');
      const options = await client.post('/auth/reauthenticate/passkey/options');
      expect([options.status, options.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(options.body.public_key.allowCredentials).toMatchObject([{ id: device.credentialId }]);
      const proved = await stepUp(client, device);
      expect([proved.status, proved.headers['cache-control']]).toEqual([200, 'no-store']);
      expect(Object.keys(proved.body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
      expect((await bearer(proved.body.access_token).get('/export')).status).toBe(200);
      expect((await client.get('/auth/sessions')).body.total).toBe(1);
      // Devices that keep no name of the person with a passkey can prove it as well.
      expect((await stepUp(client, device, { userHandle: undefined })).status).toBe(200);
    });

    it.each(FAULTS)('a passkey that answers %s is refused', async (_, faults) => {
      const { client, device } = await holder();
      expect(codeOf(await stepUp(client, device, faults))).toBe(WRONG);
    });

    it('the passkey of another user is refused', async () => {
      const [alice, bob] = [await holder(), await holder()];
      const refused = await stepUp(alice.client, bob.device);
      expect([codeOf(refused), refused.body.error.message]).toEqual([WRONG, 'The passkey was not accepted']);
      expect((await stepUp(alice.client, alice.device)).status).toBe(200);
    });

    it('answers a challenge of its own session and purpose, once', async () => {
      const [alice, bob] = [await holder(), await holder()];
      const other = bearer((await logIn(alice.device)).body.access_token);
      const send = async (by: Client, options: Parameters<Authenticator['get']>[0]) => {
        const credential = alice.device.get(options);
        return codeOf(await by.post('/auth/reauthenticate/passkey', { credential }));
      };
      expect(await send(other, await stepUpOptions(alice.client))).toBe(OVER);
      expect(await send(alice.client, await stepUpOptions(bob.client))).toBe(OVER);
      expect(await send(alice.client, await logInOptions())).toBe(OVER);
      const options = await stepUpOptions(alice.client);
      expect(await send(alice.client, options)).toBe('200');
      expect(await send(alice.client, options)).toBe(OVER);
    });
  });
});

describe('limits', () => {
  beforeAll(async () => {
    world = await World.startHere({
      PUBLIC_URL: ORIGIN,
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      REDIS_URL: '',
      DEFAULT_TIER: 'enterprise',
    });
  });
  afterAll(() => world.stop());
  const from = (address: string) => world.api.with({ 'X-Forwarded-For': address });

  it('wrong answers of passkeys delay further ones after ten from one network, but not the user elsewhere', async () => {
    const { device } = await holder();
    const thief = from('2001:db8:7::1');
    for (let tried = 0; tried < 10; tried++)
      expect(codeOf(await logIn(device, { origin: 'https://evil.example' }, thief))).toBe(WRONG);
    const waiting = await logIn(device, {}, thief);
    expect(waiting.status).toBe(429);
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await logIn(device, {}, from('2001:db8:8::1'))).status).toBe(200);
  });

  it('wrong passkeys within a session wait after ten, whatever their ids, and not for strangers of the network (rule 1.23f)', async () => {
    const { device, user } = await holder();
    const within = (address: string) => from(address).with({ Authorization: `Bearer ${user.token}` });
    const [home, elsewhere] = ['2001:db8:10::1', '2001:db8:11::1'];
    const clock = holdClock(world);
    for (let minute = 0; minute < 2; minute++) {
      const send = (i: number) =>
        from(home).post('/auth/login', { email: `no${i}@example.org`, password: 'wrong password' });
      await Promise.all(Array.from({ length: 50 }, (_, i) => send(i)));
      clock.advance(60);
    }
    expect((await logIn(device, {}, from(home))).status).toBe(429);
    expect((await stepUp(within(home), device)).status).toBe(200);
    for (let tried = 0; tried < 10; tried++) {
      const credentialId = Buffer.from(`made up ${tried}`).toString('base64url');
      expect(codeOf(await stepUp(within(home), device, { credentialId }))).toBe(WRONG);
    }
    expect((await stepUp(within(home), device)).status).toBe(429);
    expect((await stepUp(within(elsewhere), device)).status).toBe(200);
  });

  it('wrong answers of passkeys delay further ones after ten for an unknown passkey, too', async () => {
    const { device } = await holder();
    const thief = from('2001:db8:9::1');
    for (let tried = 0; tried < 10; tried++)
      expect(codeOf(await logIn(device, { credentialId: 'bm9ib2R5' }, thief))).toBe(WRONG);
    expect((await logIn(device, { credentialId: 'bm9ib2R5' }, thief)).status).toBe(429);
  });
});
