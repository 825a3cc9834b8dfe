import { beforeEach, describe, expect, it } from '@jest/globals';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { hashOfSecret } from '../../src/identity/domain/key-text.js';
import { Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const PASSWORD = 'correct horse battery';
const MOST = 100;

describe('bounds of log-ins (rule 1.3)', () => {
  let world: World;
  let user: TestUser;
  withWorld(
    (started) => (world = started),
    () => World.startHere(),
  );
  beforeEach(async () => {
    user = await world.user();
  });

  async function logIn() {
    const { body } = await world.api.post('/auth/login', {
      email: `${user.name}@example.org`,
      password: PASSWORD,
    });
    const client = new Client(world.origin, { Authorization: `Bearer ${body.access_token}` });
    return { client, refreshToken: body.refresh_token as string };
  }
  const refresh = (token: string) => world.api.post('/auth/refresh', { refresh_token: token });
  const rows = () =>
    world.nest.get(Database).read<{ logIns: number; tokens: number }>(
      sql`SELECT (SELECT count(*)::int FROM log_ins WHERE user_id = ${user.id}) AS "logIns",
        (SELECT count(*)::int FROM refresh_tokens WHERE user_id = ${user.id}) AS tokens`,
    );
  /** Log-ins of the person that ended some minutes ago, with a token each. */
  const addEnded = (count: number, minutes: number) =>
    world.nest.get(Database).dataSource.query(
      `WITH made AS (INSERT INTO log_ins (user_id, id, created_at, last_used_at, authenticated_at, expires_at, ended_at)
          SELECT $1, gen_random_uuid(), t, t, t, t + interval '90 days', t
          FROM (SELECT now() - make_interval(mins => $3::int) - n * interval '1 second' AS t FROM generate_series(1, $2::int) n) x
          RETURNING *)
        INSERT INTO refresh_tokens (user_id, id, family_id, token_hash, created_at, expires_at, ended_at)
        SELECT user_id, gen_random_uuid(), id, 'ended ' || id, created_at, expires_at, ended_at FROM made`,
      [user.id, count, minutes],
    );

  it('the 101st log-in ends the one that was not used for the longest time, and the list has 100', async () => {
    const kept = await logIn();
    const begun = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(async (lane) => {
        const made = [];
        for (let n = lane; n <= MOST - 2; n += 6) made.push(await logIn());
        return made;
      }),
    );
    expect(await user.get('/auth/me')).toMatchObject({ status: 200 });
    // Used again, it is not the next one to end.
    expect((await refresh(kept.refreshToken)).status).toBe(200);
    const newest = await logIn();
    expect((await user.get('/auth/me')).status).toBe(401);
    for (const { client } of [kept, newest]) expect((await client.get('/auth/me')).status).toBe(200);
    const { body } = await newest.client.get('/auth/sessions');
    expect([body.total, body.sessions.length]).toEqual([MOST, MOST]);
    const others = begun.flat();
    await logIn();
    const answers = await Promise.all(others.map(({ client }) => client.get('/auth/me')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(1);
    const ended = others[answers.findIndex(({ status }) => status === 401)];
    expect((await refresh(ended?.refreshToken as string)).status).toBe(401);
  });

  it('ended log-ins beyond the newest 100 are deleted with their tokens at a log-in, but not within half an hour', async () => {
    await addEnded(150, 60);
    await logIn();
    expect(await rows()).toEqual([{ logIns: MOST + 2, tokens: MOST + 2 }]);
    await addEnded(150, 1);
    await logIn();
    expect(await rows()).toEqual([{ logIns: 150 + 3, tokens: 150 + 3 }]);
  });

  it('spent refresh tokens have no rows, and one that comes back still ends its log-in', async () => {
    const { client, refreshToken: first } = await logIn();
    let newest = first;
    for (let n = 0; n < 5; n++) newest = (await refresh(newest)).body.refresh_token;
    await world.nest.get(Housekeeping).sweep();
    expect(await rows()).toEqual([{ logIns: 2, tokens: 2 }]);
    expect((await client.get('/auth/me')).status).toBe(200);
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(newest)).status).toBe(401);
    expect((await client.get('/auth/me')).status).toBe(401);
    expect((await user.get('/auth/me')).status).toBe(200);
  });

  it('refresh tokens of the earlier form are accepted once, and one that comes back ends its log-in', async () => {
    const { client, refreshToken } = await logIn();
    const earlier = `pig_refresh_${world.number().toString().padStart(43, 'a')}`;
    const stored = [hashOfSecret(earlier), hashOfSecret(refreshToken)];
    await world.nest
      .get(Database)
      .dataSource.query('UPDATE refresh_tokens SET token_hash = $1 WHERE token_hash = $2', stored);
    expect((await refresh(earlier)).status).toBe(200);
    expect((await client.get('/auth/me')).status).toBe(200);
    expect((await refresh(earlier)).status).toBe(401);
    expect((await client.get('/auth/me')).status).toBe(401);
  });
});
