import { Authenticator } from '../support/authenticator.js';
import { type ReceivedLetter, tokenIn } from '../support/mailbox.js';
import { until } from '../support/until.js';
import { type FullAccount } from './full-account.js';
import { type Prepare } from './preparations.js';
import { ok, PASSWORD, type Somebody } from './somebody.js';
import { unique } from './unique.js';

type Visitors = (account: FullAccount) => Promise<Somebody>;

/** The address at which people open the service: its PUBLIC_URL. */
export const PUBLIC_URL = 'https://graph.example';
const new_password = 'an entirely new password';

/** Preparations for operations on passkeys and with links of letters, each of them a person who came for it. */
export function logInPreparations(visitorOf: Visitors): Record<string, Prepare> {
  return { ...passkeyPreparations(visitorOf), ...linkPreparations(visitorOf) };
}

function passkeyPreparations(visitorOf: Visitors): Record<string, Prepare> {
  const creation = async (person: Somebody, device: Authenticator): Promise<{ credential: object }> => {
    const { body } = ok(await (await person.client()).post('/auth/passkeys/options'));
    return { credential: device.create(body.public_key) };
  };
  /** Somebody with a passkey, which logs them in. */
  const holder = async (account: FullAccount) => {
    const [person, device] = [await visitorOf(account), new Authenticator(PUBLIC_URL)];
    const passkey_id = await person.make('/auth/passkeys', {
      name: 'phone',
      ...(await creation(person, device)),
    });
    return { person, device, passkey_id };
  };
  const used =
    (path: string): Prepare =>
    async (account) => {
      const { person, device } = await holder(account);
      const client = await person.client();
      const { body } = ok(await client.post(`${path}/options`));
      return { credentials: client.credentials, body: { credential: device.get(body.public_key) } };
    };
  const held: Prepare = async (account) => {
    const { person, passkey_id } = await holder(account);
    return { credentials: await person.credentials(), things: { passkey_id } };
  };
  return {
    'POST /auth/passkeys': async (account) => {
      const person = await visitorOf(account);
      const credential = await creation(person, new Authenticator(PUBLIC_URL));
      return { credentials: await person.credentials(), body: { name: 'n'.repeat(100), ...credential } };
    },
    'PATCH /auth/passkeys/{passkey_id}': held,
    'DELETE /auth/passkeys/{passkey_id}': held,
    'POST /auth/login/passkey': used('/auth/login/passkey'),
    'POST /auth/reauthenticate/passkey': used('/auth/reauthenticate/passkey'),
  };
}

function linkPreparations(visitorOf: Visitors): Record<string, Prepare> {
  const verified = async (account: FullAccount): Promise<Somebody> => {
    const person = await visitorOf(account);
    const token = await tokenFor(account, person.email, 'verify');
    ok(await (await person.client()).post('/auth/email/verify', { token }));
    return person;
  };
  /** The link that went to another address. */
  const changing = async (account: FullAccount, person: Somebody): Promise<string> => {
    const email = `${unique('new').replace(' ', '')}@example.org`;
    ok(await (await person.client()).post('/auth/email', { email, password: PASSWORD }));
    return tokenFor(account, email, 'change');
  };
  return {
    'POST /auth/email/verify': async (account) => {
      const { email } = await visitorOf(account);
      return { body: { token: await tokenFor(account, email, 'verify') } };
    },
    'POST /auth/email/confirm': async (account) => ({
      body: { token: await changing(account, await visitorOf(account)) },
    }),
    'POST /auth/email/undo': async (account) => {
      const person = await verified(account);
      const token = await changing(account, person);
      ok(await (await person.client()).post('/auth/email/confirm', { token }));
      return { body: { token: await tokenFor(account, person.email, 'undo'), new_password } };
    },
    'POST /auth/password/reset': async (account) => {
      const { email } = await verified(account);
      ok(
        await account.owner.client().then((client) => client.post('/auth/password/reset-request', { email })),
      );
      return { body: { token: await tokenFor(account, email, 'reset'), new_password } };
    },
  };
}

/** The token in the letter to that address with a link of that purpose, once it is there. */
async function tokenFor({ mailbox }: FullAccount, address: string, purpose: string): Promise<string> {
  if (mailbox === null) throw new Error(`the service sends no letters, none to ${purpose}`);
  const find = (): ReceivedLetter | undefined =>
    mailbox.received.find(({ to, text }) => to.includes(address) && text.includes(`#${purpose}=`));
  await until(() => find() !== undefined, `a letter to ${purpose}`);
  return tokenIn(find() as ReceivedLetter, purpose);
}
