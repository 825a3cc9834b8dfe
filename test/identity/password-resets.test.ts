import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { PasswordResets, Users } from '../../src/identity/index.js';
import { LetterWorker } from '../../src/kernel/mail/letter-worker.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Mailbox, type ReceivedLetter, tokenIn } from '../support/mailbox.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withMailbox } from '../support/worlds/with-world.js';

const OLD = 'correct horse battery';
const NEW = 'an entirely new password';
const emailOf = ({ name }: TestUser): string => `${name}@example.org`;

describe('/auth/password (rule 1.19)', () => {
  let mailbox: Mailbox;
  let world: World;
  let user: TestUser;
  let clock: ReturnType<typeof holdClock>;
  withMailbox((met) => ({ world, mailbox } = met));
  beforeEach(async () => {
    clock = holdClock(world);
    user = await verified();
    // Letters of the registrations before.
    await world.nest.get(LetterWorker).look();
    mailbox.received.length = 0;
  });
  afterEach(() => letClockRun(world));

  const verified = async (): Promise<TestUser> => {
    const made = await world.user();
    await world.nest.get(Users).verifyEmail(made.id);
    return made;
  };
  const request = (email: string) => world.api.post('/auth/password/reset-request', { email });
  const reset = (token: string, new_password = NEW) =>
    world.api.post('/auth/password/reset', { token, new_password });
  const logIn = (password: string) => world.api.post('/auth/login', { email: emailOf(user), password });
  const letters = () => mailbox.of(world, emailOf(user), 'reset');
  const requested = async (): Promise<string> => {
    await request(emailOf(user));
    const [letter] = await letters();
    return tokenIn(letter as ReceivedLetter, 'reset');
  };
  const codeOf = ({ status, body }: { status: number; body?: { error?: { code: string } } }): string =>
    `${status} ${body?.error?.code ?? ''}`.trim();
  const waiting = async (): Promise<number> => {
    const [row] = await world.nest.get(Database).read<{ n: number }>(sql`SELECT count(*) AS n FROM letters`);
    return row?.n ?? 0;
  };

  it('a reset link sets the password, which ends every log-in with the next request', async () => {
    const { body } = await logIn(OLD);
    const token = await requested();
    expect((await user.get('/auth/me')).status).toBe(200);
    const rows = sql`SELECT to_jsonb(t) AS row FROM mail_tokens t WHERE user_id = ${user.id}`;
    const stored = JSON.stringify(await world.nest.get(Database).read(rows));
    expect(stored).toContain('"purpose":"reset"');
    expect(stored).not.toContain(token);
    const answer = await reset(token);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await user.get('/auth/me')).status).toBe(401);
    expect((await world.api.post('/auth/refresh', { refresh_token: body.refresh_token })).status).toBe(401);
    expect((await logIn(OLD)).status).toBe(401);
    expect((await logIn(NEW)).status).toBe(200);
  });

  it('reset letters are plain text from MAIL_FROM, to the address of the account and with links to PUBLIC_URL alone', async () => {
    const email = emailOf(user).toUpperCase();
    await world.api.post(
      '/auth/password/reset-request',
      { email },
      { headers: { 'X-Forwarded-Host': 'evil.example' } },
    );
    const [letter] = await letters();
    expect(letter).toMatchObject({ from: 'no-reply@graph.example', to: [emailOf(user)] });
    expect(letter?.headers).toMatchObject({
      subject: 'Choose a new password',
      from: 'Graph <no-reply@graph.example>',
      'auto-submitted': 'auto-generated',
    });
    expect(letter?.headers['content-type']).toMatch(/^text\/plain/);
    expect(letter?.text.match(/https?:\/\/[^/]+/g)).toEqual(['https://graph.example']);
    expect(await waiting()).toBe(0);
  });

  it('requests for a reset are answered alike for every address, and only verified addresses of accounts receive a letter', async () => {
    const unverified = await world.user();
    await mailbox.of(world, emailOf(unverified));
    const answers = [];
    for (const email of [emailOf(user), emailOf(unverified), 'nobody@example.org'])
      answers.push(await request(email));
    const seen = answers.map(({ status, text, headers }) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers;
      return { status, text, rest };
    });
    expect(seen[0]?.status).toBe(202);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(await letters()).toHaveLength(1);
    expect(mailbox.received).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  it('a reset link sets one password, also in concurrent requests', async () => {
    const token = await requested();
    const answers = await Promise.all(Array.from({ length: 4 }, () => reset(token)));
    expect(answers.map(codeOf).sort()).toEqual(['204', ...Array<string>(3).fill('400 INVALID_LINK')]);
    expect(codeOf(await reset(token))).toBe('400 INVALID_LINK');
  });

  it('a reset link is valid for an hour, checked when it is used', async () => {
    const token = await requested();
    clock.advance(3599);
    expect(codeOf(await reset(token, 'short'))).toBe('400 VALIDATION_ERROR');
    clock.advance(1);
    expect(codeOf(await reset(token))).toBe('400 INVALID_LINK');
    expect((await logIn(OLD)).status).toBe(200);
  });

  it('a newer link, a changed password or one set by the operator ends a reset link', async () => {
    const [first, second] = [await requested(), await requested()];
    expect(codeOf(await reset(first))).toBe('400 INVALID_LINK');
    await user.post('/auth/password', { current_password: OLD, new_password: NEW });
    expect(codeOf(await reset(second))).toBe('400 INVALID_LINK');
    const third = await requested();
    const account = await world.nest.get(Users).get(user.id);
    const link = await world.nest.get(PasswordResets).linkFor(account);
    expect(codeOf(await reset(third))).toBe('400 INVALID_LINK');
    expect((await reset(link.split('=')[1] as string)).status).toBe(204);
  });

  it('refused attempts leave a reset link valid', async () => {
    const token = await requested();
    for (const password of ['short', 'iloveyou', emailOf(user)])
      expect((await reset(token, password)).body.error.details[0].field).toBe('new_password');
    expect((await reset(token)).status).toBe(204);
  });

  it('tokens of other users, forged ones and other secrets are refused with the same 400', async () => {
    const other = await verified();
    const token = await requested();
    await request(emailOf(other));
    expect((await reset(token)).status).toBe(204);
    expect((await world.api.post('/auth/login', { email: emailOf(other), password: OLD })).status).toBe(200);
    const answers = await Promise.all([token, '', 'pig_mail_x', 'x'.repeat(200)].map((text) => reset(text)));
    const texts = answers.map(({ text, body }) => text.replace(body.error.request_id, ''));
    expect(new Set(texts).size).toBe(1);
    expect((answers[0] as { status: number }).status).toBe(400);
  });

  it('an erased account cannot be opened by a link, and its letters and links are deleted', async () => {
    const token = await requested();
    await request(emailOf(user));
    await user.delete('/auth/me', { password: OLD });
    expect(codeOf(await reset(token))).toBe('400 INVALID_LINK');
    expect(await letters()).toEqual([]);
    const rows = await world.nest.get(Database).read(sql`SELECT FROM mail_tokens WHERE user_id = ${user.id}`);
    expect(rows).toEqual([]);
  });

  it('a reset letter goes to the current address only: none if it changed meanwhile', async () => {
    await request(emailOf(user));
    await world.nest.get(Users).write(user.id, { email: 'x@example.org', emailKey: 'x@example.org' });
    expect(await letters()).toEqual([]);
    await world.nest.get(Users).write(user.id, { email: emailOf(user), emailKey: emailOf(user) });
  });
});

