import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { resetPassword } from '../../src/cli/reset-password.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { exported } from '../portability/archives.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const WRONG_RECOVERY_CODE = { recovery_code: '00000-00000' };

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();
const REQUIRED = '401 SECOND_FACTOR_REQUIRED';
const WRONG = '401 UNAUTHORIZED';
const OVER = '401 INVALID_CHALLENGE';

/** A person with an authenticator app. */
interface Enrolled {
  user: TestUser;
  client: Client;
  email: string;
  secret: string;
  recoveryCodes: string[];
}

let world: World;
let clock: ReturnType<typeof holdClock>;

const bearer = (token: string): Client => new Client(world.origin, { Authorization: `Bearer ${token}` });
/** The code of the authenticator app, a number of steps of 30 seconds from now. */
function codeFor(secret: string, steps = 0): string {
  const timestamp = clock.now.getTime() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}
const logIn = (email: string, { api = world.api, password = PASSWORD } = {}) =>
  api.post('/auth/login', { email, password });
async function challengeFor({ email }: Enrolled, password = PASSWORD): Promise<string> {
  return (await logIn(email, { password })).body.error.details.challenge;
}
const finish = (challenge: string, proof: object, api = world.api) =>
  api.post('/auth/login/second-factor', { challenge, ...proof });
const rowsOf = async (userId: string): Promise<unknown> =>
  world.nest.get(Database).read(
    sql`SELECT (SELECT count(*)::int FROM totp_factors WHERE user_id = ${userId}) AS apps,
      (SELECT count(*)::int FROM recovery_codes WHERE user_id = ${userId}) AS codes,
      (SELECT count(*)::int FROM challenges WHERE user_id = ${userId}) AS challenges`,
  );

/** The code of the confirmation is spent; the next step's is good at once. */
async function enrolled(): Promise<Enrolled> {
  const user = await world.user();
  const client = bearer(user.token);
  const { secret } = (await client.post('/auth/totp')).body;
  const { recovery_codes: recoveryCodes } = (
    await client.post('/auth/totp/confirm', { code: codeFor(secret) })
  ).body;
  return { user, client, email: `${user.name}@example.org`, secret, recoveryCodes };
}

