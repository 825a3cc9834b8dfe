import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { RefreshTokens } from '../../src/identity/infrastructure/refresh-tokens.repository.js';
import { Authenticator } from '../support/authenticator.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const ORIGIN = 'https://graph.example';
const PASSWORD = 'correct horse battery';

describe('a log-in that ends during its request', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let user: TestUser;
  let client: Client;
  withWorld(
    (started) => (world = started),
    () => World.startHere({ PUBLIC_URL: ORIGIN }),
  );
  beforeEach(async () => {
    clock = holdClock(world);
    user = await world.user();
    client = new Client(world.origin, { Authorization: `Bearer ${user.token}` });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    letClockRun(world);
  });

  const codeFor = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now.getTime() });
  async function enrolled(): Promise<string[]> {
    const { secret } = (await client.post('/auth/totp')).body;
    return (await client.post('/auth/totp/confirm', { code: codeFor(secret) })).body.recovery_codes;
  }
  async function madeCredential(): Promise<object> {
    const { public_key } = (await client.post('/auth/passkeys/options')).body;
    return new Authenticator(ORIGIN).create(public_key);
  }
  const add = (credential: object) => client.post('/auth/passkeys', { name: 'phone', credential });

  /** Another log-in of the same person. */
  async function elsewhere([code]: string[]): Promise<Client> {
    let answer = await world.api.post('/auth/login', {
      email: `${user.name}@example.org`,
      password: PASSWORD,
    });
    if (code !== undefined) {
      const { challenge } = answer.body.error.details;
      answer = await world.api.post('/auth/login/second-factor', { challenge, recovery_code: code });
    }
    return new Client(world.origin, { Authorization: `Bearer ${answer.body.access_token}` });
  }

  /** Ends the log-in at its next request, behind the guard and before the account is locked. */
  async function endsMeanwhile(other: Client): Promise<() => number | undefined> {
    const { sessions } = (await client.get('/auth/sessions')).body;
    const { id: own } = sessions.find(({ is_current }: { is_current: boolean }) => is_current);
    const locks = world.nest.get(RefreshTokens);
    const lockUser = locks.lockUser.bind(locks);
    let ended: number | undefined;
    jest.spyOn(locks, 'lockUser').mockImplementationOnce(async (id) => {
      ended = (await other.delete(`/auth/sessions/${own}`)).status;
      return lockUser(id);
    });
    return () => ended;
  }

  interface Prepared {
    send: () => Promise<Answer>;
    codes?: string[];
  }
  const CASES: [string, () => Promise<Prepared>][] = [
    [
      'adds no passkey',
      async () => {
        const credential = await madeCredential();
        return { send: () => add(credential) };
      },
    ],
    [
      'removes no passkey',
      async () => {
        const { id } = (await add(await madeCredential())).body;
        return { send: () => client.delete(`/auth/passkeys/${id}`) };
      },
    ],
    [
      'enrols no authenticator app',
      async () => {
        const { secret } = (await client.post('/auth/totp')).body;
        return { send: () => client.post('/auth/totp/confirm', { code: codeFor(secret) }) };
      },
    ],
    [
      'removes no authenticator app',
      async () => {
        const codes = await enrolled();
        return { codes, send: () => client.delete('/auth/totp', { recovery_code: codes[1] }) };
      },
    ],
    [
      'replaces no recovery codes',
      async () => ({ codes: await enrolled(), send: () => client.post('/auth/recovery-codes') }),
    ],
  ];

  it.each(CASES)('%s (rules 1.20, 1.23)', async (_, prepare) => {
    const { send, codes = [] } = await prepare();
    const other = await elsewhere(codes);
    const enrolment = async () => [
      (await other.get('/auth/me')).body.second_factor,
      (await other.get('/auth/passkeys')).body.total,
    ];
    const before = await enrolment();
    const ended = await endsMeanwhile(other);
    const { status } = await send();
    expect([ended(), status]).toEqual([204, 401]);
    expect(await enrolment()).toEqual(before);
  });
});
