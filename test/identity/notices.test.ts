import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { resetPassword } from '../../src/cli/reset-password.js';
import { Users } from '../../src/identity/index.js';
import { LetterRows } from '../../src/kernel/mail/letters.repository.js';
import { LetterWorker } from '../../src/kernel/mail/letter-worker.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Authenticator } from '../support/authenticator.js';
import { Mailbox, type ReceivedLetter } from '../support/mailbox.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withMailbox } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const NEW = 'an entirely new password';
const HOME = { 'X-Forwarded-For': '198.51.100.7' };
const AWAY = { 'X-Forwarded-For': '203.0.113.77' };
const asked = { tags: { discover: true, read: true } };
const emailOf = ({ name }: TestUser): string => `${name}@example.org`;
const subjectsOf = (letters: ReceivedLetter[]): (string | undefined)[] =>
  letters.map(({ headers }) => headers.subject);

let mailbox: Mailbox;
let world: World;
let user: TestUser;
let clock: ReturnType<typeof holdClock>;

/** A user with a verified address; their earlier letters are removed. */
async function verified(name?: string): Promise<TestUser> {
  const made = await world.user(name);
  await world.nest.get(Users).verifyEmail(made.id);
  return made;
}
const logIn = (headers: Record<string, string>, more: object = {}, password = PASSWORD) =>
  world.api.with(headers).post('/auth/login', { email: emailOf(user), password, ...more });
const letters = () => mailbox.of(world, emailOf(user));

async function approvalOf(name = 'Note reader') {
  const { body: app } = await user.post('/apps', { name, requested_permissions: asked });
  const profile = { template: 'transparent', name: `for ${name} ${world.number()}` };
  const { body } = await user.post('/exposure-profiles/from-template', profile);
  return { app, approval: { app_id: app.id, exposure_profile_id: body.id } };
}
async function enrol(): Promise<{ secret: string; codes: string[] }> {
  const { secret } = (await user.post('/auth/totp')).body;
  const { body } = await user.post('/auth/totp/confirm', { code: codeFor(secret) });
  return { secret, codes: body.recovery_codes };
}
const codeFor = (secret: string): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now.getTime() });
async function secondStep(headers: Record<string, string>, proof: object) {
  const { challenge } = (await logIn(headers)).body.error.details;
  return world.api.with(headers).post('/auth/login/second-factor', { challenge, ...proof });
}

