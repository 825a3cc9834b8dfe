import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { ExecutedPlans } from './executed-plans.js';

const NODES = 1_000;
const EDGES = 300;

describe('an owner whom the statistics of the database do not know', () => {
  let world: World;
  withWorld((started) => (world = started));

  const write = (statement: ReturnType<typeof sql>): Promise<unknown> =>
    world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(statement));

  it('lists of relationships look at each one’s nodes, and not at all nodes for each one (rule 4.8)', async () => {
    // Statistics with other owners only, so that the planner expects one row of a new one.
    for (let others = 0; others < 3; others++) {
      const other = await world.user();
      for (let made = 0; made < 20; made++) await node(other, { title: `node ${made}`, tags: ['other'] });
    }
    await write(sql`ALTER TABLE nodes SET (autovacuum_enabled = false)`);
    await write(sql`ALTER TABLE relationships SET (autovacuum_enabled = false)`);
    await write(sql`ANALYZE nodes, relationships`);
    const alice = await world.user();
    const ids: string[] = [];
    for (let from = 0; from < NODES; from += 100) {
      const nodes = Array.from({ length: 100 }, (_, index) => ({
        title: `node ${from + index}`,
        node_type: 'note',
        tags: [index % 2 === 0 ? 'work' : 'private'],
      }));
      const { body } = await alice.post('/nodes/batch', { nodes });
      ids.push(...body.created.map(({ id }: { id: string }) => id));
    }
    for (let index = 0; index < EDGES; index++)
      expect(
        (
          await alice.post('/relationships', {
            from_node_id: ids[2 * index],
            to_node_id: ids[2 * index + 2],
            relationship_type: 'references',
          })
        ).status,
      ).toBe(201);
    const work = await tagId(alice, 'work');
    const rules = profile({ read: [work], discover: [work] });
    const app = await letsIn(world, alice, rules);
    const plans = await ExecutedPlans.of(world);
    plans.taken();
    const { status, body } = await app.get('/relationships?limit=10');
    expect([status, body.total]).toEqual([200, EDGES]);
    const most = Math.max(...plans.taken().map(({ rows }) => rows));
    expect(most).toBeLessThan(20 * EDGES);
  });
});
