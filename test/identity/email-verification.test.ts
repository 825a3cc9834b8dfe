import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Users } from '../../src/identity/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Mailbox, type ReceivedLetter, tokenIn } from '../support/mailbox.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withMailbox } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const emailOf = ({ name }: TestUser): string => `${name}@example.org`;

describe('/auth/email/verify (rule 1.21)', () => {
  let mailbox: Mailbox;
  let world: World;
  let user: TestUser;
  let clock: ReturnType<typeof holdClock>;
  withMailbox((met) => ({ world, mailbox } = met));
  beforeEach(async () => {
    clock = holdClock(world);
    user = await world.user();
  });
  afterEach(() => letClockRun(world));

  const verify = (token: string) => world.api.post('/auth/email/verify', { token });
  const isVerified = async (): Promise<boolean> => (await user.get('/auth/me')).body.email_verified;
  const letters = () => mailbox.of(world, emailOf(user));
  const newestToken = async (): Promise<string> =>
    tokenIn((await mailbox.of(world, emailOf(user), 'verify')).at(-1) as ReceivedLetter, 'verify');
  const codeOf = ({ status, body }: { status: number; body?: { error?: { code: string } } }): string =>
    `${status} ${body?.error?.code ?? ''}`.trim();

  it('a registration sends one letter, whose link verifies the address and allows password resets', async () => {
    expect(await isVerified()).toBe(false);
    const sent = await letters();
    expect(sent.map(({ to }) => to)).toEqual([[emailOf(user)]]);
    expect(sent[0]?.headers.subject).toBe('Confirm your e-mail address');
    const answer = await verify(tokenIn(sent[0] as ReceivedLetter, 'verify'));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await isVerified()).toBe(true);
    await world.api.post('/auth/password/reset-request', { email: emailOf(user) });
    expect(await letters()).toHaveLength(1);
  });

  it('letters contain no text that the registering caller could choose', async () => {
    const chosen = await world.user('visit.evil.example');
    const [letter] = await mailbox.of(world, emailOf(chosen));
    expect(letter?.text).not.toContain('evil');
    expect(letter?.headers.subject).not.toContain('evil');
  });

  it('a refused registration sends no letter', async () => {
    await letters();
    const again = { email: emailOf(user), username: 'another', password: PASSWORD };
    expect(codeOf(await world.api.post('/auth/register', again))).toBe('409 EMAIL_EXISTS');
    expect(await letters()).toEqual([]);
  });

  it('a verification link is accepted once, also in concurrent requests', async () => {
    const token = await newestToken();
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(token)));
    expect(answers.map(codeOf).sort()).toEqual(['204', ...Array<string>(3).fill('400 INVALID_LINK')]);
    expect(codeOf(await verify(token))).toBe('400 INVALID_LINK');
  });

  it('a verification link is valid for a day', async () => {
    const token = await newestToken();
    clock.advance(24 * 3600);
    expect(codeOf(await verify(token))).toBe('400 INVALID_LINK');
    clock.advance(-1);
    expect(codeOf(await verify(token))).toBe('204');
  });

  it('only the link of the newest letter is accepted', async () => {
    const first = await newestToken();
    const asked = await user.post('/auth/email/verification');
    expect([asked.status, Object.keys(asked.body)]).toEqual([202, ['message']]);
    const second = await newestToken();
    expect(codeOf(await verify(first))).toBe('400 INVALID_LINK');
    expect(codeOf(await verify(second))).toBe('204');
  });

  it('verification is requested by the user alone, and not once it is done', async () => {
    expect((await world.api.post('/auth/email/verification')).status).toBe(401);
    const app = await user.lets(await world.app());
    expect((await app.post('/auth/email/verification')).status).toBe(403);
    await verify(await newestToken());
    expect(codeOf(await user.post('/auth/email/verification'))).toBe('409 INVALID_STATE_TRANSITION');
  });

  it('a waiting letter is not sent once the operator has verified the address', async () => {
    await world.nest.get(Users).verifyEmail(user.id);
    expect(await letters()).toEqual([]);
  });

  it('links have one purpose: a verification link resets nothing, and a reset link verifies nothing', async () => {
    const token = await newestToken();
    const reset = { token, new_password: 'an entirely new password' };
    expect(codeOf(await world.api.post('/auth/password/reset', reset))).toBe('400 INVALID_LINK');
    await verify(token);
    await world.api.post('/auth/password/reset-request', { email: emailOf(user) });
    const [letter] = await letters();
    const other = tokenIn(letter as ReceivedLetter, 'reset');
    expect(codeOf(await verify(other))).toBe('400 INVALID_LINK');
    expect((await world.api.post('/auth/password/reset', { ...reset, token: other })).status).toBe(204);
  });

  it('forged verification tokens are refused with the same 400', async () => {
    const answers = await Promise.all(['', 'pig_mail_x', '\u202e\u0000', 'x'.repeat(200)].map(verify));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(await isVerified()).toBe(false);
  });

  it('letters and links are deleted with the account', async () => {
    const token = await newestToken();
    await user.post('/auth/email/verification');
    await user.delete('/auth/me', { password: PASSWORD });
    expect(codeOf(await verify(token))).toBe('400 INVALID_LINK');
    expect(await mailbox.of(world, emailOf(user), 'verify')).toEqual([]);
  });
});

