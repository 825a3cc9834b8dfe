import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Clock } from '../../src/kernel/clock.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const PASSWORD = 'correct horse battery';

let world: World;
withWorld((started) => (world = started));
afterEach(() => {
  jest.restoreAllMocks();
});

const register = (body: Record<string, unknown>) =>
  world.api.post('/auth/register', { password: PASSWORD, ...body });
const logIn = (email: string, password = PASSWORD) => world.api.post('/auth/login', { email, password });
const refresh = (refresh_token: unknown) => world.api.post('/auth/refresh', { refresh_token });
const me = (token: string) => world.api.get('/auth/me', { headers: { Authorization: `Bearer ${token}` } });
const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const nextDigit = (digit: string) => DIGITS.charAt(DIGITS.indexOf(digit) + 1);

function later(milliseconds: number): void {
  jest.spyOn(world.nest.get(Clock), 'now').mockImplementation(() => new Date(Date.now() + milliseconds));
}

function expectUnauthorized(answer: {
  status: number;
  body: { error: { code: string } };
  headers: Record<string, unknown>;
}) {
  expect(answer.status).toBe(401);
  expect(answer.body.error.code).toBe('UNAUTHORIZED');
  expect(answer.headers['www-authenticate']).toMatch(/Bearer/);
}

describe('registration (rules 1.1, 1.2)', () => {
  it('answers 201 with the user and tokens', async () => {
    const answer = await register({ email: 'Ada@Example.org', username: 'Ada.L-1_x' });
    expect(answer.status).toBe(201);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toEqual({
      user: {
        id: expect.stringMatching(UUID),
        email: 'Ada@Example.org',
        email_verified: false,
        username: 'Ada.L-1_x',
        is_public: false,
        tier: 'free',
        created_at: expect.stringMatching(ISO),
      },
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
    });
    expect((await me(answer.body.access_token)).body).toEqual({
      ...answer.body.user,
      second_factor: { totp: false, recovery_codes_left: 0 },
      quotas: expect.objectContaining({ nodes: { limit: 250_000, used: 0 } }),
    });
  });

  it('a registration accepts the field is_public', async () => {
    const answer = await register({ email: 'open@example.org', username: 'open', is_public: true });
    expect(answer.body.user.is_public).toBe(true);
  });

  it('refuses a taken e-mail address and a taken username regardless of case', async () => {
    await register({ email: 'taken@example.org', username: 'taken' });
    const email = await register({ email: 'TAKEN@example.ORG', username: 'other' });
    expect([email.status, email.body.error.code]).toEqual([409, 'EMAIL_EXISTS']);
    const username = await register({ email: 'other@example.org', username: 'Taken' });
    expect([username.status, username.body.error.code]).toEqual([409, 'USERNAME_EXISTS']);
  });

  it('creates one account for many concurrent registrations', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => register({ email: 'race@example.org', username: `race${i}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(
      answers.filter(({ status, body }) => status === 409 && body.error.code === 'EMAIL_EXISTS'),
    ).toHaveLength(7);
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: undefined }],
    ['email', { email: ['a@example.org'] }],
    ['password', { password: '1234567' }],
    ['password', { password: 'x'.repeat(201) }],
    ['password', { password: '🔑'.repeat(7) }],
    ['password', { password: 12345678 }],
    ['username', { username: 'ab' }],
    ['username', { username: 'x'.repeat(41) }],
    ['username', { username: 'with space' }],
    ['username', { username: 'ünïcode' }],
    ['username', { username: 'line\n' }],
    ['is_public', { is_public: 'yes' }],
  ])('names %s as the invalid field of %j', async (field, wrong) => {
    const answer = await register({ email: 'fine@example.org', username: 'fine', ...wrong });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });

  it.each(['password', 'PassWord1', '12345678', 'qwertyuiop', 'Fine@Example.org', 'finefine'])(
    'refuses the common password %s',
    async (password) => {
      const answer = await register({ email: 'fine@example.org', username: 'FineFine', password });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details).toEqual([{ field: 'password', message: expect.any(String) }]);
    },
  );

  it('names every invalid field', async () => {
    const { body } = await world.api.post('/auth/register', {});
    expect(body.error.details.map((detail: { field: string }) => detail.field).sort()).toEqual([
      'email',
      'password',
      'username',
    ]);
  });

  it('accepts passwords of 8 and of 200 characters, and keeps spaces', async () => {
    for (const [i, password] of [' 3456 8 ', '🔑'.repeat(200)].entries()) {
      expect((await register({ email: `long${i}@example.org`, username: `long${i}`, password })).status).toBe(
        201,
      );
      expect((await logIn(`long${i}@example.org`, password)).status).toBe(200);
      expect((await logIn(`long${i}@example.org`, password.trim() + ' ')).status).toBe(401);
    }
  });
});

describe('log-in (rules 1.1, 1.2)', () => {
  let alice: TestUser;
  beforeAll(async () => {
    alice = await world.user('alice');
  });

  it('answers 200 with the body of registration', async () => {
    const answer = await logIn('ALICE@example.org');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]);
    expect(answer.body.user.id).toBe(alice.id);
  });

  it('answers a wrong e-mail address and a wrong password with identical 401s', async () => {
    const wrongPassword = await logIn('alice@example.org', 'wrong password');
    const wrongEmail = await logIn('nobody@example.org', 'wrong password');
    expectUnauthorized(wrongPassword);
    const bytes = ({ text, body }: { text: string; body: { error: { request_id: string } } }) =>
      text.replace(body.error.request_id, '');
    expect(bytes(wrongEmail)).toBe(bytes(wrongPassword));
    expect(wrongEmail.headers['www-authenticate']).toBe(wrongPassword.headers['www-authenticate']);
  });

  it('treats unusual input as wrong credentials or as bad input, never as a fault', async () => {
    for (const email of ["' OR 1=1 --", 'a@b', '%', 'x'.repeat(200)]) expectUnauthorized(await logIn(email));
    for (const email of ['a\0b', '\ud800', 'x'.repeat(300), null, {}]) {
      expect((await world.api.post('/auth/login', { email, password: PASSWORD })).status).toBe(400);
    }
  });
});

describe('JWT (rule 1.3)', () => {
  let alice: TestUser;
  beforeAll(async () => {
    alice = await world.user();
  });

  it('access tokens are ES256 JWTs of 15 minutes that the published keys verify', async () => {
    const [head, payload, signature] = alice.token.split('.') as [string, string, string];
    const keySet = await world.api.get('//.well-known/jwks.json');
    expect(keySet.status).toBe(200);
    expect(keySet.body.keys).toHaveLength(1);
    const [jwk] = keySet.body.keys;
    expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(decode(head)).toEqual({ alg: 'ES256', kid: jwk.kid, typ: 'JWT' });
    const claims = decode(payload) as Record<string, number>;
    expect(Object.keys(claims).sort()).toEqual([
      'aud',
      'auth_time',
      'exp',
      'gen',
      'iat',
      'iss',
      'jti',
      'sid',
      'sub',
    ]);
    expect(claims.sub).toBe(alice.id);
    expect((claims.exp as number) - (claims.iat as number)).toBe(900);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const isGood = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    expect(isGood).toBe(true);
  });

  it('access tokens have their key set outside the version prefix only', async () => {
    expect((await world.api.get('/.well-known/jwks.json')).status).toBe(404);
  });

  it('access tokens expire after 15 minutes', async () => {
    later(14 * 60_000);
    expect((await me(alice.token)).status).toBe(200);
    later(15 * 60_000);
    const answer = await me(alice.token);
    expectUnauthorized(answer);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(answer.body.error.message).toBe('The access token has expired; refresh it or log in again');
    const [head, payload] = alice.token.split('.') as [string, string];
    const forged = await me(`${head}.${payload}.${'A'.repeat(86)}`);
    expect(forged.body.error.message).toBe('The access token is not valid');
  });

  it('access tokens are refused when any part of them is wrong', async () => {
    const [head, payload, signature] = alice.token.split('.') as [string, string, string];
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const signedByStranger = (h: object, p: object) => {
      const text = `${encode(h)}.${encode(p)}`;
      return `${text}.${sign('sha256', Buffer.from(text), { key: stranger, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    };
    const tampered = [
      '',
      'x',
      'a.b.c',
      `${head}.${payload}.`,
      `${head}.${payload}.${signature.slice(0, -4)}AAAA`,
      // The same bytes, written with other bits where base64url has some to spare.
      `${head}.${payload}.${signature.slice(0, -1)}${nextDigit(signature.slice(-1))}`,
      `${head}.${encode({ ...decode(payload), sub: world.number() })}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${encode({ alg: 'HS256', typ: 'JWT' })}.${payload}.${signature}`,
      signedByStranger(decode(head), decode(payload)),
      `${alice.token} x`,
    ];
    for (const token of tampered) expectUnauthorized(await me(token));
    expectUnauthorized(await world.api.get('/auth/me'));
    expectUnauthorized(await world.api.get('/auth/me', { headers: { Authorization: alice.token } }));
    expectUnauthorized(await world.api.get('/auth/me', { headers: { Authorization: 'Basic YTpi' } }));
  });

  it('access tokens are refused once the user is gone', async () => {
    const gone = await world.user();
    expect((await gone.get('/auth/me')).status).toBe(200);
    await world.nest.get(Database).dataSource.query('DELETE FROM users WHERE id = $1', [gone.id]);
    await world.nest
      .get(Database)
      .dataSource.query('UPDATE sequences SET policy = policy + 1 WHERE id = $1', [gone.id]);
    expectUnauthorized(await gone.get('/auth/me'));
  });
});

describe('POST /auth/refresh (rules 1.1, 1.3)', () => {
  const begin = async (): Promise<string> => {
    const user = await world.user();
    return (await logIn(`${user.name}@example.org`)).body.refresh_token as string;
  };

  it('refresh tokens give new tokens and are replaced by each use', async () => {
    const first = await begin();
    const answer = await refresh(first);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(Object.keys(answer.body).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'token_type',
    ]);
    expect(answer.body.refresh_token).not.toBe(first);
    expect((await me(answer.body.access_token)).status).toBe(200);
    expect((await refresh(answer.body.refresh_token)).status).toBe(200);
  });

  it('refresh tokens end their whole family when a used one is sent again, and no other family', async () => {
    const user = await world.user();
    const email = `${user.name}@example.org`;
    const [first, other] = [(await logIn(email)).body.refresh_token, (await logIn(email)).body.refresh_token];
    const second = (await refresh(first)).body.refresh_token;
    expectUnauthorized(await refresh(first));
    expectUnauthorized(await refresh(second));
    expect((await refresh(other)).status).toBe(200);
  });

  it('refresh tokens end the family even when the reuse has an Idempotency-Key', async () => {
    const first = await begin();
    const second = (await refresh(first)).body.refresh_token;
    const replay = await world.api.post(
      '/auth/refresh',
      { refresh_token: first },
      { headers: { 'Idempotency-Key': 'k' } },
    );
    expectUnauthorized(replay);
    expectUnauthorized(await refresh(second));
  });

  it('refresh tokens are new for each log-in, also under one Idempotency-Key, because answers with tokens are not stored', async () => {
    const { email, password } = { email: 'again@example.org', password: 'correct horse battery' };
    await world.user('again');
    const logIn = () =>
      world.api.post('/auth/login', { email, password }, { headers: { 'Idempotency-Key': 'again' } });
    const [first, second] = [await logIn(), await logIn()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['cache-control']).toBe('no-store');
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token);
  });

  it('refresh tokens succeed at most once when used many times at once, and the copy ends the family', async () => {
    for (let round = 0; round < 5; round++) {
      const token = await begin();
      const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(token)));
      const good = answers.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expectUnauthorized(await refresh(good[0]?.body.refresh_token));
    }
  });

  it('refresh tokens leave no token valid when a family ends while its newest token is used', async () => {
    for (let round = 0; round < 10; round++) {
      const first = await begin();
      const second = (await refresh(first)).body.refresh_token;
      const [newest] = await Promise.all([refresh(second), refresh(first)]);
      if (newest.status === 200) expectUnauthorized(await refresh(newest.body.refresh_token));
    }
  });

  it('refresh tokens expire after 30 days, each counted from its own creation', async () => {
    const first = await begin();
    later(29 * DAY_MS);
    const second = await refresh(first);
    expect(second.status).toBe(200);
    later(58 * DAY_MS);
    const third = await refresh(second.body.refresh_token);
    expect(third.status).toBe(200);
    later(89 * DAY_MS);
    expectUnauthorized(await refresh(third.body.refresh_token));
  });

  it('refresh tokens expire 90 days after the log-in, however often they are used', async () => {
    let token = await begin();
    for (const days of [25, 50, 75, 89]) {
      later(days * DAY_MS);
      const answer = await refresh(token);
      expect(answer.status).toBe(200);
      token = answer.body.refresh_token;
    }
    later(90 * DAY_MS);
    expectUnauthorized(await refresh(token));
  });

  it('refresh tokens are refused when unknown, and bad input is 400', async () => {
    expectUnauthorized(await refresh('pig_refresh_unknown'));
    expectUnauthorized(await refresh(''));
    expect((await refresh(undefined)).status).toBe(400);
    expect((await refresh('x'.repeat(201))).status).toBe(400);
  });

  it('refresh tokens end with log-out, which may be repeated', async () => {
    const first = await begin();
    const second = (await refresh(first)).body.refresh_token;
    for (const token of [second, second, 'pig_refresh_unknown']) {
      const answer = await world.api.post('/auth/logout', { refresh_token: token });
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
    expectUnauthorized(await refresh(second));
  });

  it('refresh tokens are deleted 30 days after their end, and not before', async () => {
    const user = await world.user();
    const kept = () =>
      world.nest.get(Database).read(sql`SELECT id FROM refresh_tokens WHERE user_id = ${user.id}`);
    later(59 * DAY_MS);
    await world.nest.get(Housekeeping).sweep();
    expect(await kept()).toHaveLength(1);
    later(61 * DAY_MS);
    await world.nest.get(Housekeeping).sweep();
    expect(await kept()).toHaveLength(0);
  });

  it('refresh tokens are deleted with their log-in 30 days after its end', async () => {
    const user = await world.user();
    const kept = () => world.nest.get(Database).read(sql`SELECT id FROM log_ins WHERE user_id = ${user.id}`);
    later(119 * DAY_MS);
    await world.nest.get(Housekeeping).sweep();
    expect(await kept()).toHaveLength(1);
    later(121 * DAY_MS);
    await world.nest.get(Housekeeping).sweep();
    expect(await kept()).toHaveLength(0);
  });
});

