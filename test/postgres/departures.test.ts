import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { FollowRecords } from '../../src/collaboration/application/follow-records.js';
import { DeparturesQueries } from '../../src/collaboration/infrastructure/departures.queries.js';
import { erase } from '../portability/erasures.js';
import { until } from '../support/until.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { group } from '../support/worlds/people.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const UNAVAILABLE = [503, 'SERVICE_UNAVAILABLE'];

/** Runs work inside an erasure, in another connection, before this step of it. */
function within(step: 'endAll' | 'takeWords', work: () => Promise<void>): void {
  const original = DeparturesQueries.prototype[step] as (
    this: DeparturesQueries,
    ...given: unknown[]
  ) => Promise<never>;
  jest.spyOn(DeparturesQueries.prototype, step).mockImplementation(async function (
    this: DeparturesQueries,
    ...given: unknown[]
  ) {
    await work();
    return original.call(this, ...given);
  });
}

describe('an erasure beside others', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());

  const isWaiting = async (): Promise<boolean> => {
    const waiters = await world.nest
      .get(Database)
      .readCommitted(
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    return waiters.length > 0;
  };
  const remains = (user: TestUser): Promise<unknown[]> =>
    world.nest.get(Database).readCommitted(
      sql`SELECT id FROM follows WHERE owner_id = ${user.id} OR follower_id = ${user.id}
        UNION ALL SELECT id FROM shares WHERE owner_id = ${user.id} OR shared_with_user_id = ${user.id}`,
    );

  it('strangers who follow meanwhile keep nobody from erasing a public account (rule 12.4a)', async () => {
    const [alice, stranger] = [await world.user(), await world.user()];
    await alice.patch('/auth/me', { is_public: true });
    let followed: unknown;
    within('takeWords', async () => {
      followed = codeOf(await stranger.post('/follows', { target_user_id: alice.id }));
    });
    expect([(await erase({ user: alice })).status, followed]).toEqual([204, UNAVAILABLE]);
    expect(await remains(alice)).toEqual([]);
  });

  it('requests to follow that are made meanwhile leave no row behind (rule 12.4a)', async () => {
    const [alice, stranger] = [await world.user(), await world.user()];
    let asked: unknown;
    within('takeWords', async () => {
      asked = codeOf(await stranger.post('/follows', { target_user_id: alice.id }));
    });
    expect([(await erase({ user: alice })).status, asked]).toEqual([204, UNAVAILABLE]);
    expect(await remains(alice)).toEqual([]);
  });

  it('re-shares below the shares of the account are refused meanwhile (rule 12.4a)', async () => {
    const [alice, bob, carol, dave] = await Promise.all([1, 2, 3, 4].map(() => world.user()));
    const made = await node(alice as TestUser, { title: 'passed on' });
    const passes = (from?: TestUser, to?: TestUser) =>
      (from as TestUser).post('/sharing', {
        shared_with_user_id: to?.id,
        scope: 'specific_nodes',
        node_ids: [made.id],
        can_share: true,
      });
    expect([(await passes(alice, bob)).status, (await passes(bob, carol)).status]).toEqual([201, 201]);
    let passed: unknown;
    within('endAll', async () => {
      passed = codeOf(await passes(carol, dave));
    });
    expect([(await erase({ user: bob as TestUser })).status, passed]).toEqual([204, UNAVAILABLE]);
  });

  it('a follow that is under way is awaited, and ends with the account (rule 12.4a)', async () => {
    const [alice, stranger] = [await world.user(), await world.user()];
    await alice.patch('/auth/me', { is_public: true });
    const { add } = FollowRecords.prototype;
    let [isAdded, isErased] = [false, false];
    jest.spyOn(FollowRecords.prototype, 'add').mockImplementation(async function (
      this: FollowRecords,
      follow,
    ) {
      await add.call(this, follow);
      isAdded = true;
      await until(async () => isErased || (await isWaiting()), 'the erasure waits for the follow');
    });
    const following = stranger.post('/follows', { target_user_id: alice.id });
    await until(() => isAdded, 'the follow is written');
    const erased = erase({ user: alice }).then(({ status }) => {
      isErased = true;
      return status;
    });
    expect([(await following).status, await erased]).toEqual([201, 204]);
    expect(await remains(alice)).toEqual([]);
  });

  it('an invitation that is accepted meanwhile is answered when the erasure has ended the group (rule 10.2b)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    const id = await group(alice, [], { deletion_policy: 'transfer' });
    const { body } = await alice.post(`/groups/${id}/invitations`, { user_id: bob.id, role: 'admin' });
    let isAnswered = false;
    let accepted = Promise.resolve(0);
    within('endAll', async () => {
      accepted = bob.put(`/groups/invitations/${body.id}`, { action: 'accept' }).then(({ status }) => {
        isAnswered = true;
        return status;
      });
      await until(async () => isAnswered || (await isWaiting()), 'the answer waits for the group');
    });
    expect([(await erase({ user: alice })).status, await accepted]).toEqual([204, 404]);
  });
});
