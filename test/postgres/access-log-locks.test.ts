import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { AccessLog } from '../../src/oversight/application/access-log.service.js';
import { until } from '../support/until.js';
import { node } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

describe('the access log beside a lock of one person', () => {
  let world: World;
  let other: pg.Client;
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    other = new pg.Client({ connectionString: world.nest.get(Config).databaseUrl as string });
    await other.connect();
    [alice, bob] = [await world.user(), await world.user()];
  });
  afterAll(async () => {
    await other.end();
    await world.stop();
  });

  /** The number of statements of this database that wait for a lock. */
  const waiting = async (): Promise<number> => {
    // A transaction sees one moment of the statistics, until they are cleared.
    await other.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await other.query(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return (rows as { count: number }[])[0]?.count ?? 0;
  };
  const logged = async (user: TestUser): Promise<number> =>
    (await user.get('/access-log?action=read')).body.total as number;

  it('entries of a person whose row is locked are written later, and all others at once', async () => {
    const app = await world.app();
    for (const user of [alice, bob]) {
      const { id } = await node(user);
      const client = await user.lets(app);
      // Writes the earlier requests of the app.
      await logged(user);
      await other.query(user === alice ? 'BEGIN' : 'SELECT 1');
      if (user === alice) await other.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [alice.id]);
      expect((await client.get(`/nodes/${id}`)).status).toBe(200);
    }
    expect(await logged(bob)).toBe(1);
    expect(await logged(alice)).toBe(0);
    await other.query('ROLLBACK');
    expect(await logged(alice)).toBe(1);
  });

  it('the last write before the service ends waits for a locked person, and loses no entry', async () => {
    const carol = await world.user();
    const { id } = await node(carol);
    const client = await carol.lets(await world.app());
    await logged(carol);
    await other.query('BEGIN');
    await other.query('SELECT id FROM users WHERE id = $1 FOR UPDATE', [carol.id]);
    expect((await client.get(`/nodes/${id}`)).status).toBe(200);
    const ending = world.nest.get(AccessLog).onApplicationShutdown();
    await until(async () => (await waiting()) > 0, 'the last write waits');
    await other.query('ROLLBACK');
    await ending;
    const { rows } = await other.query(
      `SELECT requests FROM access_log WHERE owner_id = $1 AND action = 'read'`,
      [carol.id],
    );
    expect(rows).toEqual([{ requests: 1 }]);
  });
});
