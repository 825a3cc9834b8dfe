import { ShareBounds } from '../../src/collaboration/application/share-bounds.service.js';
import { DeparturesQueries } from '../../src/collaboration/infrastructure/departures.queries.js';
import { SharesRepository } from '../../src/collaboration/infrastructure/shares.repository.js';
import { AppLocks } from '../../src/identity/infrastructure/app-locks.queries.js';
import { LivingAccounts } from '../../src/identity/infrastructure/living-accounts.queries.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { erase } from '../portability/erasures.js';
import { everything } from '../support/defaults.js';
import { until } from '../support/until.js';
import { node } from '../support/worlds/nodes.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

interface Answer {
  status: number;
}

const restored: (() => void)[] = [];

/** The first call of a method stops before or after its work, until it is let go. */
function stopping<N extends string>(
  prototype: Record<N, (...args: never[]) => Promise<unknown>>,
  name: N,
  where: 'before' | 'after',
) {
  let letGo: () => void = () => undefined;
  const open = new Promise<void>((resolve) => (letGo = resolve));
  const original = prototype[name];
  let calls = 0;
  const gate = { isReached: false, letGo };
  prototype[name] = async function (this: unknown, ...args: never[]) {
    const isFirst = ++calls === 1;
    const stop = async (): Promise<void> => {
      gate.isReached = true;
      await open;
    };
    if (isFirst && where === 'before') await stop();
    const result = await original.apply(this, args);
    if (isFirst && where === 'after') await stop();
    return result;
  };
  restored.push(() => (prototype[name] = original));
  return gate;
}

