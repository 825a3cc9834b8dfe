import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { sql } from '../../src/kernel/database/sql.js';
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
      sql`INSERT INTO sessions (owner_id, id, key, app_id, status, created_at)
        SELECT owner_id, gen_random_uuid(), gen_random_uuid()::text, app_id, status, created_at
        FROM sessions, generate_series(1, ${count}::integer) WHERE owner_id = ${ownerId}::uuid AND id = ${id}::uuid`,
    ),
  );

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
});