describe('limits', () => {
  it('the limit of reset letters is five an hour for an address, and further requests are answered as before', async () => {
    const mailbox = await Mailbox.start();
    const world = await World.startHere({ ...mailbox.settings, RATE_LIMITS: 'on' });
    try {
      // Counters in Redis outlive a run of the tests.
      const user = await world.user(`budget${randomBytes(8).toString('hex')}`);
      await world.nest.get(Users).verifyEmail(user.id);
      for (let number = 0; number < 8; number++) {
        const email = number % 2 ? emailOf(user) : emailOf(user).toUpperCase();
        expect((await world.api.post('/auth/password/reset-request', { email })).status).toBe(202);
      }
      expect(await mailbox.of(world, emailOf(user))).toHaveLength(5);
      expect(await world.nest.get(Database).read(sql`SELECT FROM letters`)).toEqual([]);
    } finally {
      await world.stop();
      await mailbox.goDown();
    }
  });
});

describe('a service without a mail server', () => {
  it('reports in production that it sends no letters, to all callers alike, and stores none', async () => {
    const world = await World.startHere({ NODE_ENV: 'production' });
    try {
      const user = await world.user();
      for (const email of [emailOf(user), 'nobody@example.org']) {
        const { status, body } = await world.api.post('/auth/password/reset-request', { email });
        expect([status, body.error.code]).toEqual([409, 'MAIL_NOT_CONFIGURED']);
      }
      expect(await world.nest.get(Database).read(sql`SELECT FROM letters`)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});
