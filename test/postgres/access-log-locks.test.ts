import pg from 'pg';
import { Config } from '../../src/config/config.js';
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
});
