import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { miscounted } from '../support/counted.js';
import { type Answer } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withPeople } from '../support/worlds/people.js';

const PASSWORD = 'correct horse battery';
const LIMIT = 64 * 1024;

describe('bytes of others (rule 9.8h)', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;

  withPeople(
    (people) => ({ world, alice, bob } = people),
    () => World.startHere({ QUOTAS_FREE: `graph_bytes=${LIMIT}` }),
  );
  afterEach(async () => expect(await miscounted(world)).toEqual([]));

  const used = async (user: TestUser): Promise<number> =>
    (await user.get('/auth/me')).body.quotas.graph_bytes.used;
  const nodes = async (user: TestUser, count: number): Promise<string[]> => {
    const made = Array.from({ length: count }, (_, number) => ({ title: `${number}`, node_type: 'note' }));
    const { body } = await user.post('/nodes/batch', { nodes: made });
    return body.created.map(({ id }: { id: string }) => id);
  };
  const shared = async (sharer: TestUser, to: TestUser, body: object): Promise<string> => {
    const made = await sharer.post('/sharing', { shared_with_user_id: to.id, ...body });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  /** Repeats an act until it is refused; the answer that refuses it. */
  const refusalOf = async (act: (turn: number) => Promise<Answer>): Promise<Answer> => {
    for (let turn = 0; turn < 200; turn++) {
      const answer = await act(turn);
      if (answer.status >= 400) return answer;
    }
    throw new Error('never refused');
  };
  const expectFull = ({ status, body }: Answer): void =>
    expect([status, body.error.code, body.error.details.quota]).toEqual([
      403,
      'QUOTA_EXCEEDED',
      'graph_bytes',
    ]);
  const isAdmitted = async (user: TestUser): Promise<boolean> =>
    (await user.post('/nodes', { title: 'more', node_type: 'note' })).status === 201;

  it('changes of shares count for their sharer, whose shares are refused in the end', async () => {
    const ids = await nodes(alice, 20);
    const share = await shared(alice, bob, { scope: 'specific_nodes', node_ids: ids, can_write: true });
    const before = await used(alice);
    const widen = (turn: number) =>
      alice.put(`/sharing/${share}`, { node_ids: ids.slice(0, 10 + (turn % 10)) });
    expectFull(await refusalOf(widen));
    expect(await used(alice)).toBeGreaterThan(before);
    expect(await used(bob)).toBe(0);
    expect(await isAdmitted(bob)).toBe(true);
    expectFull(await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' }));
    expectFull(await alice.put(`/sharing/${share}`, { can_write: true }));
    const narrowed = await alice.put(`/sharing/${share}`, { node_ids: ids.slice(0, 2), can_write: false });
    expect(narrowed.status).toBe(200);
    expect((await alice.put(`/blocked-users/${bob.id}`)).status).toBeLessThan(300);
    expect((await alice.delete(`/sharing/${share}`)).status).toBe(200);
  });

  it('a change of a share is logged as the ids that were added and removed', async () => {
    const [one, two, three] = await nodes(alice, 3);
    const share = await shared(alice, bob, { scope: 'specific_nodes', node_ids: [one, two] });
    await alice.put(`/sharing/${share}`, { node_ids: [two, three] });
    await alice.delete(`/sharing/${share}`);
    const rows = (user: TestUser) =>
      world.nest.get(Database).read(
        sql`SELECT action, snapshot -> 'node_ids' AS ids, snapshot ->> 'scope' AS scope, changed_fields -> 'node_ids' AS changed
          FROM changes WHERE owner_id = ${user.id} AND entity = 'share' ORDER BY sequence`,
      );
    const row = (action: string, ids: unknown, changed: unknown) => ({
      action,
      ids,
      scope: 'specific_nodes',
      changed,
    });
    expect(await rows(alice)).toEqual([
      row('created', [one, two], null),
      row('updated', null, { old: [one], new: [three] }),
      row('revoked', null, null),
    ]);
    expect(await rows(bob)).toEqual([
      row('created', null, null),
      row('updated', null, null),
      row('revoked', null, null),
    ]);
  });

  it('a block does not show in the bytes that count for the sharer', async () => {
    const carol = await world.user();
    await carol.put(`/blocked-users/${alice.id}`);
    const costs: number[] = [];
    for (const recipient of [bob, carol]) {
      const before = await used(alice);
      const share = await shared(alice, recipient, { scope: 'all' });
      await alice.put(`/sharing/${share}`, { can_write: true });
      await alice.post('/follows', { target_user_id: recipient.id, message: 'hello' });
      costs.push((await used(alice)) - before);
    }
    expect(costs[0]).toBeGreaterThan(1024);
    expect(costs[1]).toBe(costs[0]);
  });

  it.each([false, true])('follows count for the follower, of a public person too: %s', async (is_public) => {
    await bob.patch('/auth/me', { is_public });
    const before = await used(bob);
    const message = 'x'.repeat(1_000);
    let last = '';
    const refused = await refusalOf(async () => {
      const made = await alice.post('/follows', { target_user_id: bob.id, message });
      if (made.status !== 201) return made;
      last = made.body.id;
      return alice.delete(`/follows/${last}`);
    });
    expectFull(refused);
    expect(last).not.toBe('');
    expect(await used(bob)).toBe(before);
    expect(await isAdmitted(bob)).toBe(true);
    const has = await used(alice);
    expect((await bob.delete('/auth/me', { password: PASSWORD })).status).toBe(204);
    expect(await used(alice)).toBeLessThan(has);
  });
});

describe('reserves (rule 9.8d)', () => {
  let world: World;
  let alice: TestUser;
  withPeople(
    (people) => ({ world, alice } = people),
    () => World.startHere({ QUOTAS_FREE: `graph_bytes=${LIMIT}` }),
  );

  it('changes of profiles beyond the bytes of a graph are refused when they are large and a tenth is used up, and small ones and ends are not', async () => {
    const made = await alice.post('/exposure-profiles', { name: 'long' });
    const path = `/exposure-profiles/${made.body.id}`;
    const types = (turn: number) => Array.from({ length: 14 }, (_, n) => `T${turn}-${n}-`.padEnd(90, 'x'));
    let has = 0;
    for (let turn = 0; turn < 50; turn++) {
      const answer = await alice.put(path, { excluded_node_types: types(turn) });
      if (answer.status === 200) continue;
      has = answer.body.error.details.used;
      expect([answer.status, answer.body.error.details]).toEqual([
        403,
        { quota: 'graph_bytes', limit: LIMIT, used: has },
      ]);
      break;
    }
    expect(has).toBeGreaterThan(LIMIT);
    expect(has).toBeLessThan(LIMIT * 1.1);
    const narrowed = {
      excluded_node_types: [],
      tag_permissions: { read: { allow_all: false, tag_ids: [] } },
    };
    expect((await alice.put(path, narrowed)).status).toBe(200);
    expect((await alice.put(path, { is_active: false })).status).toBe(200);
    expect((await alice.delete(path)).status).toBeLessThan(300);
    expect(await miscounted(world)).toEqual([]);
  });
});
