import { Database } from '../../src/kernel/database/database.js';
import { type Sql, sql } from '../../src/kernel/database/sql.js';
import { letsIn, profile } from '../support/worlds/nodes.js';
import { World } from '../support/world.js';

const [FEW, MANY] = [100, 200];
const PATHS = [
  '/nodes?limit=1',
  '/nodes/history?limit=1',
  '/analytics/history-stats',
  '/analytics/agent-stats',
];
const EXPLAIN = sql.raw('EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ');

type Plan = Record<string, unknown> & { Plans?: Plan[] };

/** The rows that the steps of a plan look at. */
function rowsOf(plan: Plan): number {
  const removed = Object.keys(plan).filter((key) => key.startsWith('Rows Removed by'));
  const own = ['Actual Rows', ...removed].reduce((sum, key) => sum + (plan[key] as number), 0);
  return (plan.Plans ?? []).reduce(
    (sum, below) => sum + rowsOf(below),
    own * (plan['Actual Loops'] as number),
  );
}

const blocksOf = (plan: Plan): number =>
  (plan['Shared Hit Blocks'] as number) + (plan['Shared Read Blocks'] as number);

describe('growth of work', () => {
  let world: World;
  let database: Database;
  let statements: Sql[] = [];

  beforeAll(async () => {
    world = await World.startHere();
    database = world.nest.get(Database);
    const read = database.read.bind(database) as (statement: Sql, name?: string) => unknown;
    Object.assign(database, {
      read: (statement: Sql, name?: string) => {
        statements.push(statement);
        return read(statement, name);
      },
    });
  });
  afterAll(() => world.stop());

  /** The rows and blocks that the statements for each path look at. */
  async function workFor(size: number): Promise<Record<string, { rows: number; blocks: number }>> {
    const user = await world.user();
    for (const value of ['first', 'second']) {
      const nodes = Array.from({ length: size }, (_, i) => ({ title: `n ${i}`, node_type: 'note', value }));
      await user.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
    }
    const mask = { type: 'field_mask', config: { paths: ['value'] } };
    const app = await letsIn(world, user, profile({ read: 'all' }, { transformations: [mask] }));
    const work: Record<string, { rows: number; blocks: number }> = {};
    for (const path of PATHS) {
      statements = [];
      expect((await app.get(path)).status).toBe(200);
      const sum = { rows: 0, blocks: 0 };
      for (const statement of statements.filter(({ text }) => / changes | contributions /.test(text))) {
        const [row] = await database.read<{ 'QUERY PLAN': [{ Plan: Plan }] }>(sql`${EXPLAIN}${statement}`);
        const plan = (row as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan;
        sum.rows += rowsOf(plan);
        sum.blocks += blocksOf(plan);
      }
      work[path] = sum;
    }
    return work;
  }

  it('reads by an app from which a version of each node is hidden look at about twice the rows and blocks for twice the nodes', async () => {
    const [few, many] = [await workFor(FEW), await workFor(MANY)];
    const growth = PATHS.flatMap((path) =>
      (['rows', 'blocks'] as const).map((what) => [
        path,
        what,
        (many[path]?.[what] ?? 0) / (few[path]?.[what] ?? 0),
      ]),
    );
    expect(growth.filter(([, , times]) => !((times as number) < 2.8))).toEqual([]);
  });
});
