import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { RestoredRowsQueries } from '../../src/portability/infrastructure/restored-rows.queries.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('races', () => {
  let world: World;
  withWorld((started) => (world = started));

  it('a change of a share that waits for its sharer’s counter leaves the recipient’s writes alone (rule 9.8i)', async () => {
    let [sharer, friend] = [await world.user(), await world.user()];
    if (sharer.id < friend.id) [sharer, friend] = [friend, sharer];
    const shared = await sharer.post('/sharing', { shared_with_user_id: friend.id, scope: 'all' });
    const database = world.nest.get(Database);
    const [changing, written] = await world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql`SELECT FROM sequences WHERE id = ${sharer.id} FOR UPDATE`);
      const changed = sharer.put(`/sharing/${shared.body.id}`, { expires_at: '2999-01-01T00:00:00Z' });
      let waiters: unknown[] = [];
      while (waiters.length === 0)
        waiters = await database.readCommitted(
          sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
      return [changed, await friend.post('/nodes', { title: 'mine', node_type: 'note' })] as const;
    });
    expect([written.status, (await changing).status]).toEqual([201, 200]);
  });

  it('a sharer whose own graph is locked for long keeps nobody else from sharing with the same person (rule 9.8i)', async () => {
    const [sharer, other, friend] = [await world.user(), await world.user(), await world.user()];
    const body = { shared_with_user_id: friend.id, scope: 'all' };
    const database = world.nest.get(Database);
    const [waited, shared] = await world.nest.get(UnitOfWork).run(async () => {
      await world.nest.get(RestoredRowsQueries).lock(sharer.id);
      const waiting = sharer.post('/sharing', body);
      let waiters: unknown[] = [];
      while (waiters.length === 0)
        waiters = await database.readCommitted(
          sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
      const answers = [waiting.then(({ status }) => status), other.post('/sharing', body)] as const;
      return [answers[0], (await answers[1]).status] as const;
    });
    expect(shared).toBe(201);
    await waited;
  });
});
