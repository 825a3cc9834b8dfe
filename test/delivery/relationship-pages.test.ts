import { randomUUID } from 'node:crypto';
import { afterEach, expect, it, jest } from '@jest/globals';
import { TouchedEdges } from '../../src/delivery/infrastructure/touched-edges.queries.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type Explained, rowsOf } from '../support/plans.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const MANY = 20_000;
const LIMIT = 1_000;

let world: World;
withWorld(
  (started) => (world = started),
  () => World.startHere({ WEBHOOK_WORKERS: 'false' }),
);
afterEach(() => {
  jest.restoreAllMocks();
});

it('the relationships of a node with many are found in parts, each once, without reading the rest', async () => {
  const alice = await world.user();
  const made = async (): Promise<string> =>
    (await alice.post('/nodes', { title: 'n', node_type: 'NOTE' })).body.id;
  const [hub, other] = [await made(), await made()];
  const database = world.nest.get(Database);
  await database.dataSource.query(
    `INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, graph_view, created_at, updated_at, deleted_at)
      SELECT $1::uuid, gen_random_uuid(), CASE WHEN i % 2 = 0 THEN $2::uuid ELSE $3::uuid END,
        CASE WHEN i % 2 = 0 THEN $3::uuid ELSE $2::uuid END, 'near', 'identity', now() - i / 3 * interval '1 second', now(),
        CASE WHEN i % 10 = 0 THEN now() END
      FROM generate_series(1, $4::int) AS i`,
    [alice.id, hub, other, MANY],
  );
  await database.dataSource.query('ANALYZE relationships');
  const read = database.read.bind(database);
  let most = 0;
  jest.spyOn(database, 'read').mockImplementation(async (statement, name) => {
    if (name === 'touched-edges') {
      const [explained] = await read(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
      most = Math.max(most, rowsOf('relationships', (explained as Explained)['QUERY PLAN'][0].Plan));
    }
    return read(statement, name);
  });
  const found: string[] = [];
  const subscription = { ownerId: alice.id, id: randomUUID() };
  const step = { sequence: 1, nodeId: hub };
  for (let from: Parameters<TouchedEdges['next']>[2]['from'] = null; ;) {
    const part = await world.nest.get(TouchedEdges).next(subscription, step, { from, limit: LIMIT });
    found.push(...part.map(({ id }) => id));
    const last = part.at(-1);
    if (part.length < LIMIT || last === undefined) break;
    from = { sequence: 1, list: last.list, after: last.id };
  }
  const living = (MANY * 9) / 10;
  expect([found.length, new Set(found).size]).toEqual([living, living]);
  expect(most).toBeGreaterThan(0);
  // Both directions are begun in one statement; the rest is for the row that a part continues from.
  expect(most).toBeLessThanOrEqual(2 * LIMIT + 10);
});
