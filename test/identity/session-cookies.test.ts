import { Secret, TOTP } from 'otpauth';
import { type Answer } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, World } from '../support/world.js';

const PASSWORD = 'correct horse battery';
const session = 'cookie';

let world: World;
beforeAll(async () => {
  world = await World.startHere();
});
afterAll(() => world.stop());
afterEach(() => letClockRun(world));

const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']?.[0]);
/** The part of a Set-Cookie that a browser sends back. */
const sentBack = (answer: Answer): string => cookieOf(answer).split(';')[0] as string;
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  world.api.post(path, body, { headers });
const refresh = (Cookie: string, headers: Record<string, string> = {}) =>
  post('/auth/refresh', { session }, { Cookie, ...headers });
const logIn = (user: TestUser, headers: Record<string, string> = {}) =>
  post('/auth/login', { email: `${user.name}@example.org`, password: PASSWORD, session }, headers);
const isLoggedIn = async ({ body }: Answer): Promise<boolean> =>
  (await world.api.get('/auth/me', { headers: { Authorization: `Bearer ${body.access_token}` } })).status ===
  200;

describe('sessions in cookies (rule 1.24)', () => {
  it('a log-in that asks for a cookie has its refresh token there, and nowhere in its body', async () => {
    const answer = await logIn(await world.user());
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['user', 'access_token', 'token_type', 'expires_in']);
    expect(cookieOf(answer)).toMatch(
      /^pig_session=pig_refresh_[\w-]{108}; Max-Age=2592000; Path=\/api\/v1\/auth; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.text).not.toContain('pig_refresh_');
  });

  it('clients that ask for no cookie get none and have the token in the body', async () => {
    const user = await world.user();
    const answer = await post('/auth/login', { email: `${user.name}@example.org`, password: PASSWORD });
    expect(answer.headers['set-cookie']).toBeUndefined();
    const { refresh_token } = answer.body;
    const refreshed = await post('/auth/refresh', { refresh_token });
    expect(refreshed.headers['set-cookie']).toBeUndefined();
    expect(refreshed.body.refresh_token).toMatch(/^pig_refresh_/);
  });

  it('registration and the second step of a log-in can ask for a cookie, too', async () => {
    const name = `cookie.${Date.now()}`;
    const account = { email: `${name}@example.org`, username: name, password: PASSWORD };
    const registered = await post('/auth/register', { ...account, session });
    expect(registered.status).toBe(201);
    expect(registered.body.refresh_token).toBeUndefined();
    expect(await isLoggedIn(await refresh(sentBack(registered)))).toBe(true);

    const user = await world.user();
    const { secret } = (await user.post('/auth/totp')).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recovery_codes } = (await user.post('/auth/totp/confirm', { code })).body;
    const first = await logIn(user);
    expect([first.status, first.headers['set-cookie']]).toEqual([401, undefined]);
    const { challenge } = first.body.error.details;
    const answer = { challenge, recovery_code: recovery_codes[0], session };
    const second = await post('/auth/login/second-factor', answer);
    expect([second.status, second.body.refresh_token]).toEqual([200, undefined]);
    expect(await isLoggedIn(await refresh(sentBack(second)))).toBe(true);
  });

  it('two exchanges at once get the same cookie, and both have working access tokens', async () => {
    const cookie = sentBack(await logIn(await world.user()));
    const answers = await Promise.all([refresh(cookie), refresh(cookie), refresh(cookie)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(sentBack)).size).toBe(1);
    expect(sentBack(answers[0] as Answer)).not.toBe(cookie);
    for (const answer of answers) expect(await isLoggedIn(answer)).toBe(true);
  });

  it('a spent cookie that comes back after a minute ends its log-in', async () => {
    const clock = holdClock(world);
    const cookie = sentBack(await logIn(await world.user()));
    const next = await refresh(cookie);
    clock.advance(60);
    expect((await refresh(cookie)).status).toBe(200);
    clock.advance(1);
    expect((await refresh(cookie)).status).toBe(401);
    expect(await isLoggedIn(next)).toBe(false);
    expect((await refresh(sentBack(next))).status).toBe(401);
  });

  it('a spent cookie ends its log-in once its successor is spent', async () => {
    const cookie = sentBack(await logIn(await world.user()));
    const second = await refresh(cookie);
    const third = await refresh(sentBack(second));
    expect((await refresh(cookie)).status).toBe(401);
    expect(await isLoggedIn(third)).toBe(false);
  });

  it('the token of a cookie that was spent has no grace in a body', async () => {
    const cookie = sentBack(await logIn(await world.user()));
    const next = await refresh(cookie);
    const refresh_token = cookie.split('=')[1];
    expect((await post('/auth/refresh', { refresh_token })).status).toBe(401);
    expect(await isLoggedIn(next)).toBe(false);
  });

  it.each([
    ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page of another host of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['a page without an origin', { Origin: 'null' }],
    ['a page of another port on plain http', { Origin: 'http://127.0.0.1:9' }],
  ])('%s can neither use a cookie nor get one', async (_, headers) => {
    const user = await world.user();
    const cookie = sentBack(await logIn(user));
    for (const refused of [
      await refresh(cookie, headers),
      await logIn(user, headers),
      await post('/auth/logout', { session }, { Cookie: cookie, ...headers }),
    ]) {
      expect([refused.status, refused.body.error?.code]).toEqual([403, 'PERMISSION_DENIED']);
      expect(refused.headers['set-cookie']).toBeUndefined();
    }
    expect((await refresh(cookie, { Origin: world.origin })).status).toBe(200);
  });

  it('a cookie is used only where the body asks for it', async () => {
    const cookie = sentBack(await logIn(await world.user()));
    const bare = await post('/auth/refresh', {}, { Cookie: cookie });
    expect([bare.status, bare.body.error.details[0].field]).toEqual([400, 'refresh_token']);
    const form = await world.api.post('/auth/refresh', 'session=cookie', {
      headers: { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(415);
    expect((await world.api.get('/auth/me', { headers: { Cookie: cookie } })).status).toBe(401);
  });

  it('a token in the body is taken before the cookie, and can move into one', async () => {
    const user = await world.user();
    const inBody = await post('/auth/login', { email: `${user.name}@example.org`, password: PASSWORD });
    const { refresh_token } = inBody.body;
    const cookie = sentBack(await logIn(user));
    const moved = await post('/auth/refresh', { session, refresh_token }, { Cookie: cookie });
    expect([moved.status, moved.body.refresh_token]).toEqual([200, undefined]);
    expect((await refresh(sentBack(moved))).status).toBe(200);
    expect((await refresh(cookie)).status).toBe(200);
    expect((await post('/auth/refresh', { session, refresh_token: 'x' }, { Cookie: cookie })).status).toBe(
      401,
    );
  });

  it('logging out ends the log-in and removes the cookie; without a cookie it changes nothing', async () => {
    const answer = await logIn(await world.user());
    const ended = await post('/auth/logout', { session }, { Cookie: sentBack(answer) });
    expect(ended.status).toBe(204);
    expect(cookieOf(ended)).toMatch(/^pig_session=; Path=\/api\/v1\/auth; Expires=Thu, 01 Jan 1970/);
    expect(await isLoggedIn(answer)).toBe(false);
    expect((await refresh(sentBack(answer))).status).toBe(401);
    expect((await post('/auth/logout', { session })).status).toBe(204);
    expect((await post('/auth/refresh', { session })).status).toBe(401);
  });
});

describe('addresses with https', () => {
  it('the cookie of a public address with https is secure', async () => {
    const other = await World.startHere({ PUBLIC_URL: 'https://graph.example/' });
    try {
      const user = await other.user();
      const account = { email: `${user.name}@example.org`, password: PASSWORD, session };
      const headers = { Origin: 'https://graph.example' };
      const answer = await other.api.post('/auth/login', account, { headers });
      expect(cookieOf(answer)).toMatch(
        /^__Secure-pig_session=.*; Path=\/api\/v1\/auth; .*HttpOnly; Secure; SameSite=Strict$/,
      );
    } finally {
      await other.stop();
    }
  });
});
