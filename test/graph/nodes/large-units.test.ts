import type pg from 'pg';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { changesOf } from '../../proposals/graph-export.js';
import { approved } from '../../support/worlds/proposals.js';

const MIB = 1024 * 1024;

describe('large writes', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  let ids: string[];
  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
    ids = [];
    for (let batch = 0; batch < 5; batch++) {
      const nodes = Array.from({ length: 3 }, (_, index) => ({
        title: `large ${batch} ${index}`,
        node_type: 'note',
        value: 'v'.repeat(90_000),
        metadata: { long: 'm'.repeat(250_000), state: 'new' },
        agent_metadata: { source_models: ['a'.repeat(240_000)] },
      }));
      const { body } = await alice.post('/nodes/batch', { nodes });
      ids.push(...(body.created as { id: string }[]).map(({ id }) => id));
    }
  });

  const numbers = async (): Promise<number[]> =>
    (
      await world.nest
        .get(Database)
        .read<{ sequence: number }>(
          sql`SELECT sequence FROM changes WHERE owner_id = ${alice.id} ORDER BY sequence`,
        )
    ).map(({ sequence }) => Number(sequence));
  const contributions = async (id: string): Promise<string[][]> =>
    (
      (await alice.get(`/nodes/${id}/contributions?status=all`)).body.contributions as {
        field_path: string;
        status: string;
      }[]
    )
      .map(({ field_path, status }) => [field_path, status])
      .sort();
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('a unit of work with many large changes is written in statements of a few MiB, and wholly: a deletion of many nodes', async () => {
    const before = (await numbers()).length;
    const sent = await watch(world);
    const { body } = await alice.post('/nodes/bulk-delete', { node_ids: ids });
    expect(body).toMatchObject({ deleted: ids.length });
    const longest = sent.end();
    expect(longest).toBeGreaterThan(MIB);
    expect(longest).toBeLessThan(4 * MIB);
    expect(await numbers()).toEqual(upTo(before + ids.length));
    const log = (await changesOf(world, alice.id)).slice(-ids.length);
    expect(log.map(({ entity_id }) => entity_id)).toEqual(ids);
    for (const { action, snapshot } of log) {
      expect(action).toBe('deleted');
      expect((snapshot['metadata'] as { long: string }).long).toHaveLength(250_000);
    }
    expect((await alice.get('/nodes')).body.total).toBe(0);
  });

  it('a unit of work with many large changes is written in statements of a few MiB, with its contributions: an applied proposal', async () => {
    const actions = ids.map((node_id, index) => ({
      id: `${index}`,
      type: 'UPDATE_NODE',
      payload: { node_id, changes: { metadata: { state: 'changed' } } },
    }));
    const id = await approved(alice, client, { type: 'BATCH', actions });
    const before = (await numbers()).length;
    const sent = await watch(world);
    expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({
      status: 'APPLIED',
      errors: [],
    });
    const longest = sent.end();
    expect(longest).toBeGreaterThan(MIB);
    expect(longest).toBeLessThan(4 * MIB);
    const now = await numbers();
    expect(now).toEqual(upTo(now.length));
    expect(now.length).toBeGreaterThanOrEqual(before + ids.length);
    const made = ['meaning_level', 'metadata.long', 'metadata.state', 'node_type', 'title', 'value'];
    const replaced = made.map((path) => [path, path === 'metadata.state' ? 'superseded' : 'active']);
    for (const nodeId of ids)
      expect(await contributions(nodeId)).toEqual([...replaced, ['metadata.state', 'active']].sort());
    const log = (await changesOf(world, alice.id)).filter(
      ({ proposal_id, entity }) => proposal_id === id && entity === 'node',
    );
    expect(log.map(({ entity_id }) => entity_id)).toEqual(ids);
  });

  it('a unit of work with many large changes is written wholly beside deferred writes: a batch with an Idempotency-Key', async () => {
    const before = (await numbers()).length;
    const nodes = Array.from({ length: 6 }, (_, index) => ({
      title: `late ${index}`,
      node_type: 'note',
      value: 'v'.repeat(90_000),
      metadata: { long: 'm'.repeat(250_000) },
      agent_metadata: { source_models: ['a'.repeat(240_000)], session_id: 'one session' },
    }));
    const { status, body } = await alice.post(
      '/nodes/batch',
      { nodes },
      { headers: { 'Idempotency-Key': 'a large batch' } },
    );
    expect([status, body.errors ?? []]).toEqual([201, []]);
    const made = (body.created as { id: string }[]).map(({ id }) => id);
    expect(made).toHaveLength(nodes.length);
    const log = await changesOf(world, alice.id);
    expect(log.slice(before).map(({ entity_id }) => entity_id)).toEqual(made);
    expect(await numbers()).toEqual(upTo(before + nodes.length));
    const paths = ['meaning_level', 'metadata.long', 'node_type', 'title', 'value'];
    for (const id of made) expect(await contributions(id)).toEqual(paths.map((path) => [path, 'active']));
    expect((await alice.get('/sessions')).body.total).toBe(1);
  });
});

/** The longest text parameter that is sent to the database until `end`. */
async function watch(world: World): Promise<{ end: () => number }> {
  const { master } = world.nest.get(Database).dataSource.driver as unknown as { master: pg.Pool };
  const client = await master.connect();
  const prototype = Object.getPrototypeOf(client) as { query: (...given: unknown[]) => unknown };
  client.release();
  const { query } = prototype;
  let longest = 0;
  prototype.query = function (this: unknown, ...given: unknown[]) {
    const [statement] = given as [{ values?: unknown[] } | undefined];
    for (const value of statement?.values ?? [])
      if (typeof value === 'string') longest = Math.max(longest, value.length);
    return query.apply(this, given);
  };
  return {
    end: () => {
      prototype.query = query;
      return longest;
    },
  };
}
