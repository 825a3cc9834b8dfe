import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { withPeople } from '../support/worlds/people.js';

/** Rows of shares that were made before; null for the sharer: each by a stranger of its own. */
interface Earlier {
  by: TestUser | null;
  to: TestUser;
  many: number;
  /** The number of ids that each names. */
  ids?: number;
  scope?: 'specific_nodes' | 'specific_tags';
  expires?: string | null;
}

describe('the bounds of shares (rule 10.7h)', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ world, alice, bob, carol } = people),
    () => World.startHere(),
  );

  const earlier = ({ by, to, many, ids = 1, scope = 'specific_nodes', expires = null }: Earlier) =>
    world.nest.get(UnitOfWork).run(async () => {
      const named = sql`ARRAY(SELECT gen_random_uuid() FROM generate_series(1, ${ids}::int + 0 * n))`;
      const [tags, nodes] = scope === 'specific_tags' ? [named, sql`'{}'`] : [sql`'{}'`, named];
      await world.nest.get(Database).write(sql`INSERT INTO shares
        (owner_id, id, graph_owner_id, shared_with_user_id, scope, tag_ids, node_ids, can_read, can_write, can_delete, can_share,
          source, created_at, updated_at, expires_at)
        SELECT sharer, gen_random_uuid(), sharer, ${to.id}, ${scope}, ${tags}, ${nodes}, true, false, false, false,
          'manual', now(), now(), ${expires}::timestamptz
        FROM (SELECT n, coalesce(${by?.id ?? null}::uuid, gen_random_uuid()) AS sharer FROM generate_series(1, ${many}::int) AS n) AS g`);
    });
  const nodes = async (owner: TestUser, many: number): Promise<string[]> => {
    const batch = Array.from({ length: many }, (_, i) => ({ title: `n${i}`, node_type: 'note' }));
    return (await owner.post('/nodes/batch', { nodes: batch })).body.created.map(
      ({ id }: { id: string }) => id,
    );
  };
  const share = (from: TestUser, to: TestUser, body: object = { scope: 'all' }) =>
    from.post('/sharing', { shared_with_user_id: to.id, ...body });
  const ofNodes = (node_ids: string[]): object => ({ scope: 'specific_nodes', node_ids });
  /** Makes a sharer no stranger to a recipient. */
  const acquainted = (recipient: TestUser, sharer: TestUser) =>
    idOf(recipient, '/follows', { target_user_id: sharer.id });
  const refusal = ({ status, body }: Awaited<ReturnType<TestUser['get']>>): unknown[] => [
    status,
    body.error?.code,
    body.error?.details,
  ];
  const refused = (quota: string, limit: number): unknown[] => [403, 'QUOTA_EXCEEDED', { quota, limit }];
  const given = async (by: TestUser): Promise<number> => (await by.get('/sharing/outgoing')).body.total;

  it('a sharer has 200 shares with one recipient, also of several made at once, and those that are over do not count', async () => {
    await acquainted(bob, alice);
    await earlier({ by: alice, to: bob, many: 198 });
    await earlier({ by: alice, to: bob, many: 50, expires: '2020-01-01' });
    const made = await Promise.all([1, 2, 3].map(() => share(alice, bob)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 403]);
    expect(refusal(await share(alice, bob))).toEqual(refused('shares_to_user', 200));
    expect(await given(alice)).toBe(250);
    expect((await share(alice, carol)).status).toBe(201);
    const { id } = made.find(({ status }) => status === 201)?.body;
    expect((await bob.delete(`/sharing/${id}`)).status).toBe(200);
    expect((await share(alice, bob)).status).toBe(201);
  });

  it('the shares between two people name 20,000 nodes and tags, counted with those of parents', async () => {
    await acquainted(bob, alice);
    const ids = await nodes(alice, 20);
    await earlier({ by: alice, to: bob, many: 19, ids: 1000 });
    await earlier({ by: alice, to: bob, many: 1, ids: 990 });
    expect(refusal(await share(alice, bob, ofNodes(ids)))).toEqual(refused('share_ids_to_user', 20_000));
    const one = await idOf(alice, '/sharing', { shared_with_user_id: bob.id, ...ofNodes(ids.slice(0, 10)) });
    const change = (count: number) => alice.put(`/sharing/${one}`, { node_ids: ids.slice(0, count) });
    expect(refusal(await change(11))).toEqual(refused('share_ids_to_user', 20_000));
    expect((await alice.get(`/sharing/${one}`)).body.node_ids).toHaveLength(10);
    expect((await change(5)).status).toBe(200);

    const root = { shared_with_user_id: carol.id, ...ofNodes(ids), can_share: true };
    await idOf(alice, '/sharing', root);
    const dave = await world.user();
    await acquainted(dave, carol);
    await earlier({ by: carol, to: dave, many: 1, ids: 19_980 });
    expect(refusal(await share(carol, dave, ofNodes([ids[0] as string])))).toEqual(
      refused('share_ids_to_user', 20_000),
    );
  });

  it('a stranger has 20 shares with a recipient, naming 2,000 nodes and tags, until the recipient asks to follow', async () => {
    const [one] = await nodes(alice, 1);
    for (let count = 0; count < 20; count++) expect((await share(alice, bob)).status).toBe(201);
    expect(refusal(await share(alice, bob))).toEqual(refused('shares_to_user', 20));
    await acquainted(bob, alice);
    expect((await share(alice, bob)).status).toBe(201);

    await earlier({ by: alice, to: carol, many: 2, ids: 1000 });
    expect(refusal(await share(alice, carol, ofNodes([one as string])))).toEqual(
      refused('share_ids_to_user', 2000),
    );
    expect((await share(alice, carol)).status).toBe(201);
    await acquainted(carol, alice);
    expect((await share(alice, carol, ofNodes([one as string]))).status).toBe(201);
  });

  it('a blocked sharer makes room for other strangers, and is answered as before (rules 10.7h, 10.7i)', async () => {
    const dave = await world.user();
    for (const recipient of [bob, dave]) {
      await earlier({ by: alice, to: recipient, many: 15 });
      await earlier({ by: null, to: recipient, many: 1985 });
    }
    expect(refusal(await share(carol, bob))).toEqual(refused('received_shares', 2000));
    expect((await bob.put(`/blocked-users/${alice.id}`)).status).toBe(200);
    for (const recipient of [bob, dave])
      expect(refusal(await share(alice, recipient))).toEqual(refused('received_shares', 2000));
    expect((await share(carol, bob)).status).toBe(201);
  });

  it('strangers together cannot keep those out whom the recipient follows or gives a share', async () => {
    await earlier({ by: null, to: bob, many: 2000 });
    expect(refusal(await share(alice, bob))).toEqual(refused('received_shares', 2000));
    expect(refusal(await share(carol, bob))).toEqual(refused('received_shares', 2000));
    await idOf(bob, '/follows', { target_user_id: alice.id });
    expect((await share(alice, bob)).status).toBe(201);
    expect((await share(bob, carol)).status).toBe(201);
    expect((await share(carol, bob)).status).toBe(201);
    const dave = await world.user();
    await earlier({ by: null, to: carol, many: 60, ids: 1000 });
    const [node] = await nodes(dave, 1);
    expect(refusal(await share(dave, carol, ofNodes([node as string])))).toEqual(
      refused('received_share_ids', 60_000),
    );
    expect((await share(dave, carol)).status).toBe(201);
  });

  it('a user receives 10,000 shares in all, those of follows included', async () => {
    await earlier({ by: null, to: bob, many: 10_000 });
    await alice.patch('/auth/me', { is_public: true });
    await share(bob, carol);
    expect(refusal(await share(carol, bob))).toEqual(refused('received_shares', 10_000));
    const follow = await bob.post('/follows', { target_user_id: alice.id });
    expect(refusal(follow)).toEqual(refused('received_shares', 10_000));
    expect((await bob.get('/follows/outgoing')).body.total).toBe(0);
  });

  it('shares from before the bounds go on working, become smaller and end', async () => {
    const ids = await nodes(alice, 3);
    const one = await idOf(alice, '/sharing', { shared_with_user_id: bob.id, ...ofNodes(ids) });
    await earlier({ by: alice, to: bob, many: 300 });
    expect((await alice.put(`/sharing/${one}`, { can_write: true })).status).toBe(200);
    expect((await alice.put(`/sharing/${one}`, { node_ids: ids.slice(1) })).status).toBe(200);
    expect((await bob.get('/nodes')).body.total).toBe(2);
    expect((await alice.delete(`/sharing/${one}`)).status).toBe(200);
    expect((await bob.get('/nodes')).body.total).toBe(0);
  });

  it('the lists of tags by which one person shares name 100,000 tags, equal lists counted once', async () => {
    const [one, other] = [
      await idOf(alice, '/tags', { name: 'one' }),
      await idOf(alice, '/tags', { name: 'two' }),
    ];
    const byTags = (tag_ids: string[]): object => ({ scope: 'specific_tags', tag_ids });
    await earlier({ by: alice, to: carol, many: 99, ids: 1000, scope: 'specific_tags' });
    await earlier({ by: alice, to: carol, many: 1, ids: 999, scope: 'specific_tags' });
    const { status, body } = await share(alice, bob, byTags([one]));
    expect(status).toBe(201);
    expect((await share(alice, bob, byTags([one]))).status).toBe(201);
    expect(refusal(await share(alice, bob, byTags([other])))).toEqual(refused('shared_tags', 100_000));
    const change = await alice.put(`/sharing/${body.id}`, byTags([other]));
    expect(refusal(change)).toEqual(refused('shared_tags', 100_000));
  });
});