describe('the end of a permission beside others', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => restored.splice(0).forEach((restore) => restore()));

  const waiters = async (): Promise<number> => {
    const found = await world.nest
      .get(Database)
      .readCommitted(
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    return found.length;
  };
  const answered = (answer: Promise<Answer>) => {
    const seen = { isAnswered: false, status: answer.then(({ status }) => status) };
    const mark = (): void => void (seen.isAnswered = true);
    answer.then(mark, mark);
    return seen;
  };
  const people = (count: number): Promise<TestUser[]> =>
    Promise.all(Array.from({ length: count }, () => world.user()));
  const pass = (from: TestUser, to: TestUser, nodeId: string) =>
    from.post('/sharing', {
      shared_with_user_id: to.id,
      scope: 'specific_nodes',
      node_ids: [nodeId],
      can_share: true,
    });

  /** A node that its owner shares with a friend, who has passed it on to two others. */
  async function passedOn() {
    const [owner, friend, first, second] = (await people(4)) as [TestUser, TestUser, TestUser, TestUser];
    const { id: nodeId } = await node(owner, { title: 'passed on' });
    const { body } = await pass(owner, friend, nodeId);
    const shareId = body.id as string;
    for (const one of [first, second]) expect((await pass(friend, one, nodeId)).status).toBe(201);
    return { owner, friend, first, second, nodeId, shareId };
  }

  it.each([
    ['its sharer', 'owner', (id: string) => `/sharing/${id}`],
    ['its recipient', 'friend', (id: string) => `/sharing/${id}`],
    ['its recipient with all others', 'friend', (_: string, owner: string) => `/sharing/incoming/${owner}`],
  ] as const)('re-shares do not overtake the end of a share by %s (rule 10.8f)', async (_, by, path) => {
    const { nodeId, shareId, ...all } = await passedOn();
    const [reader, other] = (await people(2)) as [TestUser, TestUser];
    const held = stopping(DeparturesQueries.prototype, 'hold', 'after');
    const before = pass(all.first, reader, nodeId);
    await until(() => held.isReached, 'the first re-share is being written');
    const end = answered(all[by].delete(path(shareId, all.owner.id)));
    await until(async () => end.isAnswered || (await waiters()) > 0, 'the end waits for the first re-share');
    const overtaking = answered(pass(all.second, other, nodeId));
    await until(async () => overtaking.isAnswered || (await waiters()) > 1, 'the other re-share is refused');
    held.letGo();
    expect([(await before).status, await end.status, await overtaking.status]).toEqual([201, 200, 503]);
    const reads = [reader, other, all.friend].map(async (one) => (await one.get(`/nodes/${nodeId}`)).status);
    expect(await Promise.all(reads)).toEqual([404, 404, 404]);
  });

  it('a re-share that is judged before the end of its parent is refused after it', async () => {
    const { owner, first, nodeId, shareId } = await passedOn();
    const reader = await world.user();
    const judged = stopping(ShareBounds.prototype, 'prepare', 'before');
    const late = pass(first, reader, nodeId);
    await until(() => judged.isReached, 'the re-share is judged');
    expect((await owner.delete(`/sharing/${shareId}`)).status).toBe(200);
    judged.letGo();
    expect((await late).status).toBe(400);
  });

  it('a re-share beside a change of a share above it is refused for a moment (rule 10.8f)', async () => {
    const { owner, first, nodeId, shareId } = await passedOn();
    const reader = await world.user();
    const changing = stopping(SharesRepository.prototype, 'update', 'after');
    const change = owner.put(`/sharing/${shareId}`, { can_write: true });
    await until(() => changing.isReached, 'the share is being changed');
    const refused = await pass(first, reader, nodeId);
    changing.letGo();
    expect([refused.status, (await change).status]).toEqual([503, 200]);
    expect((await pass(first, reader, nodeId)).status).toBe(201);
  });

  it('a re-share that an erasure may still refuse holds none of the rows that it would delete (rule 12.4a)', async () => {
    const { first, nodeId, shareId } = await passedOn();
    const judged = stopping(DeparturesQueries.prototype, 'hold', 'before');
    const late = pass(first, await world.user(), nodeId);
    await until(() => judged.isReached, 'the re-share is judged');
    const held = await world.nest
      .get(Database)
      .readCommitted(sql`SELECT 1 FROM shares WHERE id = ${shareId} FOR UPDATE NOWAIT`)
      .then((rows) => rows.length);
    judged.letGo();
    expect([held, (await late).status]).toEqual([1, 201]);
  });

  it.each([
    ['is switched off', 'patch', { is_active: false }],
    ['is deleted', 'delete', undefined],
  ] as const)('approvals do not overtake the developer when an app %s (rule 1.5e)', async (_, verb, body) => {
    const [developer, first, second] = (await people(3)) as [TestUser, TestUser, TestUser];
    const made = await developer.post('/apps', { name: 'ending', requested_permissions: everything });
    const id = made.body.app?.id ?? made.body.id;
    const approve = async (user: TestUser) => {
      const template = { template: 'transparent', name: 'all' };
      const profile = await user.post('/exposure-profiles/from-template', template);
      return user.post('/authorizations', { app_id: id, exposure_profile_id: profile.body.id });
    };
    const held = stopping(AppLocks.prototype, 'hold', 'after');
    const before = approve(first);
    await until(() => held.isReached, 'the first approval holds the app');
    const end = answered(developer[verb](`/apps/${id}`, body));
    await until(async () => end.isAnswered || (await waiters()) > 0, 'the end waits for the first approval');
    const overtaking = answered(approve(second));
    await until(async () => overtaking.isAnswered || (await waiters()) > 1, 'the other approval waits');
    held.letGo();
    expect([(await before).status, await end.status, await overtaking.status]).toEqual([201, 200, 404]);
  });

  it('a write that keeps an account does not hold up the end of its log-ins', async () => {
    const person = await world.user();
    const keeping = stopping(LivingAccounts.prototype, 'keep', 'after');
    const group = person.post('/groups', { name: 'kept' });
    await until(() => keeping.isReached, 'the group is being written');
    const end = answered(person.delete('/auth/sessions'));
    await until(async () => end.isAnswered || (await waiters()) > 0, 'the end is answered or waits');
    const met = end.isAnswered ? 'ended' : 'waits';
    keeping.letGo();
    await group;
    expect([met, await end.status]).toEqual(['ended', 204]);
  });

  it('strangers who block a person do not overtake the erasure of the account (rule 12.4a)', async () => {
    const [person, first, second] = (await people(3)) as [TestUser, TestUser, TestUser];
    const held = stopping(DeparturesQueries.prototype, 'holdBlocked', 'after');
    const before = first.put(`/blocked-users/${person.id}`);
    await until(() => held.isReached, 'the first block is being written');
    const erased = answered(erase({ user: person }));
    await until(async () => erased.isAnswered || (await waiters()) > 0, 'the erasure waits for the block');
    const overtaking = answered(second.put(`/blocked-users/${person.id}`));
    await until(async () => overtaking.isAnswered || (await waiters()) > 1, 'the other block is refused');
    held.letGo();
    expect([(await before).status, await erased.status, await overtaking.status]).toEqual([200, 204, 503]);
  });
});
