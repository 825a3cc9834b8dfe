import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { hashOfSecret } from '../../src/identity/domain/key-text.js';
import { RefreshTokens } from '../../src/identity/infrastructure/refresh-tokens.repository.js';
import { type Answer, type Client } from '../support/client.js';
import { holdClock } from '../support/moved-clock.js';
import { until } from '../support/until.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const MADE_UP = `pig_refresh_${'A'.repeat(43)}`;

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statusesOf = (answers: Answer[]): number[] => answers.map(({ status }) => status);

/** A person registered from a network; later ones of the same test are their neighbours. */
interface Resident {
  email: string;
  access: string;
  refresh: string;
}

describe('a network that strangers share with a person', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let network: Client;
  let networks = 0;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ RATE_LIMITS: 'on', TRUST_PROXY: '1', REDIS_URL: '' }),
  );
  /** A network of its own for each test, and windows that begin empty. */
  const otherNetwork = (): Client => world.api.with({ 'X-Forwarded-For': `198.19.0.${++networks}` });
  beforeEach(() => {
    clock = holdClock(world);
    network = otherNetwork();
  });

  let registered = 0;
  const register = async (from = network): Promise<Resident> => {
    const username = `resident-${++registered}`;
    const email = `${username}@example.org`;
    const { body } = await from.post('/auth/register', { email, username, password: PASSWORD });
    return { email, access: body.access_token, refresh: body.refresh_token };
  };
  const useUpMinute = async (): Promise<void> => {
    await times(60, () => network.get('/auth/me'));
    expect((await network.get('/auth/me')).status).toBe(429);
  };
  const useUpFailures = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) {
      // At most 60 requests a minute, and few at once: those that wait long for a hash are refused uncounted.
      if (turn % 5 === 0) clock.advance(60);
      const failed = await times(10, (i) =>
        network.post('/auth/login', { email: `no${turn * 10 + i}@example.org`, password: 'wrong' }),
      );
      expect(statusesOf(failed)).toEqual(Array(10).fill(401));
    }
    clock.advance(60);
    expect((await network.post('/auth/login', { email: 'no@example.org', password: 'wrong' })).status).toBe(
      429,
    );
  };
  const logIn = ({ email }: Resident, earlier_refresh_token: unknown, password = PASSWORD) =>
    network.post('/auth/login', { email, password, earlier_refresh_token });

  it('a known device logs in, refreshes and logs out when strangers have used up the minute of its network (rule 9.7g)', async () => {
    const alice = await register();
    await useUpMinute();
    const loggedIn = await logIn(alice, alice.refresh);
    expect(loggedIn.status).toBe(200);
    expect(loggedIn.headers['x-ratelimit-limit']).toBe('10');
    expect(loggedIn.headers['x-ratelimit-remaining']).toBe('9');
    const refreshed = await network.post('/auth/refresh', { refresh_token: loggedIn.body.refresh_token });
    expect(refreshed.status).toBe(200);
    const { refresh_token } = refreshed.body;
    expect((await network.post('/auth/logout', { refresh_token })).status).toBe(204);
    // The token has ended, and the device is still known.
    expect((await logIn(alice, refresh_token)).status).toBe(200);
  });

  it('the second step of a log-in passes when strangers have used up the minute of its network', async () => {
    const { refresh, access, email } = await register();
    const session = network.with({ Authorization: `Bearer ${access}` });
    const { secret } = (await session.post('/auth/totp')).body;
    const code = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({
        timestamp: clock.now.getTime() + steps * 30_000,
      });
    expect((await session.post('/auth/totp/confirm', { code: code(0) })).status).toBe(200);
    await useUpMinute();
    const asked = await logIn({ email, refresh, access }, refresh);
    expect([asked.status, asked.body.error.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    const { challenge } = asked.body.error.details;
    const finish = (text: string) =>
      network.post('/auth/login/second-factor', { challenge: text, code: code(1) });
    expect((await finish(`pig_challenge_${'A'.repeat(43)}`)).status).toBe(429);
    expect((await finish(challenge)).status).toBe(200);
    expect((await finish(challenge)).status).toBe(429);
  });

  it('requests with a token of a person beyond the minute of their network are ten a minute, over all devices', async () => {
    const [alice, bob] = [await register(), await register()];
    const second = (await logIn(alice, undefined)).body.refresh_token as string;
    await useUpMinute();
    const answers = await times(24, (i) => logIn(alice, i % 2 ? alice.refresh : second, 'wrong password'));
    expect(statusesOf(answers).filter((status) => status === 401)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(Object.keys(refused?.body ?? {}).sort()).toEqual(['error', 'retry_after']);
    expect((await logIn(bob, bob.refresh)).status).toBe(200);
    const elsewhere = await otherNetwork().post('/auth/refresh', { refresh_token: second });
    expect(elsewhere.status).toBe(200);
    clock.advance(60);
    expect((await logIn(alice, elsewhere.body.refresh_token)).status).toBe(200);
  });

  it('made-up tokens, other bodies and other endpoints get the refusal of the network, and only tokens are looked up', async () => {
    const alice = await register();
    await useUpMinute();
    const lookUps = jest.spyOn(world.nest.get(RefreshTokens), 'find');
    try {
      const bodies = [undefined, 5, 'short', [alice.refresh], { token: alice.refresh }, `${alice.refresh}x`];
      for (const body of bodies) expect((await logIn(alice, body)).status).toBe(429);
      const texts = [
        '{',
        '[]',
        'null',
        JSON.stringify({ refresh_token: alice.refresh, pad: 'x'.repeat(5000) }),
      ];
      for (const text of texts) expect((await network.post('/auth/refresh', text)).status).toBe(429);
      const { refresh_token } = { refresh_token: alice.refresh };
      expect((await network.post('/auth/register', { refresh_token })).status).toBe(429);
      expect(lookUps).not.toHaveBeenCalled();
      expect(statusesOf(await times(20, () => logIn(alice, MADE_UP)))).toEqual(Array(20).fill(429));
      expect(lookUps).toHaveBeenCalledTimes(20);
    } finally {
      lookUps.mockRestore();
    }
    expect((await network.post('/auth/refresh', { refresh_token: alice.refresh })).status).toBe(200);
  });

  it('a known device refreshes while the look-ups of made-up tokens of its network are waiting', async () => {
    const alice = await register();
    await useUpMinute();
    const tokens = world.nest.get(RefreshTokens);
    const find = tokens.find.bind(tokens);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const known = hashOfSecret(alice.refresh);
    const lookUps = jest.spyOn(tokens, 'find').mockImplementation(async (hash) => {
      if (hash !== known) await released;
      return find(hash);
    });
    try {
      const strangers = times(20, () => network.post('/auth/refresh', { refresh_token: MADE_UP }));
      await until(() => lookUps.mock.calls.length > 0, 'the first made-up token is looked up');
      const { refresh_token } = { refresh_token: alice.refresh };
      expect((await network.post('/auth/refresh', { refresh_token })).status).toBe(200);
      release();
      expect(statusesOf(await strangers)).toEqual(Array(20).fill(429));
    } finally {
      lookUps.mockRestore();
    }
  });

  it('a known device logs in after a hundred failures of its network, and has ten failures of its own (rule 1.2e)', async () => {
    const [alice, bob] = [await register(), await register()];
    await useUpFailures();
    expect((await logIn(alice, undefined)).status).toBe(429);
    expect((await logIn(alice, MADE_UP)).status).toBe(429);
    expect((await logIn(alice, bob.refresh)).status).toBe(429);
    expect((await logIn(alice, alice.refresh)).status).toBe(200);
    const guesses = await times(12, () => logIn(alice, alice.refresh, 'wrong password'));
    expect(statusesOf(guesses).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await logIn(alice, alice.refresh)).status).toBe(429);
  });

  it.each<[string, (session: Client, password: string) => Promise<Answer>]>([
    ['proves identity', (session, password) => session.post('/auth/reauthenticate', { password })],
    [
      'changes the password',
      (session, current_password) =>
        session.post('/auth/password', { current_password, new_password: 'a new password' }),
    ],
  ])(
    'a session %s after a hundred failures of its network, and has ten guesses over all networks (rule 1.2f)',
    async (_, prove) => {
      const { access } = await register();
      const [stolen] = [await register()];
      await useUpFailures();
      const within = (token: string, from = network) => from.with({ Authorization: `Bearer ${token}` });
      expect((await prove(within(access), PASSWORD)).status).toBeLessThan(300);
      const guesses = await times(12, (i) =>
        prove(within(stolen.access, i % 2 ? network : otherNetwork()), 'wrong password'),
      );
      expect(statusesOf(guesses).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    },
  );
});
