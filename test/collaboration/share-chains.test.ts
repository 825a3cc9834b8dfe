import { Database } from '../../src/kernel/database/database.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type Sql, sql } from '../../src/kernel/database/sql.js';
import { codeOf, node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { GONE, INVALID, withPeople } from '../support/worlds/people.js';

const ALL_RIGHTS = { can_read: true, can_write: true, can_delete: true, can_share: true };

describe('chains of shares', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ world, alice, bob, carol } = people),
    () => World.startHere(),
  );

  const share = async (
    from: TestUser,
    to: TestUser,
    body: object,
  ): Promise<{ id: string; parent_share_id: string | null }> => {
    const made = await from.post('/sharing', { shared_with_user_id: to.id, ...body });
    if (made.status !== 201) throw new Error(`share: ${made.status} ${made.text}`);
    return made.body;
  };
  const single = (id: string, rights: object = {}) => ({
    scope: 'specific_nodes',
    node_ids: [id],
    ...rights,
  });
  /** Changes stored shares as no request can, like a fault of an earlier version. */
  const store = async (...statements: Sql[]): Promise<void> => {
    await world.nest.get(UnitOfWork).run(async () => {
      for (const one of statements) await world.nest.get(Database).write(one);
      await world.nest.get(Database).write(sql`UPDATE sequences SET policy = policy + 1`);
    });
  };
  const setParent = (child: { id: string }, parent: { id: string }): Sql =>
    sql`UPDATE shares AS c SET parent_owner_id = p.owner_id, parent_share_id = p.id FROM shares AS p
      WHERE c.id = ${child.id} AND p.id = ${parent.id}`;
  /** All ways by which a recipient could meet a node of somebody else. */
  const isShut = async (user: TestUser, id: string, given: { id: string }): Promise<void> => {
    expect(codeOf(await user.get(`/nodes/${id}`))).toEqual(GONE);
    expect(codeOf(await user.put(`/nodes/${id}`, { value: 'x' }))).toEqual(GONE);
    expect(codeOf(await user.delete(`/nodes/${id}`))).toEqual(GONE);
    expect(titlesOf(await user.get('/nodes?access=shared'))).toEqual([]);
    expect((await user.get('/tags?access=shared')).body.total).toBe(0);
    expect(codeOf(await user.get(`/nodes/${id}/history`))).toEqual(GONE);
    expect((await user.get('/sharing/incoming')).body).toMatchObject({ shares: [], total: 0 });
    expect(codeOf(await user.get(`/sharing/${given.id}`))).toEqual([404, 'NOT_FOUND']);
    const onward = { shared_with_user_id: (await world.user()).id, ...single(id) };
    expect(codeOf(await user.post('/sharing', onward))).toEqual(INVALID);
  };

  it('a re-share cannot be changed into a share of own things (rule 10.8d)', async () => {
    const { id } = await node(alice, { title: 'diary', tags: ['private'] });
    const own = await node(bob, { tags: ['mine'] });
    await share(alice, bob, single(id, { can_share: true }));
    const away = await share(bob, carol, single(id, ALL_RIGHTS));
    await share(carol, bob, single(id, ALL_RIGHTS));
    const tag_ids = [await tagId(bob, 'mine')];
    for (const [field, body] of [
      ['scope', { scope: 'all' }],
      ['scope', { scope: 'specific_tags', tag_ids }],
      ['node_ids', single(own.id)],
    ] as const) {
      const moved = await bob.put(`/sharing/${away.id}`, body);
      expect([body, codeOf(moved)]).toEqual([body, INVALID]);
      expect(moved.body.error.details).toEqual([
        { field, message: expect.stringContaining('create another') },
      ]);
    }
    expect(codeOf(await bob.put(`/nodes/${id}`, { value: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
    expect((await bob.put(`/sharing/${away.id}`, single(id, { can_write: false }))).status).toBe(200);
    expect((await carol.get(`/nodes/${id}`)).status).toBe(200);
  });

  it('a share of own things cannot be changed into a re-share (rule 10.8d)', async () => {
    const { id } = await node(alice, { title: 'diary' });
    await share(alice, bob, single(id, { can_share: true }));
    await node(bob, { title: 'own' });
    const own = await share(bob, carol, { scope: 'all' });
    const moved = await bob.put(`/sharing/${own.id}`, single(id));
    expect(codeOf(moved)).toEqual(INVALID);
    expect(moved.body.error.details).toEqual([
      { field: 'node_ids', message: expect.stringContaining('create another') },
    ]);
    expect(titlesOf(await carol.get('/nodes'))).toEqual(['own']);
  });

  it('a change of a re-share stays with its parent, whatever other shares allow (rule 10.8d)', async () => {
    const [one, two] = [await node(alice, { title: 'one' }), await node(alice, { title: 'two' })];
    const parent = await share(alice, bob, single(one.id, { can_share: true }));
    const child = await share(bob, carol, single(one.id));
    await share(alice, bob, { scope: 'all', ...ALL_RIGHTS });
    const same = await bob.put(`/sharing/${child.id}`, single(one.id));
    expect(same.body).toMatchObject({ parent_share_id: parent.id, status: 'active' });
    const other = await bob.put(`/sharing/${child.id}`, single(two.id));
    expect([codeOf(other), other.body.error?.details?.[0]?.field]).toEqual([INVALID, 'node_ids']);
    await alice.delete(`/sharing/${parent.id}`);
    const ended = await bob.put(`/sharing/${child.id}`, single(one.id));
    expect([codeOf(ended), ended.body.error?.details?.[0]?.field]).toEqual([INVALID, 'node_ids']);
    expect(codeOf(await carol.get(`/nodes/${one.id}`))).toEqual(GONE);
  });

  it('a stored re-share whose parent is of another graph grants nothing (rule 10.8e)', async () => {
    const { id } = await node(alice, { title: 'diary', tags: ['private'] });
    const root = await share(alice, bob, single(id, { can_share: true }));
    const away = await share(bob, carol, single(id, ALL_RIGHTS));
    const back = await share(carol, bob, single(id, ALL_RIGHTS));
    await store(
      sql`UPDATE shares SET graph_owner_id = ${bob.id}, scope = 'all', node_ids = '{}',
        parent_owner_id = NULL, parent_share_id = NULL WHERE id = ${away.id}`,
    );
    expect(codeOf(await bob.put(`/nodes/${id}`, { value: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
    expect((await carol.get(`/sharing/${back.id}`)).body.status).toBe('revoked');
    await alice.delete(`/sharing/${root.id}`);
    await isShut(bob, id, back);
  });

  it('a stored re-share by somebody else than the parent’s recipient grants nothing (rule 10.8e)', async () => {
    const { id } = await node(alice, { title: 'diary' });
    const dave = await world.user();
    await share(alice, bob, single(id, ALL_RIGHTS));
    const given = await share(bob, carol, single(id, ALL_RIGHTS));
    await store(sql`UPDATE shares SET shared_with_user_id = ${dave.id}
      WHERE owner_id = ${alice.id} AND shared_with_user_id = ${bob.id}`);
    await isShut(carol, id, given);
  });

  it('a stored chain that is too long to end at the owner’s share grants nothing (rule 10.8e)', async () => {
    const { id } = await node(alice, { title: 'far' });
    const root = await share(alice, bob, single(id, { can_share: true }));
    const last = await share(bob, carol, single(id, ALL_RIGHTS));
    // The chain goes from Bob to Dave and back, forty times below the owner's share.
    const dave = await world.user();
    await store(
      sql`INSERT INTO shares (owner_id, id, graph_owner_id, shared_with_user_id, scope, node_ids, can_read, can_write,
          can_delete, can_share, source, parent_owner_id, parent_share_id, created_at, updated_at)
        SELECT people.sharer, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, ${alice.id}, people.recipient,
          'specific_nodes', ARRAY[${id}::uuid], TRUE, TRUE, TRUE, TRUE, 'manual',
          CASE n WHEN 1 THEN ${alice.id}::uuid ELSE people.recipient END,
          CASE n WHEN 1 THEN ${root.id}::uuid ELSE ('00000000-0000-4000-8000-' || lpad((n - 1)::text, 12, '0'))::uuid END,
          now(), now()
        FROM generate_series(1, 40) AS n
        JOIN (VALUES (1, ${bob.id}::uuid, ${dave.id}::uuid), (0, ${dave.id}, ${bob.id})) AS people (odd, sharer, recipient)
          ON people.odd = n % 2`,
      sql`UPDATE shares SET parent_owner_id = ${dave.id}, parent_share_id = '00000000-0000-4000-8000-000000000040'
        WHERE id = ${last.id}`,
    );
    await isShut(carol, id, last);
  });

  it('stored shares that are each other’s parents grant nothing, and every request ends (rule 10.8e)', async () => {
    const { id } = await node(alice, { title: 'diary' });
    const dave = await world.user();
    await share(alice, bob, single(id, ALL_RIGHTS));
    const [away, back] = [
      await share(bob, carol, single(id, ALL_RIGHTS)),
      await share(carol, bob, single(id, ALL_RIGHTS)),
    ];
    await store(setParent(away, back));
    await isShut(carol, id, away);
    await node(dave, { title: 'of dave' });
    const fromOther = await share(dave, carol, { scope: 'all' });
    expect(titlesOf(await carol.get('/nodes?access=shared'))).toEqual(['of dave']);
    expect((await carol.get('/sharing/incoming')).body).toMatchObject({
      shares: [{ id: fromOther.id }],
      total: 1,
    });
    expect((await bob.delete(`/sharing/${away.id}`)).status).toBe(200);
  });
});
