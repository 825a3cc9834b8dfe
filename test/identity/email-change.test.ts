import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { EmailChanges, Users } from '../../src/identity/index.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Authenticator } from '../support/authenticator.js';
import { Mailbox, type ReceivedLetter, tokenIn } from '../support/mailbox.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withMailbox } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const NEW = 'an entirely new password';
const DAY = 24 * 3600;
const INVALID = '400 INVALID_LINK';
const TAKEN = '409 EMAIL_EXISTS';
const emailOf = ({ name }: TestUser): string => `${name}@example.org`;
const codeOf = ({ status, body }: { status: number; body?: { error?: { code: string } } }): string =>
  `${status} ${body?.error?.code ?? ''}`.trim();

let mailbox: Mailbox;
let world: World;
let user: TestUser;
let clock: ReturnType<typeof holdClock>;

async function verified(): Promise<TestUser> {
  const made = await world.user();
  await world.nest.get(Users).verifyEmail(made.id);
  return made;
}
const ask = (email: string, by = user, password = PASSWORD) => by.post('/auth/email', { email, password });
const confirm = (token: string) => world.api.post('/auth/email/confirm', { token });
const undo = (token: string, new_password = NEW) =>
  world.api.post('/auth/email/undo', { token, new_password });
const register = (email: string) =>
  world.api.post('/auth/register', { email, username: `new${world.number()}`, password: PASSWORD });
const logIn = (email: string, password = PASSWORD) => world.api.post('/auth/login', { email, password });
const addressOf = async (whose = user): Promise<string> => (await world.nest.get(Users).get(whose.id)).email;
const newest = async (address: string, purpose: string): Promise<string> =>
  tokenIn((await mailbox.of(world, address, purpose)).at(-1) as ReceivedLetter, purpose);
async function asked(email: string, by = user): Promise<string> {
  expect((await ask(email, by)).status).toBe(202);
  return newest(email, 'change');
}
/** Changes the address. @returns the undo token of the old address */
async function changed(email: string, by = user): Promise<string> {
  const old = await addressOf(by);
  expect((await confirm(await asked(email, by))).status).toBe(204);
  return newest(old, 'undo');
}
const free = (): string => `free${world.number()}@example.org`;

