import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { group, joins } from '../support/worlds/people.js';
import { until } from '../support/until.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('revoked admins', () => {
  let world: World;
  withWorld((started) => (world = started));

  it('an invitation of an admin is not accepted behind the demotion of that admin that is under way (rule 10.3)', async () => {
    const [alice, bob, carol] = [await world.user(), await world.user(), await world.user()];
    const id = await group(alice);
    await joins(bob, alice, id, 'admin');
    const invited = await bob.post(`/groups/${id}/invitations`, { user_id: carol.id, role: 'admin' });
    const database = world.nest.get(Database);
    const waiters = () =>
      database.readCommitted(
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    const waiting = (expected: number): Promise<void> =>
      until(async () => (await waiters()).length >= expected, `${expected} requests wait for the group`);
    const [demotion, acceptance] = await world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql`SELECT 1 FROM groups WHERE id = ${id} FOR UPDATE`);
      const demoting = alice.put(`/groups/${id}/members/${bob.id}`, { role: 'member' });
      await waiting(1);
      const accepting = carol.put(`/groups/invitations/${invited.body.id}`, { action: 'accept' });
      await waiting(2);
      return [demoting, accepting] as const;
    });
    expect([(await demotion).status, (await acceptance).status]).toEqual([200, 409]);
    expect((await carol.get(`/groups/${id}`)).status).toBe(403);
  });
});
