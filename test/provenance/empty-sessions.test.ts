import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type Explained, visitedRows } from '../support/plans.js';
import { type TestUser, type World } from '../support/world.js';
import { letsIn, node, profile } from '../support/worlds/nodes.js';
import { withAlice } from '../support/worlds/with-world.js';

let world: World;
let alice: TestUser;
withAlice((met) => ({ world, alice } = met));

/** Copies one session of an app so often. */
const copies = (ownerId: string, id: string, count: number): Promise<unknown> =>
  world.nest.get(UnitOfWork).run(() =>
    world.nest.get(Database).write(
      sql`INSERT INTO sessions (owner_id, id, key, app_id, status, created_at, is_empty)
        SELECT owner_id, gen_random_uuid(), gen_random_uuid()::text, app_id, status, created_at, is_empty
        FROM sessions, generate_series(1, ${count}::integer) WHERE owner_id = ${ownerId}::uuid AND id = ${id}::uuid`,
    ),
  );

/** Lets a copy of a node's contribution name each session of an owner. */
const contributes = (ownerId: string, nodeId: string): Promise<unknown> =>
  world.nest.get(UnitOfWork).run(() =>
    world.nest.get(Database).write(
      sql`INSERT INTO contributions SELECT c.* FROM sessions AS s CROSS JOIN LATERAL (
          SELECT (jsonb_populate_record(c, jsonb_build_object('node_id', gen_random_uuid(), 'session_id', s.id))).*
          FROM contributions AS c WHERE c.owner_id = s.owner_id AND c.node_id = ${nodeId}::uuid) AS c
        WHERE s.owner_id = ${ownerId}::uuid`,
    ),
  );

/** The rows of sessions that PostgreSQL visits to count the empty ones, while some work runs. */
async function visited(work: () => Promise<unknown>): Promise<number> {
  const database = world.nest.get(Database);
  const original = database.write.bind(database);
  const plans: number[] = [];
  jest.spyOn(database, 'write').mockImplementation(async (statement, name) => {
    if (name === 'sessions-empty') {
      const [explained] = await original<Explained>(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`);
      plans.push(visitedRows('sessions', (explained as Explained)['QUERY PLAN'][0].Plan));
    }
    return original(statement, name);
  });
  await work();
  jest.restoreAllMocks();
  expect(plans).toHaveLength(1);
  return plans[0] as number;
}

describe('POST /sessions', () => {
  it('an app may begin 1,000 sessions that no write names (rule 7.4d)', async () => {
    const app = await letsIn(world, alice, profile({ read: 'all', create: 'all' }));
    const { body: first } = await app.post('/sessions', { external_id: 'first' });
    await copies(alice.id, first.id, 998);
    expect((await app.post('/sessions', {})).status).toBe(201);
    const refused = await app.post('/sessions', { external_id: 'one more' });
    expect([refused.status, refused.body.error]).toMatchObject([
      403,
      { code: 'QUOTA_EXCEEDED', details: { quota: 'empty_sessions', limit: 1000 } },
    ]);
    const known = await app.post('/sessions', { external_id: 'first' });
    expect([known.status, known.body.id]).toEqual([200, first.id]);
    expect((await alice.post('/sessions', {})).status).toBe(201);
    await node(app, { agent_metadata: { agent_id: randomUUID(), session_id: 'first' } });
    expect((await app.post('/sessions', {})).status).toBe(201);
    expect((await app.post('/sessions', {})).status).toBe(403);
  });

  it('a session that its maker has ended counts until a write names it (rule 7.4d)', async () => {
    const app = await letsIn(world, alice, profile({ read: 'all', create: 'all' }));
    const { body: ended } = await app.post('/sessions', { external_id: 'ended' });
    await app.patch(`/sessions/${ended.id}`, { status: 'completed' });
    await copies(alice.id, ended.id, 999);
    expect((await app.post('/sessions', {})).status).toBe(403);
    await node(app, { agent_metadata: { agent_id: randomUUID(), session_id: 'ended' } });
    expect((await app.get(`/sessions/${ended.id}`)).body.status).toBe('completed');
    expect((await app.post('/sessions', {})).status).toBe(201);
  });

  it('a new session visits no sessions that writes have named, however many there are', async () => {
    const app = await letsIn(world, alice, profile({ read: 'all', create: 'all' }));
    const made = await node(app, { agent_metadata: { agent_id: randomUUID(), session_id: 'named' } });
    const { sessions } = (await app.get('/sessions')).body;
    await copies(alice.id, sessions[0].id, 3_000);
    await contributes(alice.id, made.id);
    expect(await visited(() => app.post('/sessions', {}))).toBeLessThanOrEqual(2);
  });
});
