import { afterEach, expect, it, jest } from '@jest/globals';
import { TouchedEdges } from '../../src/delivery/infrastructure/touched-edges.queries.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type Explained, visitedRows } from '../support/plans.js';
import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { Receiver } from './receiver.js';

/** The number of living relationships, of deleted ones, and of things that the receiver may have. */
const MANY = 20_000;
const LIMIT = 500;
/** The lists of relationships that the first statement begins together. */
const LISTS = 6;

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
  const receiver = await Receiver.start();
  const client = await alice.lets(await world.app());
  const body = { webhook_url: receiver.url, events: ['relationship.deleted'] };
  const { id } = (await client.post('/webhooks/subscribe', body)).body as { id: string };
  await receiver.stop();
  const database = world.nest.get(Database);
  const query = (text: string, values: unknown[] = []) => database.dataSource.query(text, values);
  await query(
    `INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, graph_view, created_at, updated_at, deleted_at)
      SELECT $1::uuid, gen_random_uuid(), CASE WHEN i % 4 < 2 THEN $2::uuid ELSE $3::uuid END,
        CASE WHEN i % 4 < 2 THEN $3::uuid ELSE $2::uuid END, 'near', 'identity', now() - i / 3 * interval '1 second', now(),
        CASE WHEN i % 2 = 0 THEN now() END
      FROM generate_series(1, $4::int) AS i`,
    [alice.id, hub, other, 2 * MANY],
  );
  // The receiver may have all that live, and one of those that are deleted.
  await query(
    `INSERT INTO webhook_told_nodes (owner_id, subscription_id, node_id)
      SELECT owner_id, $2::uuid, id FROM relationships WHERE owner_id = $1::uuid AND (deleted_at IS NULL OR id =
        (SELECT id FROM relationships WHERE owner_id = $1::uuid AND deleted_at IS NOT NULL ORDER BY id DESC LIMIT 1))`,
    [alice.id, id],
  );
  for (const table of ['relationships', 'webhook_told_nodes']) await query(`ANALYZE ${table}`);
  const read = database.read.bind(database);
  const visited: number[] = [];
  jest.spyOn(database, 'read').mockImplementation(async (statement, name) => {
    if (name === 'touched-edges') {
      const [explained] = await read(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
      const { Plan } = (explained as Explained)['QUERY PLAN'][0];
      visited.push(visitedRows('relationships', Plan) + visitedRows('webhook_told_nodes', Plan));
    }
    return read(statement, name);
  });
  const found: string[] = [];
  const subscription = { ownerId: alice.id, id };
  for (let from: Parameters<TouchedEdges['next']>[2]['from'] = null; ;) {
    const step = { sequence: 1, nodeId: hub };
    const { edges, rest } = await world.nest
      .get(TouchedEdges)
      .next(subscription, step, { from, limit: LIMIT });
    found.push(...edges.map((edge) => edge.id));
    if (rest === null) break;
    from = rest;
  }
  expect([found.length, new Set(found).size]).toEqual([MANY + 1, MANY + 1]);
  expect(Math.max(...visited)).toBeGreaterThan(0);
  // A row that a part continues from is read again.
  expect(Math.max(...visited)).toBeLessThanOrEqual(LISTS * LIMIT + LISTS);
  const all = visited.reduce((sum, rows) => sum + rows, 0);
  expect(all).toBeLessThanOrEqual(3 * MANY);
});
