import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { World } from '../support/world.js';

const PASSWORD = 'correct horse battery';

/** Windows are not emptied between tests, so each test counts on accounts of its own; addresses get a world. */
describe('limits on failed log-ins (decisions 1.2)', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ RATE_LIMITS: 'on' });
  });
  afterAll(() => world.stop());
  const logIn = (email: string, password = 'wrong password') =>
    world.api.post('/auth/login', { email, password });
  const statuses = async (count: number, email: string) =>
    (await Promise.all(Array.from({ length: count }, () => logIn(email)))).map(({ status }) => status);

  it('let ten guesses at an account through, however many come at once, and then not even the right one', async () => {
    await world.user('guessed');
    const answers = await statuses(25, 'guessed@example.org');
    expect(answers.filter((status) => status === 401)).toHaveLength(10);
    expect(answers.filter((status) => status === 429)).toHaveLength(15);
    const refused = await logIn('Guessed@example.org', PASSWORD);
    expect(refused.status).toBe(429);
    expect(Object.keys(refused.body).sort()).toEqual(['error', 'retry_after']);
    expect(typeof refused.body.error).toBe('string');
    expect(refused.body.retry_after).toBeGreaterThan(890);
    expect(refused.body.retry_after).toBeLessThanOrEqual(900);
    expect(refused.headers['retry-after']).toBe(String(refused.body.retry_after));
  });

  it('count accounts that do not exist the same way', async () => {
    const answers = await statuses(12, 'nobody@example.org');
    expect(answers.filter((status) => status === 429)).toHaveLength(2);
  });

  it('do not count right passwords, many at once included', async () => {
    await world.user('busy');
    const answers = await Promise.all(Array.from({ length: 20 }, () => logIn('busy@example.org', PASSWORD)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('hold for the current password of a password change, apart from log-ins', async () => {
    const user = await world.user('changing');
    const change = (current_password: string) =>
      user.post('/auth/password', { current_password, new_password: 'a new password' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => change('wrong password')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await logIn('changing@example.org', PASSWORD)).status).toBe(200);
  });

  it('let 100 failures of an address through', async () => {
    const fresh = await World.start({ RATE_LIMITS: 'on' });
    try {
      const answers = await Promise.all(
        Array.from({ length: 130 }, (_, i) =>
          fresh.api.post('/auth/login', { email: `nobody${i}@example.org`, password: 'wrong password' }),
        ),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(100);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    } finally {
      await fresh.stop();
    }
  });

  it('are off with RATE_LIMITS=off', async () => {
    const free = await World.start({ RATE_LIMITS: 'off' });
    try {
      const answers = await Promise.all(
        Array.from({ length: 15 }, () =>
          free.api.post('/auth/login', { email: 'nobody@example.org', password: 'wrong password' }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    } finally {
      await free.stop();
    }
  });
});
