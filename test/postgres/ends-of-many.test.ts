import { Database } from '../../src/kernel/database/database.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { sql } from '../../src/kernel/database/sql.js';
import { EACH_ONCE, endsInLogs, manyBelow } from '../collaboration/many-below.js';
import { erase } from '../portability/erasures.js';
import { until } from '../support/until.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('ends that many people’s logs are to have', () => {
  let world: World;
  withWorld((started) => (world = started));

  /** Runs work while another transaction holds the counter of a person. */
  const whileBusy = <T>({ id }: TestUser, work: () => Promise<T>): Promise<T> =>
    world.nest.get(UnitOfWork).run(async () => {
      await world.nest.get(Database).write(sql`SELECT FROM sequences WHERE id = ${id} FOR UPDATE`);
      return work();
    });

  it('the end of a share waits for no counter of the people below it (rule 10.8g)', async () => {
    const chain = await manyBelow(world);
    const [ended, seen] = await whileBusy(chain.dave, async () => [
      (await chain.alice.delete(`/sharing/${chain.first}`)).status,
      (await chain.dave.get(`/nodes/${chain.nodeId}`)).status,
    ]);
    expect([ended, seen]).toEqual([200, 404]);
    await until(
      async () => JSON.stringify(await endsInLogs(world, chain)) === JSON.stringify(EACH_ONCE),
      'all logs have the end',
    );
  });

  it('an account ends without waiting for the counters of those with whom it shared (rule 12.4b)', async () => {
    const chain = await manyBelow(world);
    const erasing = await whileBusy(chain.dave, async () => {
      const erased = erase({ user: chain.bob });
      await until(async () => (await chain.bob.get('/auth/me')).status === 401, 'the account has ended');
      expect((await chain.dave.get(`/nodes/${chain.nodeId}`)).status).toBe(404);
      return { erased };
    });
    expect((await erasing.erased).status).toBe(204);
    const told = await world.nest
      .get(Database)
      .readCommitted(
        sql`SELECT 1 FROM changes WHERE owner_id = ${chain.dave.id} AND entity = 'share' AND action = 'revoked'`,
      );
    expect(told).toHaveLength(1);
  });
});
