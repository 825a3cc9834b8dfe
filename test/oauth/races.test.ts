import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type Connected, OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const ROUNDS = Number(process.env.ROUNDS ?? (onPostgres ? 25 : 10));
const CALLERS = 6;
/** A person's sessions, profiles and authorizations grow with each round. */
const ROUNDS_OF_ONE_PERSON = 100;
const TIMEOUT = 60_000 + ROUNDS * 3_000;
const GRACE_MS = 120_000;

const all = <T>(work: (index: number) => Promise<T>, callers = CALLERS): Promise<T[]> =>
  Promise.all(Array.from({ length: callers }, (_, index) => work(index)));
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

/** Requests at once to all processes, many times: whatever comes first, nothing outlives its end. */
describe(`concurrent requests about tokens (rules 14.4, 14.5; ${ROUNDS} rounds)`, () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let profile: string;
  let appId: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    ({ id: appId } = await oauth.app());
  });
  afterAll(() => oauth.world.stop());

  const rounds = async (work: (round: number) => Promise<void>) => {
    for (let round = 0; round < ROUNDS; round++) {
      if (round % ROUNDS_OF_ONE_PERSON === 0) {
        person = await oauth.world.user();
        profile = await oauth.transparent(person);
      }
      await work(round);
    }
  };
  const asked = async (scope = 'graph:read') => {
    const { request, verifier } = await oauth.request(appId, { scope });
    return { back: await oauth.allow(person, request, { exposure_profile_id: profile }), verifier };
  };
  const connected = async (scope?: string) => {
    const { back, verifier } = await asked(scope);
    const { status, body, text } = await oauth.redeem(appId, back, verifier);
    if (status !== 200) throw new Error(`token: ${status} ${text}`);
    return body as Connected;
  };
  const authorizationId = async () =>
    (await person.get('/authorizations?status=active')).body.authorizations[0].id as string;
  const opened = async (tokens: string[]) =>
    Promise.all(tokens.map(async (token) => (await oauth.with(token).get('/nodes')).status));
  const pairsOf = (answers: Answer[]) =>
    answers.filter(({ status }) => status === 200).map(({ body }) => body as Connected);
  /** Every token of these pairs opens nothing, and no refresh token brings another one. */
  const expectDead = async (pairs: Connected[]) => {
    // Twice for each token: every process is asked.
    const access = pairs.flatMap(({ access_token: token }) => [token, token]);
    expect(new Set(await opened(access)).has(200)).toBe(false);
    const refreshed = await Promise.all(pairs.map(({ refresh_token: token }) => oauth.refresh(appId, token)));
    expect(statuses(refreshed)).toEqual(pairs.map(() => 400));
  };

  it(
    'a code that is redeemed many times at once begins one session, which its second use ends',
    () =>
      rounds(async () => {
        const { back, verifier } = await asked();
        const answers = await all(() => oauth.redeem(appId, back, verifier));
        const pairs = pairsOf(answers);
        expect([pairs.length, statuses(answers).at(-1)]).toEqual([1, 400]);
        await expectDead(pairs);
        const { body } = await person.get(`/authorizations/${await authorizationId()}/sessions`);
        expect(body.total).toBe(0);
      }),
    TIMEOUT,
  );

  it(
    'a burst of refreshes with one token locks no client out, and all pairs die with their session',
    () =>
      rounds(async () => {
        const first = await connected();
        const answers = await all(() => oauth.refresh(appId, first.refresh_token));
        const pairs = pairsOf(answers);
        expect(pairs.length).toBe(CALLERS);
        expect(new Set(await opened(pairs.map(({ access_token: token }) => token)))).toEqual(new Set([200]));
        const next = await Promise.all(pairs.map(({ refresh_token: token }) => oauth.refresh(appId, token)));
        expect(pairsOf(next).length).toBe(CALLERS);
        const last = pairsOf(next)[0] as Connected;
        await oauth.form('revoke', { client_id: appId, token: last.refresh_token });
        await expectDead([first, ...pairs, ...pairsOf(next)]);
      }),
    TIMEOUT,
  );

  it(
    'a session that is revoked while it is refreshed has no living token after both answers',
    () =>
      rounds(async (round) => {
        const first = await connected();
        const answers = await all((index) =>
          index === round % CALLERS
            ? oauth.form('revoke', { client_id: appId, token: first.refresh_token })
            : oauth.refresh(appId, first.refresh_token),
        );
        const pairs = answers.filter(({ body }) => body?.access_token !== undefined);
        await expectDead([first, ...pairsOf(pairs)]);
      }),
    TIMEOUT,
  );

  it(
    'a revoked access token is dead while its session goes on being refreshed',
    () =>
      rounds(async () => {
        const first = await connected();
        const [, refreshed] = await Promise.all([
          oauth.form('revoke', { client_id: appId, token: first.access_token }),
          oauth.refresh(appId, first.refresh_token),
          oauth.with(first.access_token).get('/nodes'),
        ]);
        expect(await opened([first.access_token, first.access_token])).toEqual([401, 401]);
        const { access_token: token } = refreshed.body as Connected;
        expect(await opened([token, token])).toEqual([200, 200]);
      }),
    TIMEOUT,
  );

  it(
    'a narrowed authorization holds for uses that begin after its answer, also with tokens issued meanwhile',
    () =>
      rounds(async () => {
        const first = await connected('graph:read graph:create');
        const id = await authorizationId();
        const write = (token: string) =>
          oauth.with(token).post('/nodes', { title: 'a note', node_type: 'FACT' });
        const [narrowed, refreshed, ...written] = await Promise.all([
          person.patch(`/authorizations/${id}`, { scopes: ['graph:read'] }),
          oauth.refresh(appId, first.refresh_token),
          ...Array.from({ length: 4 }, () => write(first.access_token)),
        ]);
        expect([narrowed.status, refreshed.status]).toEqual([200, 200]);
        expect(written.every(({ status }) => [201, 403].includes(status))).toBe(true);
        const tokens = [first.access_token, (refreshed.body as Connected).access_token];
        const after = await Promise.all([...tokens, ...tokens].map(write));
        expect(statuses(after)).toEqual([403, 403, 403, 403]);
        expect(await opened(tokens)).toEqual([200, 200]);
      }),
    TIMEOUT,
  );

  it(
    'an authorization that is revoked while codes are redeemed and tokens refreshed leaves nothing alive',
    () =>
      rounds(async () => {
        const first = await connected();
        const [one, two] = [await asked(), await asked()];
        const id = await authorizationId();
        const [revoked, ...answers] = await Promise.all([
          person.delete(`/authorizations/${id}`),
          oauth.redeem(appId, one.back, one.verifier),
          oauth.refresh(appId, first.refresh_token),
          oauth.redeem(appId, two.back, two.verifier),
          oauth.refresh(appId, first.refresh_token),
        ]);
        expect(revoked.status).toBeLessThan(300);
        expect(answers.every(({ status }) => [200, 400].includes(status))).toBe(true);
        await expectDead([first, ...pairsOf(answers)]);
      }),
    TIMEOUT,
  );

  /** The clock of all processes, which runs ahead and never back. */
  const hand = {
    at: Date.now(),
    advance: async (ms: number) => {
      hand.at += ms;
      await oauth.world.holdClock(new Date(hand.at));
    },
  };
  /** Log-ins of people do not last from round to round. */
  const connectedLater = async () => {
    await hand.advance(1);
    person = await oauth.world.user();
    profile = await oauth.transparent(person);
    return connected();
  };

  it(
    'the grace ends for all of a burst: those before are answered, those after end the session with all its tokens',
    () =>
      rounds(async () => {
        const first = await connectedLater();
        const { body: second } = await oauth.refresh(appId, first.refresh_token);
        await hand.advance(GRACE_MS);
        const inTime = await all(() => oauth.refresh(appId, first.refresh_token));
        expect(pairsOf(inTime).length).toBe(CALLERS);
        const [across] = await Promise.all([
          all(() => oauth.refresh(appId, first.refresh_token)),
          hand.advance(1),
        ]);
        expect(across.every(({ status }) => [200, 400].includes(status))).toBe(true);
        const late = await all(() => oauth.refresh(appId, first.refresh_token));
        expect(statuses(late)).toEqual(late.map(() => 400));
        await expectDead([first, second as Connected, ...pairsOf(inTime), ...pairsOf(across)]);
      }),
    TIMEOUT,
  );

  it(
    'programs of one client that refresh twice at once, each from its last pair, are not locked out by any grace',
    () =>
      rounds(async () => {
        const first = await connectedLater();
        let held = (await all(() => oauth.refresh(appId, first.refresh_token))).map(
          ({ body }) => body as Connected,
        );
        for (const wait of [GRACE_MS, 1, GRACE_MS + 1]) {
          await hand.advance(wait);
          const bursts = held.map(({ refresh_token: token }) => all(() => oauth.refresh(appId, token), 2));
          const answers = await Promise.all(bursts);
          expect(pairsOf(answers.flat()).length).toBe(2 * CALLERS);
          held = answers.map(([, last]) => last?.body as Connected);
        }
        expect(new Set(await opened(held.map(({ access_token: token }) => token)))).toEqual(new Set([200]));
        await oauth.form('revoke', { client_id: appId, token: held[0]!.refresh_token });
        await expectDead(held);
      }),
    TIMEOUT,
  );
});