describe('/auth/totp', () => {
  withWorld((started) => (world = started));
  beforeEach(() => {
    clock = holdClock(world);
  });
  afterEach(() => letClockRun(world));

  it('a second factor takes effect with the first code of the authenticator app, and then ends the other sessions', async () => {
    const user = await world.user();
    const client = bearer(user.token);
    const email = `${user.name}@example.org`;
    const begun = await client.post('/auth/totp');
    expect(begun.status).toBe(201);
    expect(begun.headers['cache-control']).toBe('no-store');
    const { secret, otpauth_url } = begun.body;
    const url = new URL(otpauth_url);
    expect([url.protocol, url.searchParams.get('secret')]).toEqual(['otpauth:', secret]);
    expect(decodeURIComponent(url.pathname)).toContain(email);

    const other = await logIn(email);
    expect(other.status).toBe(200);
    expect((await client.get('/auth/me')).body.second_factor).toEqual({
      totp: false,
      recovery_codes_left: 0,
    });
    expect(codeOf(await client.post('/auth/totp/confirm', { code: codeFor(secret, 3) }))).toBe(WRONG);
    const confirmed = await client.post('/auth/totp/confirm', { code: codeFor(secret) });
    expect(confirmed.status).toBe(200);
    expect(confirmed.headers['cache-control']).toBe('no-store');
    expect(new Set(confirmed.body.recovery_codes).size).toBe(10);

    const me = (await client.get('/auth/me')).body;
    expect(me.second_factor).toEqual({ totp: true, recovery_codes_left: 10 });
    expect((await client.patch('/auth/me', { is_public: false })).body).toEqual(me);
    expect((await bearer(other.body.access_token).get('/auth/me')).status).toBe(401);
    const refreshed = await world.api.post('/auth/refresh', { refresh_token: other.body.refresh_token });
    expect(refreshed.status).toBe(401);
    expect((await client.get('/auth/sessions')).body.total).toBe(1);
    expect(codeOf(await client.post('/auth/totp'))).toBe('409 SECOND_FACTOR_EXISTS');
    const again = await client.post('/auth/totp/confirm', { code: codeFor(secret, 1) });
    expect(codeOf(again)).toBe('409 SECOND_FACTOR_EXISTS');
  });

  it('a second factor is enrolled within ten minutes of its beginning, with the newest secret', async () => {
    const user = await world.user();
    const confirm = async (code: string) => codeOf(await user.post('/auth/totp/confirm', { code }));
    expect(await confirm('123456')).toBe('409 NO_SECOND_FACTOR');
    const first = (await user.post('/auth/totp')).body.secret;
    clock.advance(601);
    expect(await confirm(codeFor(first))).toBe('409 NO_SECOND_FACTOR');
    await world.nest.get(Housekeeping).sweep();
    expect(await rowsOf(user.id)).toEqual([{ apps: 0, codes: 0, challenges: 0 }]);
    const [second, third] = [await user.post('/auth/totp'), await user.post('/auth/totp')];
    expect(await confirm(codeFor(second.body.secret))).toBe(WRONG);
    expect(await confirm(codeFor(third.body.secret))).toBe('200');
  });

  it('a second factor is required after the right password, and only then', async () => {
    const alice = await enrolled();
    const asked = await logIn(alice.email);
    expect(codeOf(asked)).toBe(REQUIRED);
    expect(asked.headers['cache-control']).toContain('no-store');
    const { challenge, ...details } = asked.body.error.details;
    expect(details).toEqual({ methods: ['totp', 'recovery_code'], expires_in: 300 });
    const without = (answer: Answer) => ({ ...answer.body.error, request_id: '' });
    const wrong = await logIn(alice.email, { password: 'not the right one' });
    expect(without(wrong)).toEqual(without(await logIn('nobody@example.org')));
    expect(codeOf(wrong)).toBe(WRONG);

    expect(codeOf(await finish(challenge, { code: codeFor(alice.secret, 3) }))).toBe(WRONG);
    const done = await finish(challenge, { code: codeFor(alice.secret, 1) });
    expect(done.status).toBe(200);
    expect(done.headers['cache-control']).toBe('no-store');
    expect(Object.keys(done.body).sort()).toEqual(
      ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user'].sort(),
    );
    expect(done.body.user.id).toBe(alice.user.id);
    expect((await bearer(done.body.access_token).get('/export')).status).toBe(200);
    const refreshed = await world.api.post('/auth/refresh', { refresh_token: done.body.refresh_token });
    expect(refreshed.status).toBe(200);
  });

  it('a second factor accepts no code a second time, nor an earlier one', async () => {
    const alice = await enrolled();
    const answer = async (code: string) => codeOf(await finish(await challengeFor(alice), { code }));
    expect(await answer(codeFor(alice.secret))).toBe(WRONG);
    const next = codeFor(alice.secret, 1);
    expect(await answer(next)).toBe('200');
    expect(await answer(next)).toBe(WRONG);
    clock.advance(30);
    expect(await answer(next)).toBe(WRONG);
    expect(await answer(codeFor(alice.secret, -1))).toBe(WRONG);
    clock.advance(30);
    expect(await answer(codeFor(alice.secret, -2))).toBe(WRONG);
    expect(await answer(codeFor(alice.secret))).toBe('200');
  });

  it('a second factor lets in one of many callers who send the same code at once', async () => {
    const alice = await enrolled();
    const challenges = [await challengeFor(alice), await challengeFor(alice), await challengeFor(alice)];
    const code = codeFor(alice.secret, 1);
    const answers = await Promise.all(challenges.map((challenge) => finish(challenge, { code })));
    expect(answers.map(codeOf).sort()).toEqual(['200', WRONG, WRONG]);
  });

  it('a second factor is needed for a proof of identity within a session, which then counts as fresh', async () => {
    const alice = await enrolled();
    clock.advance(301);
    expect(codeOf(await alice.client.get('/export'))).toBe('401 REAUTHENTICATION_REQUIRED');
    const asked = await alice.client.post('/auth/reauthenticate', { password: PASSWORD });
    expect(codeOf(asked)).toBe(REQUIRED);
    const wrong = await alice.client.post('/auth/reauthenticate', { password: 'not the right one' });
    expect([codeOf(wrong), wrong.body.error.details]).toEqual([WRONG, undefined]);
    const { challenge } = asked.body.error.details;
    const prove = (code: string) =>
      alice.client.post('/auth/reauthenticate/second-factor', { challenge, code });
    expect(codeOf(await prove(codeFor(alice.secret, 4)))).toBe(WRONG);
    const proved = await prove(codeFor(alice.secret));
    expect(proved.status).toBe(200);
    expect(proved.headers['cache-control']).toBe('no-store');
    expect(Object.keys(proved.body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    expect((await bearer(proved.body.access_token).get('/export')).status).toBe(200);
    expect(codeOf(await prove(codeFor(alice.secret, 1)))).toBe(OVER);
    expect((await alice.client.get('/auth/sessions')).body.total).toBe(1);
  });

  it('a second factor can be replaced by a recovery code, in any spelling, each once', async () => {
    const alice = await enrolled();
    const answer = async (recovery_code: string) =>
      codeOf(await finish(await challengeFor(alice), { recovery_code }));
    const [first, second] = alice.recoveryCodes as [string, string];
    expect(await answer(WRONG_RECOVERY_CODE.recovery_code)).toBe(WRONG);
    expect(await answer(first)).toBe('200');
    expect(await answer(first)).toBe(WRONG);
    expect(await answer(` ${second.toLowerCase().replace('-', ' ')}`)).toBe('200');
    expect((await alice.client.get('/auth/me')).body.second_factor.recovery_codes_left).toBe(8);
    const bob = await enrolled();
    expect(codeOf(await finish(await challengeFor(bob), { recovery_code: alice.recoveryCodes[3] }))).toBe(
      WRONG,
    );
  });

  it('a second factor is proved to exactly one of two callers who send the same recovery code at once', async () => {
    const alice = await enrolled();
    for (const recovery_code of alice.recoveryCodes.slice(0, 4)) {
      const challenges = [await challengeFor(alice), await challengeFor(alice)];
      const answers = await Promise.all(challenges.map((challenge) => finish(challenge, { recovery_code })));
      expect(answers.map(codeOf).sort()).toEqual(['200', WRONG]);
    }
    const one = await challengeFor(alice);
    const codes = alice.recoveryCodes.slice(4, 6);
    const answers = await Promise.all(codes.map((recovery_code) => finish(one, { recovery_code })));
    expect(answers.map(codeOf).sort()).toEqual(['200', OVER]);
    // The challenge was spent, and the second code with it was not.
    expect((await alice.client.get('/auth/me')).body.second_factor.recovery_codes_left).toBe(5);
  });

  it('a second factor has new recovery codes in place of all earlier ones', async () => {
    const alice = await enrolled();
    const made = await alice.client.post('/auth/recovery-codes');
    expect(made.status).toBe(201);
    expect(made.headers['cache-control']).toBe('no-store');
    expect(made.body.recovery_codes).toHaveLength(10);
    const answer = async (recovery_code?: string) =>
      codeOf(await finish(await challengeFor(alice), { recovery_code }));
    expect(await answer(alice.recoveryCodes[0])).toBe(WRONG);
    expect(await answer(made.body.recovery_codes[0])).toBe('200');
    const nobody = await world.user();
    expect(codeOf(await nobody.post('/auth/recovery-codes'))).toBe('409 NO_SECOND_FACTOR');
  });

  it('a second factor requires no recovery code when all are used', async () => {
    const alice = await enrolled();
    for (const recovery_code of alice.recoveryCodes)
      expect((await finish(await challengeFor(alice), { recovery_code })).status).toBe(200);
    expect((await logIn(alice.email)).body.error.details.methods).toEqual(['totp']);
  });

  it('a second factor is removed with a code, and its recovery codes with it', async () => {
    const alice = await enrolled();
    const open = await challengeFor(alice);
    expect(codeOf(await alice.client.delete('/auth/totp'))).toBe('400 VALIDATION_ERROR');
    expect(codeOf(await alice.client.delete('/auth/totp', { code: codeFor(alice.secret) }))).toBe(WRONG);
    expect(codeOf(await alice.client.delete('/auth/totp', WRONG_RECOVERY_CODE))).toBe(WRONG);
    expect((await alice.client.delete('/auth/totp', { code: codeFor(alice.secret, 1) })).status).toBe(204);
    expect(codeOf(await finish(open, { recovery_code: alice.recoveryCodes[0] }))).toBe(WRONG);
    expect((await logIn(alice.email)).status).toBe(200);
    expect((await alice.client.get('/auth/me')).body.second_factor).toEqual({
      totp: false,
      recovery_codes_left: 0,
    });
    const again = await alice.client.delete('/auth/totp', { code: codeFor(alice.secret, 1) });
    expect(codeOf(again)).toBe('409 NO_SECOND_FACTOR');
  });

  it('a second factor is sent as exactly one of a code and a recovery code', async () => {
    const alice = await enrolled();
    const challenge = await challengeFor(alice);
    const both = { code: '123456', recovery_code: alice.recoveryCodes[0] };
    for (const proof of [{}, both, { code: '12345' }, { code: 123456 }, { recovery_code: 'x'.repeat(41) }])
      expect(codeOf(await finish(challenge, proof))).toBe('400 VALIDATION_ERROR');
    // None of them counted as an attempt.
    expect((await finish(challenge, { recovery_code: alice.recoveryCodes[0] })).status).toBe(200);
  });

  it('a second factor is removed by the operator on request, and otherwise survives a new password', async () => {
    const alice = await enrolled();
    let password = PASSWORD;
    const reset = async (removesSecondFactors: boolean) => {
      const open = await challengeFor(alice, password);
      const said = await resetPassword(world.nest, {
        name: alice.email,
        isGiven: false,
        removesSecondFactors,
      });
      expect(codeOf(await finish(open, { recovery_code: alice.recoveryCodes[0] }))).toBe(OVER);
      password = said.at(-1)?.replace('Password ', '') ?? '';
      return said;
    };
    expect(await reset(false)).toHaveLength(2);
    expect(codeOf(await logIn(alice.email, { password }))).toBe(REQUIRED);
    expect(await reset(true)).toContain('Their second factors are removed: the password alone lets them in.');
    expect((await logIn(alice.email, { password })).status).toBe(200);
    expect(await rowsOf(alice.user.id)).toMatchObject([{ apps: 0, codes: 0 }]);
  });

  it('a second factor is in no archive, and is deleted with the account', async () => {
    const alice = await enrolled();
    const challenge = await challengeFor(alice);
    expect(await rowsOf(alice.user.id)).toEqual([{ apps: 1, codes: 10, challenges: 1 }]);
    const archive = [...(await exported(alice.client))]
      .map(([name, bytes]) => `${name} ${bytes.toString()}`)
      .join();
    expect(archive).toContain(alice.email);
    expect(archive).not.toMatch(/totp|otpauth|recovery_code|challenge/);
    for (const secret of [alice.secret, challenge, ...alice.recoveryCodes])
      expect(archive).not.toContain(secret);
    expect((await alice.client.delete('/auth/me', { password: PASSWORD })).status).toBe(204);
    expect(await rowsOf(alice.user.id)).toEqual([{ apps: 0, codes: 0, challenges: 0 }]);
  });
});

describe('challenges', () => {
  let alice: Enrolled;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    alice = await enrolled();
  });
  afterEach(() => letClockRun(world));
  const recovery = (index = 0) => ({ recovery_code: alice.recoveryCodes[index] });
  const stepUp = async (client: Client): Promise<string> =>
    (await client.post('/auth/reauthenticate', { password: PASSWORD })).body.error.details.challenge;

  it('a challenge for a second factor lasts five minutes', async () => {
    const [first, second] = [await challengeFor(alice), await challengeFor(alice)];
    clock.advance(299);
    expect((await finish(first, recovery())).status).toBe(200);
    clock.advance(1);
    expect(codeOf(await finish(second, recovery(1)))).toBe(OVER);
    await world.nest.get(Housekeeping).sweep();
    clock.advance(1);
    await world.nest.get(Housekeeping).sweep();
    expect(await rowsOf(alice.user.id)).toEqual([{ apps: 1, codes: 9, challenges: 0 }]);
  });

  it('a challenge for a second factor is valid once', async () => {
    const challenge = await challengeFor(alice);
    expect((await finish(challenge, recovery())).status).toBe(200);
    expect(codeOf(await finish(challenge, recovery(1)))).toBe(OVER);
    expect(codeOf(await finish('pig_challenge_made-up', recovery(1)))).toBe(OVER);
  });

  it('a challenge for a second factor ends after five wrong answers, in any number of concurrent requests', async () => {
    const challenge = await challengeFor(alice);
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => finish(challenge, WRONG_RECOVERY_CODE)),
    );
    expect(answers.map(codeOf).sort()).toEqual([...Array(4).fill(OVER), ...Array(5).fill(WRONG)]);
    expect(codeOf(await finish(challenge, recovery()))).toBe(OVER);
  });

  it('a challenge is valid for one account, session and purpose', async () => {
    const bob = await enrolled();
    const challenge = await challengeFor(alice);
    expect(codeOf(await finish(challenge, { code: codeFor(bob.secret, 1) }))).toBe(WRONG);
    const other = bearer((await finish(challenge, recovery())).body.access_token);
    const proved = async (client: Client, of: string) =>
      codeOf(await client.post('/auth/reauthenticate/second-factor', { challenge: of, ...recovery(1) }));
    const mine = await stepUp(alice.client);
    expect(await proved(other, mine)).toBe(OVER);
    expect(await proved(bob.client, mine)).toBe(OVER);
    expect(codeOf(await finish(mine, recovery(1)))).toBe(OVER);
    expect(await proved(alice.client, await challengeFor(alice))).toBe(OVER);
    expect(await proved(alice.client, mine)).toBe('200');
  });

  it('a challenge for a second factor ends with the password that it began with, and with the session', async () => {
    const begun = await challengeFor(alice);
    const body = { current_password: PASSWORD, new_password: 'another horse battery' };
    expect((await alice.client.post('/auth/password', body)).status).toBe(204);
    expect(codeOf(await finish(begun, recovery()))).toBe(OVER);
    const { access_token } = (await finish(await challengeFor(alice, body.new_password), recovery())).body;
    const client = bearer(access_token);
    const left = (await client.post('/auth/reauthenticate', { password: body.new_password })).body.error
      .details;
    expect((await client.delete('/auth/sessions')).status).toBe(204);
    const after = await client.post('/auth/reauthenticate/second-factor', {
      challenge: left.challenge,
      ...recovery(1),
    });
    expect(after.status).toBe(401);
  });
});