describe('limits', () => {
  it('the limit of verification letters is five an hour for a user, who is told, and ten for an address across all of its accounts', async () => {
    const mailbox = await Mailbox.start();
    const world = await World.startHere({ ...mailbox.settings, RATE_LIMITS: 'on' });
    try {
      // Counters in Redis outlive a run of the tests.
      const name = `verify${randomBytes(8).toString('hex')}`;
      let sent = 0;
      for (let account = 0; account < 3; account++) {
        const user = await world.user(name);
        for (let number = 0; number < 5; number++)
          expect((await user.post('/auth/email/verification')).status).toBe(202);
        const refused = await user.post('/auth/email/verification');
        expect(refused.status).toBe(429);
        expect(refused.body.retry_after).toBeGreaterThan(3500);
        sent += (await mailbox.of(world, `${name}@example.org`, 'verify')).length;
        await user.delete('/auth/me', { password: PASSWORD });
      }
      expect(sent).toBe(10);
    } finally {
      await world.stop();
      await mailbox.goDown();
    }
  });
});

describe('letters that strangers cause', () => {
  it('changes of other accounts to an address use up none of its own verification letters', async () => {
    const mailbox = await Mailbox.start();
    const world = await World.startHere({ ...mailbox.settings, RATE_LIMITS: 'on' });
    try {
      const name = `wanted${randomBytes(8).toString('hex')}`;
      const email = `${name}@example.org`;
      const changes = async (count: number): Promise<number[]> => {
        const stranger = await world.user();
        const ask = () => stranger.post('/auth/email', { email, password: PASSWORD });
        return (await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status);
      };
      for (const count of [5, 5, 1]) expect(await changes(count)).toEqual(Array(count).fill(202));
      expect((await mailbox.of(world, email)).length).toBeLessThanOrEqual(10);
      const user = await world.user(name);
      expect(await changes(1)).toEqual([202]);
      for (let number = 0; number < 5; number++)
        expect((await user.post('/auth/email/verification')).status).toBe(202);
      const received = await mailbox.of(world, email);
      const subjects = received.map(({ headers }) => headers.subject);
      expect(subjects).toEqual(Array(6).fill('Confirm your e-mail address'));
      const token = tokenIn(received.at(-1) as ReceivedLetter, 'verify');
      expect((await world.api.post('/auth/email/verify', { token })).status).toBe(204);
    } finally {
      await world.stop();
      await mailbox.goDown();
    }
  });
});

describe('a service without a mail server', () => {
  it('reports in production that it sends no letters, and registers users without any', async () => {
    const world = await World.startHere({ NODE_ENV: 'production' });
    try {
      const user = await world.user();
      const { status, body } = await user.post('/auth/email/verification');
      expect([status, body.error.code]).toEqual([409, 'MAIL_NOT_CONFIGURED']);
      expect(await world.nest.get(Database).read(sql`SELECT FROM letters`)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});
