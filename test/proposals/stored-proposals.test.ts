import { randomUUID } from 'node:crypto';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

describe('a proposal beyond a bound of today', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  it('a proposal that an earlier release stored beyond a bound is read, listed and withdrawn, and creates nothing', async () => {
    const client = await alice.lets(await world.app());
    const made = await client.post('/proposals', { title: 'old', type: 'BATCH', canonical_data: {} });
    const ids = Array.from({ length: 201 }, () => randomUUID());
    const metadata = { properties: { all: Array.from({ length: 10_001 }, () => ({})) } };
    const actions = [
      { type: 'CREATE_NODE', payload: { title: 'large', node_type: 'note', metadata } },
      ...Array.from({ length: 5 }, (_, i) => {
        const [target_node_id, ...source_node_ids] = ids.slice(50 * i, 50 * i + 50);
        return source_node_ids.length > 0
          ? { type: 'MERGE_NODES', payload: { target_node_id, source_node_ids } }
          : { type: 'DELETE_NODE', payload: { node_id: target_node_id } };
      }),
    ];
    await world.nest
      .get(UnitOfWork)
      .run(() =>
        world.nest
          .get(Database)
          .write(
            sql`UPDATE proposals SET actions = ${JSON.stringify(actions)}::jsonb WHERE id = ${made.body.id}`,
          ),
      );
    const path = `/proposals/${made.body.id}`;
    const listed = (await client.get('/proposals')).body.proposals.map(({ id }: { id: string }) => id);
    expect([(await client.get(path)).status, listed]).toEqual([200, [made.body.id]]);
    expect((await alice.get(`${path}/diff`)).status).toBe(200);
    const offered = await client.patch(path, { status: 'READY_FOR_APPROVAL' });
    expect([offered.status, (await alice.get('/nodes')).body.total]).toEqual([404, 0]);
    expect((await client.delete(path)).status).toBe(200);
  });
});