describe('limits', () => {
  beforeAll(async () => {
    world = await World.startHere({
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      REDIS_URL: '',
      DEFAULT_TIER: 'enterprise',
    });
    clock = holdClock(world);
  });
  afterAll(() => world.stop());
  // Each request of a stranger from an address of its own: the general limit of an address is another test's.
  let sent = 0;
  const stranger = () => world.api.with({ 'X-Forwarded-For': `2001:db8:${(++sent).toString(16)}::1` });

  const asStranger = async ({ email }: Enrolled): Promise<string> =>
    (await logIn(email, { api: stranger() })).body.error.details.challenge;

  it('wrong answers to challenges delay strangers who know the password after ten, over all challenges, but not the user', async () => {
    const alice = await enrolled();
    for (let round = 0; round < 2; round++) {
      const challenge = await asStranger(alice);
      for (let tried = 0; tried < 5; tried++)
        expect(codeOf(await finish(challenge, WRONG_RECOVERY_CODE, stranger()))).toBe(WRONG);
    }
    const right = { recovery_code: alice.recoveryCodes[0] };
    const refused = await finish(await asStranger(alice), right, stranger());
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // From the network of their registration.
    expect((await finish(await challengeFor(alice), right)).status).toBe(200);
  });

  it('wrong answers to challenges count within a session as well, when an app is enrolled or removed', async () => {
    const { client, secret } = await enrolled();
    const remove = (proof: object) => client.delete('/auth/totp', proof);
    for (let tried = 0; tried < 10; tried++) expect(codeOf(await remove(WRONG_RECOVERY_CODE))).toBe(WRONG);
    expect((await remove({ code: codeFor(secret, 1) })).status).toBe(429);
  });
});
