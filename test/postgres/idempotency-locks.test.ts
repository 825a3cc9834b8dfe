import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('locks of Idempotency-Keys', () => {
  let world: World;
  withWorld((started) => (world = started));

  it('nobody can compute the number of the lock that a key takes', async () => {
    const user = await world.user();
    const database = world.nest.get(Database);
    const names = [`:${user.id}:mine`, `${user.id}:mine`, 'mine'];
    const { status } = await world.nest.get(UnitOfWork).run(async () => {
      for (const name of names)
        await database.write(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
      return user.post(
        '/nodes',
        { title: 'one', node_type: 'note' },
        { headers: { 'Idempotency-Key': 'mine' } },
      );
    });
    expect(status).toBe(201);
  });
});
