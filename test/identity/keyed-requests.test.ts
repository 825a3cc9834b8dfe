import { describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { Authenticator } from '../support/authenticator.js';
import { type Answer, Client } from '../support/client.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const ORIGIN = 'https://graph.example';
const PASSWORD = 'correct horse battery';
const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();

/** A person whose requests all have an Idempotency-Key of their own, or none. */
class Person {
  private number = 0;
  readonly device = new Authenticator(ORIGIN);

  constructor(
    private readonly client: Client,
    private readonly isKeyed: boolean,
  ) {}

  post(path: string, body: object = {}): Promise<Answer> {
    const headers: Record<string, string> = this.isKeyed ? { 'Idempotency-Key': `key ${++this.number}` } : {};
    return this.client.post(path, body, { headers });
  }

  async options(path: string): Promise<never> {
    return (await this.post(`${path}/options`)).body.public_key as never;
  }

  passkeys(): Promise<Answer> {
    return this.client.get('/auth/passkeys');
  }
}

/** Each does something that is refused, and answers what can be seen of it then. */
const REFUSALS: [string, (person: Person) => Promise<unknown[]>][] = [
  [
    'a passkey whose counter goes back is marked, and its challenge is spent',
    async (person) => {
      const { device } = person;
      const credential = device.create(await person.options('/auth/passkeys'));
      const seen = [codeOf(await person.post('/auth/passkeys', { name: 'phone', credential }))];
      const answer = async (options: never, counter: number): Promise<void> => {
        const used = { credential: device.get(options, { counter }) };
        seen.push(codeOf(await person.post('/auth/reauthenticate/passkey', used)));
      };
      await answer(await person.options('/auth/reauthenticate/passkey'), 10);
      const options = await person.options('/auth/reauthenticate/passkey');
      await answer(options, 3);
      await answer(options, 50);
      const [passkey] = (await person.passkeys()).body.passkeys;
      return [...seen, passkey.copy_suspected_at !== null];
    },
  ],
  [
    'a passkey that is refused spends the challenge of its registration',
    async (person) => {
      const options = await person.options('/auth/passkeys');
      const wrong = new Authenticator('https://evil.example').create(options);
      const right = person.device.create(options);
      const add = async (credential: unknown): Promise<string> =>
        codeOf(await person.post('/auth/passkeys', { name: 'phone', credential }));
      return [await add(wrong), await add(right)];
    },
  ],
  [
    'a second factor is asked for with a challenge that takes five answers',
    async (person) => {
      const { secret } = (await person.post('/auth/totp')).body;
      const code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate();
      const { recovery_codes } = (await person.post('/auth/totp/confirm', { code })).body;
      const asked = await person.post('/auth/reauthenticate', { password: PASSWORD });
      const { challenge } = asked.body.error.details;
      const seen = [codeOf(asked)];
      const answer = async (recovery_code: string): Promise<void> => {
        const answered = await person.post('/auth/reauthenticate/second-factor', {
          challenge,
          recovery_code,
        });
        seen.push(codeOf(answered));
      };
      for (let tried = 0; tried < 5; tried++) await answer('00000-00000');
      await answer(recovery_codes[0] as string);
      return seen;
    },
  ],
];

describe('/auth', () => {
  let world: World;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ PUBLIC_URL: ORIGIN }),
  );

  const person = async (isKeyed: boolean): Promise<Person> => {
    const { token } = await world.user();
    return new Person(new Client(world.origin, { Authorization: `Bearer ${token}` }), isKeyed);
  };

  it.each(REFUSALS)(
    'requests about an account with an Idempotency-Key leave behind what they leave without: %s (rule 11.6d)',
    async (_, refused) => {
      const plain = await refused(await person(false));
      expect(plain.filter((seen) => /^401/.test(String(seen))).length).toBeGreaterThan(0);
      expect(await refused(await person(true))).toEqual(plain);
    },
  );

  it('requests about an account with an Idempotency-Key ignore it: a second request has an effect of its own (rule 11.6d)', async () => {
    const { token } = await world.user();
    const client = new Client(world.origin, { Authorization: `Bearer ${token}` });
    const headers = { 'Idempotency-Key': 'once' };
    const begin = () => client.post('/auth/passkeys/options', {}, { headers });
    const [first, second] = [await begin(), await begin()];
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(second.body.public_key.challenge).not.toBe(first.body.public_key.challenge);
    expect((await client.post('/auth/totp', {}, { headers })).status).toBe(201);
  });
});
