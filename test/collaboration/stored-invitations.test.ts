import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { exported, rowsOf } from '../portability/archives.js';
import { World } from '../support/world.js';
import { group, type People, withPeople } from '../support/worlds/people.js';

let people: People;
withPeople(
  (met) => (people = met),
  () => World.startHere(),
);

describe('stored invitations (rule 10.3)', () => {
  it('an ended invitation is replaced by the next one to the same user', async () => {
    const { alice, bob, carol } = people;
    const groupId = await group(alice);
    const path = `/groups/${groupId}/invitations`;
    const invited = async (id: string) => (await alice.post(path, { user_id: id, role: 'member' })).body.id;
    for (let round = 0; round < 3; round++) {
      expect((await alice.delete(`${path}/${await invited(bob.id)}`)).status).toBe(200);
      const declined = await invited(carol.id);
      expect((await carol.put(`/groups/invitations/${declined}`, { action: 'decline' })).status).toBe(200);
    }
    const rows = rowsOf(await exported(alice), 'listed/group_invitations.ndjson');
    expect(rows.map(({ invited_user_id }) => invited_user_id).sort()).toEqual([bob.id, carol.id].sort());
  });

  it('a group may have 1,000 open invitations, and stores as many that have ended', async () => {
    const { world, alice, bob, carol } = people;
    const groupId = await group(alice);
    const path = `/groups/${groupId}/invitations`;
    const copies = (status: string, count: number) =>
      world.nest.get(UnitOfWork).run(() =>
        world.nest.get(Database).write(
          sql`INSERT INTO group_invitations (owner_id, id, invited_user_id, invited_by, role, status, created_at, responded_at)
            SELECT ${groupId}::uuid, gen_random_uuid(), gen_random_uuid(), ${alice.id}::uuid, 'member', ${status}::text, now(),
              CASE WHEN ${status}::text <> 'pending' THEN now() END FROM generate_series(1, ${count}::integer)`,
        ),
      );
    const stored = async (isPending: boolean) => {
      const [row] = await world.nest
        .get(Database)
        .read<{ count: number }>(
          sql`SELECT count(*) AS count FROM group_invitations WHERE owner_id = ${groupId} AND (status = 'pending') = ${isPending}::boolean`,
        );
      return row?.count;
    };
    await copies('cancelled', 1_010);
    await copies('pending', 999);
    expect((await alice.post(path, { user_id: bob.id, role: 'member' })).status).toBe(201);
    expect([await stored(true), await stored(false)]).toEqual([1_000, 1_000]);
    const refused = await alice.post(path, { user_id: carol.id, role: 'member' });
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      { code: 'QUOTA_EXCEEDED', details: { quota: 'pending_invitations', limit: 1000 } },
    ]);
  });
});
