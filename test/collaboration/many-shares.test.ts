import { jest } from '@jest/globals';
import { ShareEnds } from '../../src/collaboration/application/share-ends.service.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { UNKNOWN, withPeople } from '../support/worlds/people.js';

/** The most ids of shares that one statement reads, where no single chain of shares names more. */
const MOST_IN_STATEMENT = 20_000;

describe('a recipient of many shares', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ world, alice, bob, carol } = people),
    () => World.startHere(),
  );
  afterEach(() => jest.restoreAllMocks());

  const database = (): Database => world.nest.get(Database);
  const nodes = async (owner: TestUser, many: number): Promise<string[]> => {
    const batch = Array.from({ length: many }, (_, i) => ({ title: `n${i}`, node_type: 'note' }));
    const { body } = await owner.post('/nodes/batch', { nodes: batch });
    return body.created.map(({ id }: { id: string }) => id);
  };
  const share = (from: TestUser, to: TestUser, body: object): Promise<string> =>
    idOf(from, '/sharing', { shared_with_user_id: to.id, scope: 'specific_nodes', ...body });
  const deletesNothing = async (by: TestUser): Promise<void> => {
    expect((await by.post('/nodes/bulk-delete', { node_ids: [UNKNOWN] })).status).toBe(200);
  };

  /** The number of ids that each statement on shares answers while the work runs. */
  async function idsRead(
    work: () => Promise<void>,
    names: readonly string[] = ['tagIds', 'nodeIds'],
  ): Promise<number[]> {
    const counts: number[] = [];
    const read = Database.prototype.read;
    jest.spyOn(Database.prototype, 'read').mockImplementation(async function (this: Database, ...given) {
      const rows = await read.apply(this, given);
      const lists = rows.flatMap((row) => names.map((name) => Object(row)[name] as unknown));
      const count = lists.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0);
      if (count > 0) counts.push(count);
      return rows;
    });
    await work();
    jest.restoreAllMocks();
    return counts;
  }

  it('reads the ids of shares once for all reads and writes until a share changes', async () => {
    const ids = await nodes(alice, 10);
    await share(alice, bob, { node_ids: ids });
    const first = await idsRead(async () => {
      await deletesNothing(bob);
      await deletesNothing(bob);
      expect((await bob.get('/nodes')).body.total).toBe(10);
      await deletesNothing(bob);
    });
    expect(first).toEqual([10]);
    await share(alice, bob, { node_ids: ids.slice(0, 2), can_write: true });
    expect(await idsRead(() => deletesNothing(bob))).toEqual([12]);
    expect((await bob.put(`/nodes/${ids[0]}`, { title: 'by bob' })).status).toBe(200);
    expect((await bob.put(`/nodes/${ids[5]}`, { title: 'by bob' })).status).toBe(403);
  });

  it('reads shares from before the bounds in parts, and serves all of them', async () => {
    const ids = await nodes(alice, 100);
    const one = await share(alice, bob, { node_ids: ids.slice(0, 50), can_share: true });
    await world.nest.get(UnitOfWork).run(async () => {
      await database().write(sql`INSERT INTO shares
        (owner_id, id, graph_owner_id, shared_with_user_id, scope, node_ids, can_read, can_write, can_delete, can_share, source, created_at, updated_at)
        SELECT owner_id, gen_random_uuid(), graph_owner_id, shared_with_user_id, scope, ${ids}::uuid[], can_read, can_write, can_delete, can_share,
          source, created_at, updated_at FROM shares, generate_series(1, 1000) WHERE id = ${one}`);
      await database().write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${bob.id}`);
    });
    const counts = await idsRead(async () => {
      expect((await bob.get('/nodes')).body.total).toBe(100);
      await deletesNothing(bob);
      expect((await bob.get(`/nodes/${ids[99]}`)).status).toBe(200);
    });
    expect(Math.max(...counts)).toBeLessThanOrEqual(MOST_IN_STATEMENT);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1000 * 100 + 50);
    await share(bob, carol, { node_ids: [ids[99]] });
    expect((await carol.get('/nodes')).body.total).toBe(1);
  });

  it('revoking a share reads none of the ids that its re-shares name, and records the end of each (rule 10.8)', async () => {
    const ids = await nodes(alice, 20);
    const root = await share(alice, bob, { node_ids: ids, can_share: true });
    const child = await share(bob, carol, { node_ids: ids });
    await world.nest.get(UnitOfWork).run(async () => {
      await database().write(sql`INSERT INTO shares
        (owner_id, id, graph_owner_id, shared_with_user_id, scope, node_ids, can_read, can_write, can_delete, can_share, source,
          parent_owner_id, parent_share_id, created_at, updated_at)
        SELECT owner_id, gen_random_uuid(), graph_owner_id, gen_random_uuid(), scope, node_ids, can_read, can_write, can_delete, can_share,
          source, parent_owner_id, parent_share_id, created_at, updated_at
        FROM shares, generate_series(1, 1200) WHERE id = ${child}`);
    });
    const counts = await idsRead(async () => {
      expect((await alice.delete(`/sharing/${root}`)).status).toBe(200);
      await world.nest.get(ShareEnds).look();
    }, ['tag_ids', 'node_ids']);
    expect(Math.max(...counts)).toBe(20);
    const [ends] = await database().read<{ sharers: number; recipients: number }>(
      sql`SELECT count(*) FILTER (WHERE owner_id = ${bob.id}) AS sharers, count(*) FILTER (WHERE owner_id <> ${bob.id}) AS recipients
        FROM changes WHERE entity = 'share' AND action = 'revoked' AND entity_id <> ${root}
          AND entity_id IN (SELECT id FROM shares WHERE owner_id = ${bob.id})`,
    );
    expect(ends).toEqual({ sharers: 1201, recipients: 1201 });
    expect((await carol.get('/nodes')).body.total).toBe(0);
  });

  it('reads the ids of parents once, to name the nodes in a list of re-shares', async () => {
    const ids = await nodes(alice, 20);
    const root = await share(alice, bob, { node_ids: ids, can_share: true });
    await share(bob, carol, { node_ids: ids.slice(0, 1) });
    const counts = await idsRead(async () => {
      const { body } = await carol.get('/sharing/incoming');
      expect(body.shares).toMatchObject([{ parent_share_id: root, node_ids: [ids[0]], status: 'active' }]);
    });
    expect(counts).toEqual([ids.length + 1]);
  });
});
