import { setTimeout } from 'node:timers/promises';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { group, joins } from '../support/worlds/people.js';
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
    const waiting = async (expected: number): Promise<void> => {
      for (let turn = 0; turn < 2000; turn++) {
        const waiters = await database.readCommitted(
          sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        if (waiters.length >= expected) return;
        await setTimeout(5);
      }
      throw new Error(`never: ${expected} requests that wait for the group`);
    };
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
