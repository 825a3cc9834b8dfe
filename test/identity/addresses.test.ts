import { describe, expect, it } from '@jest/globals';
import { Users } from '../../src/identity/index.js';
import { codeOf } from '../support/worlds/nodes.js';
import { type Mailbox } from '../support/mailbox.js';
import { type World } from '../support/world.js';
import { withMailbox } from '../support/worlds/with-world.js';

const password = 'correct horse battery';

describe('spellings', () => {
  let mailbox: Mailbox;
  let world: World;

  withMailbox((met) => ({ world, mailbox } = met));

  const register = (email: string) =>
    world.api.post('/auth/register', { email, password, username: `person${world.number()}` });
  const logIn = (email: string) => world.api.post('/auth/login', { email, password });
  /** An account as it was stored before domains were folded and addresses had to be seen whole. */
  const formerAccount = async (email: string) => {
    const user = await world.user();
    await world.nest
      .get(Users)
      .write(user.id, { email, emailKey: email.toLowerCase(), emailVerifiedAt: new Date() });
    return user;
  };

  it.each([
    ['a right-to-left override', 'a\u202e'],
    ['a zero-width space', 'a\u200b'],
    ['a soft hyphen', 'a\u00ad'],
    ['a variation selector', 'a\ufe0f'],
    ['a Hangul filler', 'a\u3164'],
    ['a control character', 'a\u0007'],
  ])('the e-mail address of an account is refused with %s in the mailbox or the domain', async (_, bad) => {
    for (const email of [`${bad}@example.org`, `a@${bad}b.example.org`])
      expect([email, ...codeOf(await register(email))]).toEqual([email, 400, 'VALIDATION_ERROR']);
    const user = await world.user();
    const change = await user.post('/auth/email', { email: `${bad}@example.org`, password });
    expect(codeOf(change)).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('the e-mail address of an account is the same with and without quotes around its mailbox, and with composed and combining marks', async () => {
    expect((await register('zo\u00e9@quoted.example')).status).toBe(201);
    for (const alike of [
      '"zo\u00e9"@quoted.example',
      'zoe\u0301@quoted.example',
      '"zo\\\u00e9"@quoted.example',
    ]) {
      expect([alike, ...codeOf(await register(alike))]).toEqual([alike, 409, 'EMAIL_EXISTS']);
      expect([alike, (await logIn(alike)).status]).toEqual([alike, 200]);
    }
    const former = await formerAccount('"quoted"@b\u00fccher.example');
    expect((await logIn('"quoted"@b\u00fccher.example')).body.user.id).toBe(former.id);
  });

  it('the e-mail address of an account is the same for every spelling of its domain, so that a second account is refused', async () => {
    const made = await register('zoe@b\u00fccher.example');
    expect([made.status, made.body.user.email]).toEqual([201, 'zoe@b\u00fccher.example']);
    for (const alike of [
      'zoe@xn--bcher-kva.example',
      'Zoe@BU\u0308CHER\u3002example',
      '\uff5aoe@b\u00fccher.example',
    ]) {
      expect([alike, ...codeOf(await register(alike))]).toEqual([alike, 409, 'EMAIL_EXISTS']);
      expect([alike, (await logIn(alike)).status]).toEqual([alike, 200]);
    }
  });

  it('the e-mail address of an account receives its letters at the domain in ASCII', async () => {
    await register('letters@STRA\u00dfE\u3002example');
    const [letter] = await mailbox.of(world, 'letters@stra\u00dfe.example', 'verify');
    expect(letter?.headers['to']).toBe('letters@xn--strae-oqa.example');
  });

  it('an address stored in an old spelling still logs in, and reserves the folded one', async () => {
    await formerAccount('former@m\u00fcller.example');
    expect((await logIn('former@m\u00fcller.example')).status).toBe(200);
    expect((await logIn('former@xn--mller-kva.example')).status).toBe(200);
    expect(codeOf(await register('former@xn--mller-kva.example'))).toEqual([409, 'EMAIL_EXISTS']);
    expect(codeOf(await register('former@m\u00fcller.example'))).toEqual([409, 'EMAIL_EXISTS']);
  });

  it('an address stored with an invisible character logs in, and can be changed to another', async () => {
    const email = 'un\u200bseen@example.org';
    const user = await formerAccount(email);
    expect((await logIn(email)).status).toBe(200);
    expect((await world.api.post('/auth/password/reset-request', { email })).status).toBe(202);
    expect((await user.post('/auth/email', { email: 'seen@example.org', password })).status).toBe(202);
  });

  it('two stored addresses that differ in spelling alone each belong to their own account', async () => {
    const readable = await formerAccount('twin@k\u00f6ln.example');
    const coded = await formerAccount('twin@xn--kln-sna.example');
    const loggedIn = async (email: string) => (await logIn(email)).body.user.id as string;
    expect(await loggedIn('twin@k\u00f6ln.example')).toBe(readable.id);
    expect(await loggedIn('twin@xn--kln-sna.example')).toBe(coded.id);
  });
});