describe('letters (rule 1.22)', () => {
  withMailbox((met) => ({ world, mailbox } = met), { TRUST_PROXY: '1' });
  beforeEach(async () => {
    clock = holdClock(world);
    user = await verified();
    await letters();
  });
  afterEach(() => letClockRun(world));

  async function addPasskey(device = new Authenticator('https://graph.example')) {
    const { public_key } = (await user.post('/auth/passkeys/options')).body;
    return user.post('/auth/passkeys', { name: 'phone', credential: device.create(public_key) });
  }

  const EVENTS: [string, string, () => Promise<{ status: number }>][] = [
    ['a log-in from elsewhere', 'New log-in to your account', () => logIn(AWAY)],
    ['an export', 'Your account was exported', () => user.get('/export')],
    [
      'a new password',
      'Your password was changed',
      () => user.post('/auth/password', { current_password: PASSWORD, new_password: NEW }),
    ],
    ['an erasure', 'Your account was erased', () => user.delete('/auth/me', { password: PASSWORD })],
    [
      'an app that is let in',
      'An app was authorized to use your account',
      async () => user.post('/authorizations', (await approvalOf()).approval),
    ],
    [
      'a key',
      'A key was made for an app of yours',
      async () => user.post(`/apps/${(await approvalOf()).app.id}/keys`, {}),
    ],
    [
      'an authenticator app',
      'A second factor was added to your account',
      async () => ({ status: (await enrol()).codes.length === 10 ? 200 : 500 }),
    ],
  ];

  const PASSKEY_EVENTS: typeof EVENTS = [['a passkey', 'A passkey was added to your account', addPasskey]];

  it.each([...EVENTS, ...PASSKEY_EVENTS])('%s sends one notice: %s', async (_, subject, act) => {
    const { status } = await act();
    expect(status).toBeLessThan(300);
    const received = await letters();
    expect(subjectsOf(received)).toEqual([subject]);
    const [{ text }] = received as [ReceivedLetter];
    expect(text).toContain(`When: ${clock.now.toISOString().slice(0, 16).replace('T', ' ')} UTC`);
    expect(text).toContain('If it was not you');
    expect(text.match(/https?:\/\/\S+/g)).toEqual(['https://graph.example']);
  });

  it.each([...EVENTS, ...PASSKEY_EVENTS])(
    '%s does not happen if its notice cannot be stored',
    async (what, _, act) => {
      const insert = jest.spyOn(world.nest.get(LetterRows), 'insert').mockRejectedValue(new Error('planted'));
      const outcome = await act()
        .then(({ status }) => status)
        .catch(() => 500);
      insert.mockRestore();
      expect(outcome).toBe(500);
      const me = await user.get('/auth/me');
      expect(me.body.second_factor).toEqual({ totp: false, recovery_codes_left: 0 });
      expect((await user.get('/authorizations')).body.total).toBe(0);
      expect((await user.get('/auth/passkeys')).body.total).toBe(0);
      for (const { id } of (await user.get('/apps')).body.apps)
        expect((await user.get(`/apps/${id}/keys`)).body.total).toBe(1);
      if (what.includes('log-in')) expect((await user.get('/auth/sessions')).body.total).toBe(1);
      expect((await logIn({})).status).toBe(200);
      expect(await letters()).toEqual([]);
    },
  );

  it('refused requests send no notice', async () => {
    const { approval } = await approvalOf();
    const strangers = world.api;
    const answers = [
      await logIn(AWAY, {}, 'a wrong password'),
      await strangers.get('/export'),
      await user.post('/auth/password', { current_password: 'wrong one', new_password: NEW }),
      await user.post('/auth/password', { current_password: PASSWORD, new_password: 'iloveyou' }),
      await user.delete('/auth/me', { password: 'wrong one' }),
      await user.post('/authorizations', { ...approval, request_version: 'another' }),
      await user.post('/auth/totp/confirm', { code: '000000' }),
      await user.delete('/auth/totp', { code: '000000' }),
    ];
    expect(answers.filter(({ status }) => status < 400)).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  it('a log-in from a known network or on a known device sends no notice', async () => {
    const first = await logIn(HOME);
    expect(await letters()).toHaveLength(1);
    await logIn(HOME);
    await logIn(AWAY, { earlier_refresh_token: first.body.refresh_token });
    await world.api.with(AWAY).post('/auth/refresh', { refresh_token: first.body.refresh_token });
    expect(await letters()).toEqual([]);
  });

  it('the notice of a log-in names its coarse network, and nothing that the client sends', async () => {
    await logIn({ ...AWAY, 'User-Agent': 'Visit evil.example' });
    const [letter] = await letters();
    expect(letter?.text).toContain('did not know:\n203.0.113.0/24\n');
    expect(letter?.text).not.toContain('evil');
  });

  it('a notice does not quote a forged address of the caller', async () => {
    await logIn({ 'X-Forwarded-For': 'visit evil.example' });
    const [letter] = await letters();
    expect(letter?.text).toContain('did not know.\n');
  });

  it('a log-in with a second factor is reported once, after its second step', async () => {
    const { secret } = await enrol();
    await letters();
    clock.advance(30);
    await logIn(AWAY);
    expect(await letters()).toEqual([]);
    expect((await secondStep(AWAY, { code: codeFor(secret) })).status).toBe(200);
    expect(subjectsOf(await letters())).toEqual(['New log-in to your account']);
    clock.advance(30);
    expect((await secondStep(AWAY, { code: codeFor(secret) })).status).toBe(200);
    expect(await letters()).toEqual([]);
  });

  it('a used recovery code is reported in one letter with the number of those left, wherever it was used', async () => {
    const { codes } = await enrol();
    await letters();
    expect((await secondStep(AWAY, { recovery_code: codes[0] })).status).toBe(200);
    const received = await letters();
    expect(subjectsOf(received)).toEqual(['A recovery code was used']);
    expect(received[0]?.text).toContain('left:\n9\n');
    const proved = await user.post('/auth/reauthenticate', { password: PASSWORD });
    const { challenge } = proved.body.error.details;
    await user.post('/auth/reauthenticate/second-factor', { challenge, recovery_code: codes[1] });
    expect(subjectsOf(await letters())).toEqual(['A recovery code was used']);
  });

  it('the end of a passkey and a log-in with one from elsewhere are each reported once', async () => {
    const device = new Authenticator('https://graph.example');
    const { body: passkey } = await addPasskey(device);
    await letters();
    const logInFrom = async (headers: Record<string, string>) => {
      const api = world.api.with(headers);
      const { public_key } = (await api.post('/auth/login/passkey/options')).body;
      return (await api.post('/auth/login/passkey', { credential: device.get(public_key) })).status;
    };
    expect(await logInFrom({})).toBe(200);
    expect(await letters()).toEqual([]);
    expect(await logInFrom(AWAY)).toBe(200);
    const [told, ...others] = await letters();
    expect([told?.headers.subject, others]).toEqual(['New log-in to your account', []]);
    expect(told?.text).toContain('203.0.113.0/24');
    expect((await user.delete(`/auth/passkeys/${passkey.id}`)).status).toBe(204);
    expect(subjectsOf(await letters())).toEqual(['A passkey of your account was removed']);
  });

  it('a passkey whose counter goes back is reported as perhaps copied, and not as a log-in (rule 1.23e)', async () => {
    const device = new Authenticator('https://graph.example');
    await addPasskey(device);
    await letters();
    const logInAt = async (counter: number) => {
      const { public_key } = (await world.api.post('/auth/login/passkey/options')).body;
      const credential = device.get(public_key, { counter });
      return (await world.api.post('/auth/login/passkey', { credential })).status;
    };
    expect([await logInAt(7), await logInAt(7)]).toEqual([200, 401]);
    expect(subjectsOf(await letters())).toEqual(['A passkey of yours may have been copied']);
  });

  it('new recovery codes and the end of the second factor are each reported once', async () => {
    const { codes } = await enrol();
    const { body } = await user.post('/auth/recovery-codes');
    expect((await user.delete('/auth/totp', { recovery_code: codes[0] })).status).toBe(401);
    expect((await user.delete('/auth/totp', { recovery_code: body.recovery_codes[0] })).status).toBe(204);
    expect(subjectsOf(await letters()).sort()).toEqual([
      'A second factor was added to your account',
      'The second factor of your account was removed',
      'Your recovery codes were replaced',
    ]);
  });

  it('a new password set by a link or by the operator is reported', async () => {
    await world.api.post('/auth/password/reset-request', { email: emailOf(user) });
    const [letter] = await letters();
    const [, token] = /#reset=(\S+)/.exec(letter?.text ?? '') ?? [];
    await world.api.post('/auth/password/reset', { token, new_password: NEW });
    const [told] = await letters();
    expect(told?.headers.subject).toBe('Your password was reset');
    expect(told?.text).toContain('removed every passkey');
    await resetPassword(world.nest, { name: user.name, isGiven: false, removesSecondFactors: false });
    expect(subjectsOf(await letters())).toEqual(['Your password was reset']);
  });

  it('each change and the end of an authorization send one notice with the name of the app, once', async () => {
    const { approval } = await approvalOf();
    const { body } = await user.post('/authorizations', approval);
    await letters();
    const expires_at = new Date(clock.now.getTime() + 3_600_000).toISOString();
    for (const round of [1, 2]) {
      expect((await user.patch(`/authorizations/${body.id}`, { expires_at })).status).toBe(200);
      const received = await letters();
      expect([round, subjectsOf(received)]).toEqual([
        round,
        round === 1 ? ['The permissions of an app were changed'] : [],
      ]);
      if (round === 1) expect(received[0]?.text).toContain(':\nNote reader\n');
    }
    for (const round of [1, 2]) {
      expect((await user.delete(`/authorizations/${body.id}`)).status).toBe(200);
      const received = await letters();
      expect([round, subjectsOf(received)]).toEqual([
        round,
        round === 1 ? ['An app can no longer use your account'] : [],
      ]);
      if (round === 1) expect(received[0]?.text).toContain(':\nNote reader\n');
    }
  });

  it('the name of an app has a line of its own in a notice, whatever it is', async () => {
    const { approval } = await approvalOf('Win at https://evil.example/now <b>');
    await user.post('/authorizations', approval);
    const [letter] = await letters();
    expect(letter?.text).toContain('use your account:\nWin at https···evil·example·now ·b·\n\n');
    await user.post('/authorizations', approval);
    expect(subjectsOf(await letters())).toEqual(['An app was authorized to use your account']);
  });

  it('a notice goes to the address that the account had at the time', async () => {
    await logIn(AWAY);
    await world.nest.get(Users).write(user.id, { email: 'x@example.org', emailKey: 'x@example.org' });
    expect(await letters()).toHaveLength(1);
  });

  it('a notice to an address that is not verified contains no names', async () => {
    user = await world.user();
    await letters();
    await user.post('/authorizations', (await approvalOf('Note reader')).approval);
    await logIn(AWAY);
    const received = await letters();
    expect(received).toHaveLength(2);
    for (const { text } of received) {
      expect(text).not.toMatch(/Note reader|203\.0/);
      expect(text).toContain('If you know of no such account');
    }
  });

  it('notices of an erased account are deleted except the one about its end, and that one once it is sent', async () => {
    await logIn(AWAY);
    await user.get('/export');
    await user.delete('/auth/me', { password: PASSWORD });
    const rows = () => world.nest.get(Database).read(sql`SELECT user_id FROM letters`);
    expect(await rows()).toEqual([{ user_id: null }]);
    expect(subjectsOf(await letters())).toEqual(['Your account was erased']);
    expect(await rows()).toEqual([]);
  });
});

describe('limits', () => {
  it('the limit of notices is five a day of each kind, and of all kinds together to an address that is not verified', async () => {
    mailbox = await Mailbox.start();
    world = await World.startHere({ ...mailbox.settings, RATE_LIMITS: 'on', TRUST_PROXY: '1' });
    try {
      // Counters in Redis outlive a run of the tests.
      const name = randomBytes(8).toString('hex');
      user = await verified(`known${name}`);
      await letters();
      await exportsAndLogIns();
      const subjects = subjectsOf(await letters());
      expect(subjects.filter((one) => one === 'Your account was exported')).toHaveLength(5);
      expect(subjects.filter((one) => one === 'New log-in to your account')).toHaveLength(5);
      user = await world.user(`stray${name}`);
      await letters();
      await exportsAndLogIns();
      expect(await letters()).toHaveLength(5);
    } finally {
      await world.stop();
      await mailbox.goDown();
    }
  });

  async function exportsAndLogIns(): Promise<void> {
    for (let number = 0; number < 7; number++) {
      expect((await user.get('/export')).status).toBe(200);
      expect((await logIn({ 'X-Forwarded-For': `203.0.113.${number + 1}` })).status).toBe(200);
    }
    await world.nest.get(LetterWorker).look();
  }
});

describe('a service without a mail server', () => {
  it('stores no notices in production', async () => {
    world = await World.startHere({ NODE_ENV: 'production', TRUST_PROXY: '1' });
    try {
      user = await world.user();
      expect((await logIn(AWAY)).status).toBe(200);
      expect((await user.get('/export')).status).toBe(200);
      expect(await world.nest.get(Database).read(sql`SELECT FROM letters`)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});
