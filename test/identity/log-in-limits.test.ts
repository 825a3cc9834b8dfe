import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../src/kernel/clock.js';
import { EncryptionKey } from '../../src/kernel/secrets/encryption-key.js';
import { type Answer, type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { holdClock } from '../support/moved-clock.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';

/** Sends requests in batches of the general limit of an address, one batch a minute. */
async function overMinutes(world: World, count: number, send: (index: number) => Promise<Answer>) {
  const clock = holdClock(world);
  const answers: Answer[] = [];
  while (answers.length < count) {
    const batch = Math.min(60, count - answers.length);
    answers.push(...(await Promise.all(Array.from({ length: batch }, (_, i) => send(answers.length + i)))));
    clock.advance(60);
  }
  return answers;
}

/** Windows are not emptied between tests, so each test counts on accounts of its own; addresses get a world. */
describe('POST /auth/login (rule 1.2)', () => {
  let world: World;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ RATE_LIMITS: 'on', TRUST_PROXY: '1', REDIS_URL: '' }),
  );
  afterEach(() => {
    jest.restoreAllMocks();
  });
  // Each request from an address of its own: the general limit of an address is another test's (rule 9.7).
  let sent = 0;
  const stranger = () => world.api.with({ 'X-Forwarded-For': `2001:db8:${(++sent).toString(16)}::1` });
  const logIn = (email: string, password = 'wrong password') =>
    stranger().post('/auth/login', { email, password });
  const statuses = async (count: number, email: string) =>
    (await Promise.all(Array.from({ length: count }, () => logIn(email)))).map(({ status }) => status);

  it('limits on failed log-ins allow strangers ten concurrent guesses at an account, and then refuse even the right password', async () => {
    await world.user('guessed');
    const answers = await statuses(25, 'guessed@example.org');
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
    const refused = await logIn('Guessed@example.org', PASSWORD);
    expect(refused.status).toBe(429);
    expect(Object.keys(refused.body).sort()).toEqual(['error', 'retry_after']);
    expect(typeof refused.body.error).toBe('string');
    expect(refused.body.retry_after).toBeGreaterThanOrEqual(1);
    expect(refused.body.retry_after).toBeLessThanOrEqual(80);
    expect(refused.headers['retry-after']).toBe(String(refused.body.retry_after));
  });

  it('limits on failed log-ins make strangers wait twice as long after each further failure, and end with a success', async () => {
    await world.user('patient');
    let moment = Date.now();
    // The counters' clock is the machine's, which the service has from a realm of its own.
    const machine = world.nest.get(Clock).now().constructor as DateConstructor;
    jest.spyOn(machine, 'now').mockImplementation(() => moment);
    const pass = (seconds: number): unknown => (moment += seconds * 1000);
    for (const status of await statuses(10, 'patient@example.org')) expect(status).toBe(401);
    for (const wait of [5, 10, 20, 40]) {
      const refused = await logIn('patient@example.org', PASSWORD);
      expect(refused.status).toBe(429);
      expect(refused.body.retry_after).toBe(wait);
      pass(wait - 1);
      expect((await logIn('patient@example.org', PASSWORD)).status).toBe(429);
      pass(2);
      if (wait < 40) expect((await logIn('patient@example.org')).status).toBe(401);
    }
    expect((await logIn('patient@example.org', PASSWORD)).status).toBe(200);
    expect((await logIn('patient@example.org')).status).toBe(401);
    expect((await logIn('patient@example.org', PASSWORD)).status).toBe(200);
  });

  it('limits on failed log-ins do not lock out a user who logs in from a known network', async () => {
    const home = world.api.with({ 'X-Forwarded-For': '2001:db8:ffff:1::7' });
    const account = { email: 'homely@example.org', password: PASSWORD };
    const registered = await home.post('/auth/register', { ...account, username: 'homely' });
    expect(registered.status).toBe(201);
    expect(new Set(await statuses(25, account.email))).toEqual(new Set([401, 429]));
    expect((await logIn(account.email, PASSWORD)).status).toBe(429);
    expect((await home.post('/auth/login', account)).status).toBe(200);
    const neighbour = world.api.with({ 'X-Forwarded-For': '2001:db8:ffff:1:2::9' });
    expect((await neighbour.post('/auth/login', account)).status).toBe(200);
  });

  it('limits on failed log-ins do not lock out a user on a known device, in any network', async () => {
    const account = { email: 'mobile@example.org', password: PASSWORD };
    const { body } = await stranger().post('/auth/register', { ...account, username: 'mobile' });
    const earlier_refresh_token = body.refresh_token as string;
    const other = (
      await stranger().post('/auth/register', {
        email: 'other@example.org',
        username: 'other-one',
        password: PASSWORD,
      })
    ).body;
    await stranger().post('/auth/logout', { refresh_token: earlier_refresh_token });
    expect(new Set(await statuses(25, account.email))).toEqual(new Set([401, 429]));
    const withToken = (token: string, password = PASSWORD) =>
      stranger().post('/auth/login', { ...account, password, earlier_refresh_token: token });
    expect((await withToken(other.refresh_token)).status).toBe(429);
    expect((await withToken('pig_refresh_made_up')).status).toBe(429);
    expect((await withToken(earlier_refresh_token)).status).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => withToken(earlier_refresh_token, 'wrong password')),
    );
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it('limits on failed log-ins apply equally to accounts that do not exist', async () => {
    const answers = await statuses(12, 'nobody@example.org');
    expect(answers.filter((status) => status === 429)).toHaveLength(2);
  });

  it('failed log-ins to made-up addresses share counters, which accounts neither use nor lose (rule 1.2h)', async () => {
    for (const name of ['waiting', 'untouched']) await world.user(name);
    expect(await statuses(12, 'waiting@example.org')).toContain(429);
    // All made-up addresses share one counter: otherwise the test would need as many as there are counters.
    const secret = world.nest.get(EncryptionKey);
    const digest = secret.digest.bind(secret);
    jest
      .spyOn(secret, 'digest')
      .mockImplementation((purpose, text) =>
        purpose === 'failed log-ins' ? 'one-for-all' : digest(purpose, text),
      );
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, i) => logIn(`made.up.${i}@example.org`)),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect((await logIn('untouched@example.org')).status).toBe(401);
    expect((await logIn('untouched@example.org', PASSWORD)).status).toBe(200);
    expect((await logIn('waiting@example.org', PASSWORD)).status).toBe(429);
  });

  it('limits on failed log-ins do not count right passwords, including many at once', async () => {
    await world.user('busy');
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => logIn('busy@example.org', PASSWORD)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    }
  });

  it('limits on failed log-ins apply to the current password of a password change, apart from log-ins', async () => {
    const user = await world.user('changing');
    const change = (current_password: string) =>
      user.post('/auth/password', { current_password, new_password: 'a new password' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => change('wrong password')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await logIn('changing@example.org', PASSWORD)).status).toBe(200);
  });

  it.each<[string, (session: Client, password: string) => Promise<Answer>]>([
    ['a proof of identity', (session, password) => session.post('/auth/reauthenticate', { password })],
    [
      'a change of the password',
      (session, current_password) =>
        session.post('/auth/password', { current_password, new_password: 'a new password' }),
    ],
    ['an erasure', (session, password) => session.send('DELETE', '/auth/me', { password })],
  ])(
    'limits on failed log-ins hold for the password of %s in one session over all networks, and leave other sessions alone (rule 1.2f)',
    async (what, prove) => {
      const name = `thief of ${what}`.replaceAll(' ', '-');
      const { body } = await stranger().post('/auth/register', {
        email: `${name}@example.org`,
        username: name,
        password: PASSWORD,
      });
      const other = (await logIn(`${name}@example.org`, PASSWORD)).body;
      const session = (token: string): Client => stranger().with({ Authorization: `Bearer ${token}` });
      const guess = () => prove(session(body.access_token), 'wrong password');
      const guesses: Answer[] = [];
      for (let tried = 0; tried < 12; tried++) guesses.push(await guess());
      expect(guesses.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 10 }, () => 401),
        ...[429, 429],
      ]);
      expect((await prove(session(body.access_token), PASSWORD)).status).toBe(429);
      expect((await prove(session(other.access_token), PASSWORD)).status).toBeLessThan(300);
    },
  );

  it('limits on failed log-ins make no request wait while it holds a connection: concurrent password changes, one of which succeeds', async () => {
    const user = await world.user('changer');
    const [current_password, new_password] = [PASSWORD, 'another correct horse'];
    const change = () => user.post('/auth/password', { current_password, new_password });
    const begun = Date.now();
    const changes = Array.from({ length: onPostgres ? 10 : 4 }, change);
    const others = Array.from({ length: 20 }, (_, i) => logIn(`stranger${i}@example.net`));
    const statuses = (await Promise.all(changes)).map(({ status }) => status).sort();
    expect(statuses).toEqual([204, ...Array.from(changes.slice(1), () => 401)]);
    expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect((await logIn('changer@example.org', new_password)).status).toBe(200);
  });

  it('limits on failed log-ins allow 100 failures of an address', async () => {
    const fresh = await World.startHere({ RATE_LIMITS: 'on', REDIS_URL: '' });
    try {
      const answers = await overMinutes(fresh, 130, (i) =>
        fresh.api.post('/auth/login', { email: `nobody${i}@example.org`, password: 'wrong password' }),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    } finally {
      await fresh.stop();
    }
  });

  it('an address without failures left is refused before its account and the password are looked at (rule 1.2g)', async () => {
    const fresh = await World.startHere({ RATE_LIMITS: 'on', TRUST_PROXY: '1', REDIS_URL: '' });
    const logInFrom = (address: string, email: string, password: string) =>
      fresh.api.with({ 'X-Forwarded-For': address }).post('/auth/login', { email, password });
    try {
      const { name } = await fresh.user();
      const email = `${name}@example.org`;
      await overMinutes(fresh, 100, (i) =>
        logInFrom('203.0.113.9', `nobody${i}@example.org`, 'wrong password'),
      );
      const refused = await overMinutes(fresh, 20, () => logInFrom('203.0.113.9', email, PASSWORD));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
      const elsewhere = Array.from({ length: 9 }, (_, i) =>
        logInFrom(`203.0.113.${10 + i}`, email, 'wrong password'),
      );
      expect((await Promise.all(elsewhere)).map(({ status }) => status)).toEqual(Array(9).fill(401));
      expect((await logInFrom('203.0.113.30', email, PASSWORD)).status).toBe(200);
      await Promise.all(Array.from({ length: 12 }, () => logInFrom('203.0.113.31', email, 'wrong password')));
      const [ofAccount, ofAddress] = [
        await logInFrom('203.0.113.32', email, PASSWORD),
        await logInFrom('203.0.113.9', email, PASSWORD),
      ];
      expect([ofAccount.status, ofAddress.status]).toEqual([429, 429]);
      expect(ofAccount.body.retry_after).toBeLessThanOrEqual(80);
      expect(ofAddress.body.retry_after).toBeGreaterThan(80);
    } finally {
      await fresh.stop();
    }
  });

  it('limits on failed log-ins count a network of IPv6 addresses, which belongs to one caller, as one', async () => {
    const fresh = await World.startHere({ RATE_LIMITS: 'on', TRUST_PROXY: '1', REDIS_URL: '' });
    try {
      const answers = await overMinutes(fresh, 101, (i) =>
        fresh.api
          .with({ 'X-Forwarded-For': `2001:db8:1:2::${(i + 1).toString(16)}` })
          .post('/auth/login', { email: `nobody${i}@example.org`, password: 'wrong password' }),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    } finally {
      await fresh.stop();
    }
  });

  it('limits on failed log-ins count the caller behind a trusted proxy, and the proxy itself if it is not trusted', async () => {
    const guess = (from: World, number: number, caller: string) =>
      from.api.post(
        '/auth/login',
        { email: `nobody${number}@example.org`, password: 'wrong password' },
        { headers: { 'X-Forwarded-For': `198.51.100.77, ${caller}` } },
      );
    const lastOf = async (environment: Record<string, string>) => {
      const fresh = await World.startHere({ RATE_LIMITS: 'on', REDIS_URL: '', ...environment });
      try {
        await overMinutes(fresh, 100, (i) => guess(fresh, i, '203.0.113.1'));
        const [same, other] = [
          await guess(fresh, 100, '203.0.113.1'),
          await guess(fresh, 101, '203.0.113.2'),
        ];
        return [same.status, other.status];
      } finally {
        await fresh.stop();
      }
    };
    expect(await lastOf({ TRUST_PROXY: '1' })).toEqual([429, 401]);
    expect(await lastOf({ TRUST_PROXY: 'loopback' })).toEqual([429, 401]);
    expect(await lastOf({})).toEqual([429, 429]);
  });

  it('limits on failed log-ins and on requests are off with RATE_LIMITS=off (rule 9.7e)', async () => {
    const free = await World.startHere({ RATE_LIMITS: 'off' });
    try {
      const answers = await Promise.all(
        Array.from({ length: 70 }, () =>
          free.api.post('/auth/login', { email: 'nobody@example.org', password: 'wrong password' }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      expect(answers[0]?.headers['x-ratelimit-limit']).toBeUndefined();
    } finally {
      await free.stop();
    }
  });
});