describe('/auth/email', () => {
  withMailbox((met) => ({ world, mailbox } = met));
  beforeEach(async () => {
    clock = holdClock(world);
    user = await verified();
    await mailbox.of(world, emailOf(user));
  });
  afterEach(() => letClockRun(world));

  describe('confirmation (rule 1.21)', () => {
    it('a new address takes effect when its link is used, and not before', async () => {
      const to = free();
      const answer = await ask(to);
      expect([answer.status, Object.keys(answer.body)]).toEqual([202, ['message']]);
      expect(await addressOf()).toBe(emailOf(user));
      const received = await mailbox.of(world, to);
      expect(received.map(({ headers }) => headers.subject)).toEqual(['Confirm your new e-mail address']);
      expect(await mailbox.of(world, emailOf(user))).toEqual([]);
      const done = await confirm(tokenIn(received[0] as ReceivedLetter, 'change'));
      expect([done.status, done.text]).toEqual([204, '']);
      expect((await user.get('/auth/me')).body).toMatchObject({ email: to, email_verified: true });
      expect((await logIn(to)).status).toBe(200);
      expect((await logIn(emailOf(user))).status).toBe(401);
    });

    it('a change of address is reported to the old one in one letter, which names neither the new address nor the user', async () => {
      const to = free();
      await confirm(await asked(to));
      const [letter, ...more] = await mailbox.of(world, emailOf(user));
      expect(more).toEqual([]);
      expect(letter?.headers.subject).toBe('Your e-mail address was changed');
      expect(letter?.text).toContain(`When: ${clock.now.toISOString().slice(0, 16).replace('T', ' ')} UTC`);
      expect(letter?.text).not.toContain(to);
      expect(letter?.text).not.toContain(user.name);
    });

    it('a change of address needs the password, and another, valid address', async () => {
      expect(codeOf(await ask(free(), user, 'wrong password'))).toBe('401 UNAUTHORIZED');
      for (const email of [
        emailOf(user),
        emailOf(user).toUpperCase(),
        'none',
        `${'x'.repeat(250)}@example.org`,
      ])
        expect((await ask(email)).body.error.details[0].field).toBe('email');
      expect((await world.api.post('/auth/email', { email: free(), password: PASSWORD })).status).toBe(401);
      const app = await user.lets(await world.app());
      expect((await app.post('/auth/email', { email: free(), password: PASSWORD })).status).toBe(403);
      expect(await linksOf(user)).toEqual([]);
    });

    it('the answer to a change of address is alike for free and taken ones; only the reader of the new address learns that it is taken', async () => {
      const other = await verified();
      const [taken, open] = [await ask(emailOf(other)), await ask(free())];
      expect([taken.status, taken.body]).toEqual([open.status, open.body]);
      await mailbox.of(world, emailOf(other), 'none');
      const token = await asked(emailOf(other));
      expect(codeOf(await confirm(token))).toBe(TAKEN);
      expect([await addressOf(), await addressOf(other)]).toEqual([emailOf(user), emailOf(other)]);
      await other.delete('/auth/me', { password: PASSWORD });
      expect(codeOf(await confirm(token))).toBe('204');
    });

    it('links to a new address are valid once, for a day, until a newer request, and for nothing else', async () => {
      const [to, later] = [free(), free()];
      const first = await asked(to);
      const second = await asked(later);
      expect(codeOf(await confirm(first))).toBe(INVALID);
      expect(codeOf(await undo(second))).toBe(INVALID);
      expect(codeOf(await world.api.post('/auth/email/verify', { token: second }))).toBe(INVALID);
      const reset = { token: second, new_password: NEW };
      expect(codeOf(await world.api.post('/auth/password/reset', reset))).toBe(INVALID);
      clock.advance(DAY);
      expect(codeOf(await confirm(second))).toBe(INVALID);
      clock.advance(-1);
      const answers = await Promise.all([1, 2, 3, 4].map(() => confirm(second)));
      expect(answers.map(codeOf).sort()).toEqual(['204', INVALID, INVALID, INVALID]);
      expect(await addressOf()).toBe(later);
    });

    it.each<[string, () => Promise<unknown>]>([
      [
        'a new password',
        () => user.post('/auth/password', { current_password: PASSWORD, new_password: NEW }),
      ],
      ['an erasure', () => user.delete('/auth/me', { password: PASSWORD })],
      [
        'a reset by a link',
        async () => {
          await world.api.post('/auth/password/reset-request', { email: emailOf(user) });
          const token = await newest(emailOf(user), 'reset');
          await world.api.post('/auth/password/reset', { token, new_password: NEW });
        },
      ],
    ])('a pending change of address ends with %s', async (_, act) => {
      const token = await asked(free());
      await act();
      expect(codeOf(await confirm(token))).toBe(INVALID);
    });

    it('a change of address ends password reset links that were sent to the old one', async () => {
      await world.api.post('/auth/password/reset-request', { email: emailOf(user) });
      const token = await newest(emailOf(user), 'reset');
      await changed(free());
      expect(codeOf(await world.api.post('/auth/password/reset', { token, new_password: NEW }))).toBe(
        INVALID,
      );
    });

    it('a change of address ends links that would verify the old one (rule 1.21c)', async () => {
      const unverified = await world.user();
      const token = await newest(emailOf(unverified), 'verify');
      expect((await confirm(await asked(free(), unverified))).status).toBe(204);
      expect(codeOf(await world.api.post('/auth/email/verify', { token }))).toBe(INVALID);
    });

    it('one of two changes of accounts to the same address succeeds', async () => {
      const [to, other] = [free(), await verified()];
      const tokens = [await asked(to), await asked(to, other)];
      const answers = await Promise.all(tokens.map(confirm));
      expect(answers.map(codeOf).sort()).toEqual(['204', TAKEN]);
      const addresses = [await addressOf(), await addressOf(other)];
      expect(addresses.filter((one) => one === to)).toHaveLength(1);
    });

    it('one of a change and a concurrent registration of the same address succeeds', async () => {
      const to = free();
      const token = await asked(to);
      const [confirmed, registered] = await Promise.all([confirm(token), register(to)]);
      expect([
        ['204', TAKEN],
        [TAKEN, '201'],
      ]).toContainEqual([codeOf(confirmed), codeOf(registered)]);
    });
  });

  describe('undoing (ADR 32)', () => {
    it('an undone change of address restores the address with a new password, and ends every log-in', async () => {
      const to = free();
      const token = await changed(to);
      const thief = (await logIn(to)).body;
      await mailbox.of(world, emailOf(user));
      const done = await undo(token);
      expect([done.status, done.text]).toEqual([204, '']);
      expect((await user.get('/auth/me')).status).toBe(401);
      expect((await world.api.post('/auth/refresh', { refresh_token: thief.refresh_token })).status).toBe(
        401,
      );
      expect((await logIn(emailOf(user))).status).toBe(401);
      expect((await logIn(emailOf(user), NEW)).body.user).toMatchObject({
        email: emailOf(user),
        email_verified: true,
      });
      const told = await mailbox.of(world, emailOf(user));
      expect(told.map(({ headers }) => headers.subject)).toEqual(['Your password was reset']);
      expect(await mailbox.of(world, to)).toEqual([]);
    });

    it('an undo link is valid for seven days, once, and for nothing else', async () => {
      const token = await changed(free());
      expect(codeOf(await confirm(token))).toBe(INVALID);
      expect(codeOf(await world.api.post('/auth/email/verify', { token }))).toBe(INVALID);
      expect(codeOf(await world.api.post('/auth/password/reset', { token, new_password: NEW }))).toBe(
        INVALID,
      );
      clock.advance(7 * DAY);
      expect(codeOf(await undo(token))).toBe(INVALID);
      clock.advance(-1);
      for (const password of ['short', 'iloveyou', emailOf(user)])
        expect((await undo(token, password)).body.error.details[0].field).toBe('new_password');
      const answers = await Promise.all([1, 2, 3].map(() => undo(token)));
      expect(answers.map(codeOf).sort()).toEqual(['204', INVALID, INVALID]);
    });

    it('the old address can undo a change despite more changes, passwords and resets by a thief', async () => {
      const token = await changed(free());
      const [second, third] = [free(), free()];
      clock.advance(1);
      const ofThief = await changed(second);
      clock.advance(1);
      await user.post('/auth/password', {
        current_password: PASSWORD,
        new_password: 'the thief’s own password',
      });
      await world.api.post('/auth/password/reset-request', { email: second });
      const reset = { token: await newest(second, 'reset'), new_password: PASSWORD };
      expect((await world.api.post('/auth/password/reset', reset)).status).toBe(204);
      const { body } = await logIn(second);
      const thief = world.api.with({ Authorization: `Bearer ${body.access_token}` });
      await thief.post('/auth/email', { email: third, password: PASSWORD });
      const pending = await newest(third, 'change');
      expect(codeOf(await undo(token))).toBe('204');
      expect(codeOf(await undo(ofThief))).toBe(INVALID);
      expect(codeOf(await confirm(pending))).toBe(INVALID);
      expect(await addressOf()).toBe(emailOf(user));
    });

    it('an undo of one change leaves the undo link of an earlier address valid', async () => {
      const first = await changed(free());
      clock.advance(1);
      const second = await changed(free());
      expect(codeOf(await undo(second))).toBe('204');
      expect(codeOf(await undo(first, 'yet another password'))).toBe('204');
      expect(await addressOf()).toBe(emailOf(user));
    });

    it('the old address is reserved for seven days: no one else registers it or changes to it', async () => {
      const other = await verified();
      const token = await changed(free());
      expect(codeOf(await register(emailOf(user).toUpperCase()))).toBe(TAKEN);
      const wanted = await asked(emailOf(user), other);
      expect(codeOf(await confirm(wanted))).toBe(TAKEN);
      expect(await addressOf(other)).toBe(emailOf(other));
      clock.advance(7 * DAY);
      expect(codeOf(await register(emailOf(user)))).toBe('201');
      clock.advance(-1);
      expect(codeOf(await undo(token))).toBe(TAKEN);
    });

    it('the old address is reserved against a registration that runs while the address changes', async () => {
      for (let round = 0; round < 5; round++) {
        user = await verified();
        const token = await asked(free());
        const [confirmed, ...registered] = await Promise.all([
          confirm(token),
          register(emailOf(user)),
          register(emailOf(user)),
        ]);
        expect([confirmed, ...registered].map(codeOf)).toEqual(['204', TAKEN, TAKEN]);
      }
    });

    it('users may return to their reserved address by another change', async () => {
      await changed(free());
      clock.advance(1);
      await changed(emailOf(user));
      expect(await addressOf()).toBe(emailOf(user));
    });

    it('an address that was never verified is offered no undo link, because a stranger may read it', async () => {
      const mistaken = await world.user();
      await mailbox.of(world, emailOf(mistaken));
      expect((await confirm(await asked(free(), mistaken))).status).toBe(204);
      const [letter] = await mailbox.of(world, emailOf(mistaken));
      expect(letter?.headers.subject).toBe('Your e-mail address was changed');
      expect(letter?.text).not.toContain('pig_mail_');
      expect(codeOf(await register(emailOf(mistaken)))).toBe('201');
    });

    it('a change is reported to the old address even if a thief erases the account at once', async () => {
      const token = await asked(free());
      await confirm(token);
      await user.delete('/auth/me', { password: PASSWORD });
      const undoing = await newest(emailOf(user), 'undo');
      expect(codeOf(await undo(undoing))).toBe(INVALID);
      expect(await linksOf(user)).toEqual([]);
      expect(codeOf(await register(emailOf(user)))).toBe('201');
    });

    it('an undone change removes the passkeys: one that a thief has added logs no one in (rule 1.21d)', async () => {
      const token = await changed(free());
      const device = new Authenticator('https://graph.example');
      const { public_key } = (await user.post('/auth/passkeys/options')).body;
      const credential = device.create(public_key);
      expect((await user.post('/auth/passkeys', { name: 'theirs', credential })).status).toBe(201);
      expect(codeOf(await undo(token))).toBe('204');
      const options = (await world.api.post('/auth/login/passkey/options')).body.public_key;
      const refused = await world.api.post('/auth/login/passkey', { credential: device.get(options) });
      expect(codeOf(refused)).toBe('401 UNAUTHORIZED');
    });

    it('an undone change keeps a second factor: the new password alone logs no one in', async () => {
      const token = await changed(free());
      await enrol(user);
      expect(codeOf(await undo(token))).toBe('204');
      expect(codeOf(await logIn(emailOf(user), NEW))).toBe('401 SECOND_FACTOR_REQUIRED');
    });

    it('undo links are removed by the sweep after their end', async () => {
      await changed(free());
      clock.advance(8 * DAY);
      await world.nest.get(Housekeeping).sweep();
      expect(await linksOf(user)).toEqual([]);
    });
  });

  it('a change by the operator needs no link, and the old address can undo it', async () => {
    const [to, other] = [free(), await verified()];
    const changes = world.nest.get(EmailChanges);
    await expect(changes.changeUnasked(user.id, emailOf(other))).rejects.toMatchObject({
      code: 'EMAIL_EXISTS',
    });
    await changes.changeUnasked(user.id, to);
    expect((await user.get('/auth/me')).body).toMatchObject({ email: to, email_verified: true });
    expect(codeOf(await undo(await newest(emailOf(user), 'undo')))).toBe('204');
  });

  it('a change of address is refused with the same 400 for all forged tokens', async () => {
    const texts = ['', 'pig_mail_x', '\u202e\u0000', 'x'.repeat(200)];
    const answers = await Promise.all(texts.flatMap((text) => [confirm(text), undo(text)]));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  });
});

