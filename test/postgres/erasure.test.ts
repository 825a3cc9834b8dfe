import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { RestoredRowsQueries } from '../../src/portability/infrastructure/restored-rows.queries.js';
import { erase } from '../portability/erasures.js';
import { World } from '../support/world.js';
import { codeOf } from '../support/worlds/nodes.js';
import { withWorld } from '../support/worlds/with-world.js';

/** Resolves when this number of connections waits for a lock. */
async function waiting(client: pg.Client, count: number): Promise<void> {
  let found = 0;
  for (let looks = 0; found < count && looks < 5_000; looks++) {
    await client.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await client.query(
      `SELECT count(*)::int AS found FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    found = rows[0].found;
  }
  expect(found).toBeGreaterThanOrEqual(count);
}

describe('two processes', () => {
  let world: World;
  // Enough connections for three writes of one person at once (rule 11.9d).
  withWorld(
    (started) => (world = started),
    () => World.startHere({ DATABASE_POOL: '15' }),
  );

  it('tokens and keys of an erased account end at once in another process, too', async () => {
    const { databaseUrl, dataDir } = world.nest.get(Config);
    const second = await World.startHere({ DATABASE_URL: databaseUrl as string, DATA_DIR: dataDir });
    try {
      const [alice, app] = [await world.user(), await world.app()];
      const { authorization } = await alice.authorizes(app);
      const there = (headers: Record<string, string>) => second.api.with(headers).get('/nodes');
      const credentials: Record<string, string>[] = [
        { Authorization: `Bearer ${alice.token}` },
        { 'X-API-Key': app.apiKey, 'X-User-ID': alice.id },
        { 'X-API-Key': authorization.user_key as string },
      ];
      for (const one of credentials) expect((await there(one)).status).toBe(200);
      await erase({ user: alice });
      const statuses: number[] = [];
      for (const one of credentials) statuses.push((await there(one)).status);
      expect(statuses).toEqual([401, 403, 401]);
    } finally {
      await second.stop();
    }
  });

  it('an erasure beside an import of the account waits for two seconds, and locks nothing of it (rule 12.4)', async () => {
    const alice = await world.user();
    const client = new pg.Client(world.nest.get(Config).databaseUrl as string);
    await client.connect();
    const free = 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED';
    try {
      await world.nest.get(UnitOfWork).run(async () => {
        await world.nest.get(RestoredRowsQueries).lock(alice.id);
        const erasing = erase({ user: alice });
        await waiting(client, 1);
        expect((await client.query(free, [alice.id])).rows).toEqual([{ id: alice.id }]);
        expect(codeOf(await erasing)).toEqual([503, 'SERVICE_UNAVAILABLE']);
      });
    } finally {
      await client.end();
    }
    expect((await erase({ user: alice })).status).toBe(204);
  });

  it('an account that has deleted any number of apps is erased, with locks for its living ones only (rule 12.4)', async () => {
    const alice = await world.user();
    // More than the lock table of a server holds.
    await world.nest.get(UnitOfWork).run(() =>
      world.nest.get(Database).write(
        sql`INSERT INTO apps (id, owner_id, name, client_level, requested_permissions, tier, is_active, created_at, updated_at, deleted_at)
          SELECT gen_random_uuid(), ${alice.id}, 'ended', 'L2', '{}', 'free', false, now(), now(), now()
          FROM generate_series(1, 40000)`,
      ),
    );
    expect((await erase({ user: alice })).status).toBe(204);
    const named = await world.nest
      .get(Database)
      .read(sql`SELECT id FROM apps WHERE owner_id = ${alice.id} AND name <> ''`);
    expect(named).toEqual([]);
  });

  it('nobody makes an app, a group or a place in an account that is gone by then', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const { body: group } = await bob.post('/groups', { name: 'theirs' });
    const { body: invitation } = await bob.post(`/groups/${group.id}/invitations`, { user_id: alice.id });
    const erasure = new pg.Client(world.nest.get(Config).databaseUrl as string);
    await erasure.connect();
    try {
      await erasure.query('BEGIN');
      await erasure.query("SELECT pg_advisory_xact_lock(hashtextextended('account ' || $1::uuid::text, 0))", [
        alice.id,
      ]);
      const writes = Promise.all([
        alice.post('/apps', { name: 'late', requested_permissions: { tags: { read: true } } }),
        alice.post('/groups', { name: 'late' }),
        alice.put(`/groups/invitations/${invitation.id}`, { action: 'accept' }),
      ]);
      await waiting(erasure, 3);
      await erasure.query('DELETE FROM users WHERE id = $1', [alice.id]);
      await erasure.query('COMMIT');
      expect((await writes).map(({ status }) => status)).toEqual([401, 401, 401]);
    } finally {
      await erasure.end();
    }
    const database = world.nest.get(Database);
    for (const [table, column] of [
      ['apps', 'owner_id'],
      ['groups', 'created_by'],
      ['group_members', 'user_id'],
    ] as const)
      expect([
        table,
        await database.read(sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.raw(column)} = ${alice.id}`),
      ]).toEqual([table, []]);
  });
});