describe('/auth/me (rule 1.1)', () => {
  it('the account changes username and is_public, each alone, and nothing else', async () => {
    const user = await world.user();
    const before = (await user.get('/auth/me')).body;
    const named = await user.patch('/auth/me', {
      username: 'Renamed',
      email: 'x@example.org',
      tier: 'enterprise',
      id: 'x',
    });
    expect([named.status, named.body]).toEqual([200, { ...before, username: 'Renamed' }]);
    const opened = await user.patch('/auth/me', { is_public: true });
    expect(opened.body).toEqual({ ...before, username: 'Renamed', is_public: true });
    expect((await user.patch('/auth/me', {})).body).toEqual(opened.body);
    expect((await user.get('/auth/me')).body).toEqual(opened.body);
  });

  it("the account may change the case of its own name, but not use another user's name", async () => {
    const user = await world.user('casey');
    await world.user('somebody');
    expect((await user.patch('/auth/me', { username: 'CASEY' })).status).toBe(200);
    const taken = await user.patch('/auth/me', { username: 'SomeBody' });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'USERNAME_EXISTS']);
    expect((await user.patch('/auth/me', { username: null })).status).toBe(400);
  });

  it('the account ends every log-in when its password changes', async () => {
    const user = await world.user();
    const email = `${user.name}@example.org`;
    const tokens = [(await logIn(email)).body.refresh_token, (await logIn(email)).body.refresh_token];
    const wrong = await user.post('/auth/password', {
      current_password: 'wrong',
      new_password: 'a new password',
    });
    expectUnauthorized(wrong);
    const short = await user.post('/auth/password', { current_password: PASSWORD, new_password: 'short' });
    expect(short.body.error.details[0].field).toBe('new_password');
    const common = await user.post('/auth/password', {
      current_password: PASSWORD,
      new_password: 'iloveyou',
    });
    expect([common.status, common.body.error.details[0].field]).toEqual([400, 'new_password']);
    expect((await refresh(tokens[0])).status).toBe(200);
    const changed = await user.post('/auth/password', {
      current_password: PASSWORD,
      new_password: 'a new password',
    });
    expect([changed.status, changed.text]).toEqual([204, '']);
    expectUnauthorized(await refresh(tokens[1]));
    expectUnauthorized(await logIn(email));
    expect((await logIn(email, 'a new password')).status).toBe(200);
  });

  it('the account leaves no log-in active that was made with the old password during the change', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await world.user();
      const email = `${user.name}@example.org`;
      const token = (await logIn(email)).body.refresh_token;
      const [changed, ...others] = await Promise.all([
        user.post('/auth/password', { current_password: PASSWORD, new_password: 'a new password' }),
        refresh(token),
        logIn(email),
        logIn(email),
      ]);
      expect(changed.status).toBe(204);
      for (const { status, body } of others) {
        if (status === 200) expectUnauthorized(await refresh(body.refresh_token));
      }
    }
  });

  it('the account stores no secret in clear text', async () => {
    const user = await world.user();
    const { body } = await logIn(`${user.name}@example.org`);
    const rows = await world.nest
      .get(Database)
      .read(sql`SELECT to_jsonb(u) AS row FROM users u UNION ALL SELECT to_jsonb(t) FROM refresh_tokens t`);
    const dump = JSON.stringify(rows);
    expect(dump).toContain('$argon2id$');
    for (const secret of [PASSWORD, body.refresh_token, body.access_token])
      expect(dump).not.toContain(secret);
  });
});