const linksOf = ({ id }: TestUser): Promise<object[]> =>
  world.nest
    .get(Database)
    .read(sql`SELECT purpose FROM mail_tokens WHERE user_id = ${id} AND purpose <> 'verify'`);

async function enrol(whose: TestUser): Promise<void> {
  const { secret } = (await whose.post('/auth/totp')).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now.getTime() });
  expect((await whose.post('/auth/totp/confirm', { code })).status).toBe(200);
}

describe('limits', () => {
  it('the limit of letters to new addresses is five an hour for a user, who is told, and ten for an address', async () => {
    mailbox = await Mailbox.start();
    world = await World.startHere({ ...mailbox.settings, RATE_LIMITS: 'on' });
    try {
      // Counters in Redis outlive a run of the tests.
      const to = `change${randomBytes(8).toString('hex')}@example.org`;
      let sent = 0;
      for (let person = 0; person < 3; person++) {
        user = await world.user(`asks${randomBytes(8).toString('hex')}`);
        for (let number = 0; number < 5; number++) expect((await ask(to)).status).toBe(202);
        const refused = await ask(to);
        expect([refused.status, refused.body.retry_after > 3500]).toEqual([429, true]);
        sent += (await mailbox.of(world, to, 'change')).length;
      }
      expect(sent).toBe(10);
    } finally {
      await world.stop();
      await mailbox.goDown();
    }
  });
});

describe('a service without a mail server', () => {
  it('changes addresses only for the operator, and reserves none', async () => {
    world = await World.startHere({ NODE_ENV: 'production' });
    try {
      user = await verified();
      expect(codeOf(await ask('new@example.org'))).toBe('409 MAIL_NOT_CONFIGURED');
      await world.nest.get(EmailChanges).changeUnasked(user.id, 'new@example.org');
      expect(await addressOf()).toBe('new@example.org');
      expect(codeOf(await register(emailOf(user)))).toBe('201');
    } finally {
      await world.stop();
    }
  });
});
