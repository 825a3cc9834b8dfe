import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { group, INVALID, type People, withPeople } from '../support/worlds/people.js';

let people: People;
withPeople(
  (met) => (people = met),
  () => World.startHere(),
);

/** Invitations of a user, each into a group of its own; null for the inviter: each by a stranger of its own. */
const invited = (to: TestUser, by: TestUser | null, many: number, status = 'pending') =>
  people.world.nest.get(UnitOfWork).run(() =>
    people.world.nest.get(Database).write(sql`
      WITH made AS (
        INSERT INTO groups (id, name, deletion_policy, created_by, is_active, version, created_at, updated_at)
        SELECT gen_random_uuid(), 'crowd', 'disband', coalesce(${by?.id ?? null}::uuid, gen_random_uuid()), true, 1, now(), now()
        FROM generate_series(1, ${many}::int) RETURNING id, created_by
      )
      INSERT INTO group_invitations (owner_id, id, invited_user_id, invited_by, role, status, created_at)
      SELECT id, gen_random_uuid(), ${to.id}, created_by, 'member', ${status}, date_trunc('day', now()) FROM made`),
  );
const invite = async (from: TestUser, to: TestUser) =>
  from.post(`/groups/${await group(from)}/invitations`, { user_id: to.id });
const refusal = ({ status, body }: Awaited<ReturnType<TestUser['get']>>): unknown[] => [
  status,
  body.error?.code,
  body.error?.details,
];
const refused = (quota: string, limit: number): unknown[] => [403, 'QUOTA_EXCEEDED', { quota, limit }];
const INCOMING = '/groups/invitations/incoming';

describe('pages of invitations (rule 10.3)', () => {
  it('each invitation of a user is on one page, the newest first, also of invitations with one timestamp', async () => {
    const { alice, bob, carol } = people;
    await invited(bob, null, 130);
    await invited(bob, null, 3, 'declined');
    await invited(carol, null, 3);
    const newest = (await invite(alice, bob)).body.id;
    const pages = [];
    for (let offset = 0; offset < 140; offset += 20)
      pages.push((await bob.get(`${INCOMING}?limit=20&offset=${offset}`)).body);
    const ids = pages.flatMap(({ invitations }) => invitations.map(({ id }: { id: string }) => id));
    expect([ids[0], ids.length, new Set(ids).size]).toEqual([newest, 131, 131]);
    expect(ids.slice(1)).toEqual([...ids.slice(1)].sort().reverse());
    expect(pages.map(({ total, limit }) => [total, limit])).toEqual(pages.map(() => [131, 20]));
    expect((await bob.get(INCOMING)).body).toEqual({ ...pages[0] });
    const widest = (await bob.get(`${INCOMING}?limit=1000`)).body;
    expect([widest.invitations.length, widest.limit, widest.offset]).toEqual([100, 100, 0]);
    expect((await bob.get(`${INCOMING}?offset=500`)).body).toMatchObject({ invitations: [], total: 131 });
    const wrong = await bob.get(`${INCOMING}?limit=0`);
    expect([wrong.status, wrong.body.error.code]).toEqual(INVALID);
  });

  it('admins see the open invitations of their group in pages', async () => {
    const { alice, bob, carol } = people;
    const path = `/groups/${await group(alice)}/invitations`;
    const first = await idOf(alice, path, { user_id: bob.id });
    const second = await idOf(alice, path, { user_id: carol.id });
    const at = async (offset: number) => (await alice.get(`${path}?limit=1&offset=${offset}`)).body;
    expect(await at(0)).toMatchObject({ invitations: [{ id: second }], total: 2, limit: 1, offset: 0 });
    expect(await at(1)).toMatchObject({ invitations: [{ id: first }], total: 2, limit: 1, offset: 1 });
  });
});

describe('bounds of invitations to one user (rule 10.3)', () => {
  it('a stranger has 20 open invitations to a user, until the user asks to follow', async () => {
    const { alice, bob } = people;
    await invited(bob, alice, 18);
    await invited(bob, alice, 9, 'declined');
    const made = [await invite(alice, bob), await invite(alice, bob)];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    expect(refusal(await invite(alice, bob))).toEqual(refused('invitations_to_user', 20));
    const { id } = made[0]?.body;
    expect((await bob.put(`/groups/invitations/${id}`, { action: 'decline' })).status).toBe(200);
    expect((await invite(alice, bob)).status).toBe(201);
    expect(refusal(await invite(alice, bob))).toEqual(refused('invitations_to_user', 20));
    await idOf(bob, '/follows', { target_user_id: alice.id });
    expect((await invite(alice, bob)).status).toBe(201);
  });

  it('strangers together have 1,000 open invitations to a user, and people whom the user gives a share are not held up by them', async () => {
    const { alice, bob, carol } = people;
    await invited(bob, null, 999);
    expect((await invite(alice, bob)).status).toBe(201);
    expect(refusal(await invite(carol, bob))).toEqual(refused('received_invitations', 1000));
    expect((await bob.get(INCOMING)).body.total).toBe(1000);
    await idOf(bob, '/sharing', { shared_with_user_id: carol.id, scope: 'all' });
    expect((await invite(carol, bob)).status).toBe(201);
  });

  it('ten strangers who invite at once succeed only as far as there is room for them', async () => {
    const { world, bob } = people;
    await invited(bob, null, 997);
    const strangers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const stranger = await world.user();
        return { stranger, path: `/groups/${await group(stranger)}/invitations` };
      }),
    );
    const made = await Promise.all(
      strangers.map(({ stranger, path }) => stranger.post(path, { user_id: bob.id })),
    );
    expect(made.filter(({ status }) => status === 201)).toHaveLength(3);
    expect((await bob.get(INCOMING)).body.total).toBe(1000);
  });

  it('a blocked inviter makes room for other strangers, and is answered as before (rule 10.7i)', async () => {
    const { alice, bob, carol } = people;
    await invited(bob, alice, 5);
    await invited(bob, null, 995);
    expect(refusal(await invite(carol, bob))).toEqual(refused('received_invitations', 1000));
    expect((await bob.put(`/blocked-users/${alice.id}`)).status).toBe(200);
    expect(refusal(await invite(alice, bob))).toEqual(refused('received_invitations', 1000));
    expect((await invite(carol, bob)).status).toBe(201);
  });

  it('a user has 2,000 open invitations in all', async () => {
    const { alice, bob } = people;
    await invited(bob, null, 2000);
    await idOf(bob, '/follows', { target_user_id: alice.id });
    expect(refusal(await invite(alice, bob))).toEqual(refused('received_invitations', 2000));
    expect((await bob.get(INCOMING)).body.total).toBe(2000);
  });
});
