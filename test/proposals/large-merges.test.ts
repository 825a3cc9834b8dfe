import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type Client } from '../support/client.js';
import { sentStatements } from '../support/sent-statements.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { codeOf, node, tagId } from '../support/worlds/nodes.js';
import { changesOf } from './graph-export.js';
import { applied, approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

/** The most relationships that the merges of one proposal may move. */
const MOST = 5_000;

describe('MERGE_NODES', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  /** Relationships of one type each from a node to another, written past the API. */
  const edges = async (count: number, [from, to]: readonly [{ id: string }, { id: string }]) => {
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(() =>
      database.write(
        sql`INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, bidirectional, graph_view,
            version, created_at, updated_at)
          SELECT ${alice.id}, gen_random_uuid(), ${from.id}, ${to.id}, 'type ' || i, false, 'identity', 1, now(), now()
          FROM generate_series(1, ${count}::integer) AS i`,
      ),
    );
  };
  const merge = (target: { id: string }, ...sources: { id: string }[]) => ({
    type: 'MERGE_NODES',
    canonical_data: { target_node_id: target.id, source_node_ids: sources.map(({ id }) => id) },
  });
  const total = async (at: { id: string }): Promise<number> =>
    (await alice.get(`/relationships?node_id=${at.id}`)).body.total;

  it('moves them in no more statements than one relationship', async () => {
    const numbers: number[] = [];
    for (const count of [1, 200]) {
      const [target, source, other] = [await node(alice), await node(alice), await node(alice)];
      await edges(count, [source, other]);
      const id = await approved(alice, client, merge(target, source));
      const { names, stop } = sentStatements(world.nest.get(Database));
      expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({
        status: 'APPLIED',
        errors: [],
      });
      stop();
      numbers.push(names.length);
      expect(await total(target)).toBe(count);
      const log = await changesOf(world, alice.id);
      const moved = log.filter(({ entity, proposal_id }) => entity === 'relationship' && proposal_id === id);
      expect(moved.map(({ action, version, changed_fields }) => [action, version, changed_fields])).toEqual(
        Array(count).fill(['updated', 2, { from_node_id: { old: source.id, new: target.id } }]),
      );
    }
    const [ofOne, ofMany] = numbers as [number, number];
    expect(ofMany).toBeLessThanOrEqual(ofOne);
  });

  it('a merge of nodes with many relationships deletes those that the target has already, among thousands of others (rule 8.3c)', async () => {
    const [target, source, other] = [await node(alice), await node(alice), await node(alice)];
    await edges(3_000, [target, other]);
    await edges(MOST, [source, other]);
    const { body } = await applied(alice, client, merge(target, source));
    expect(body).toMatchObject({ status: 'APPLIED', errors: [] });
    expect(await total(target)).toBe(MOST);
  });

  it('a merge of nodes with many relationships is refused with the number, over all merges of a proposal (rule 8.3e)', async () => {
    const [target, one, two, other] = [
      await node(alice),
      await node(alice),
      await node(alice),
      await node(alice),
    ];
    await edges(MOST - 1_000, [one, other]);
    await edges(1_001, [other, two]);
    const { id } = await proposed(client, merge(target, one, two));
    const refused = await ready(client, id);
    expect(codeOf(refused)).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.details).toEqual([
      { field: 'canonical_data.source_node_ids', message: expect.stringContaining(`${MOST} relationships`) },
    ]);
    const actions = [one, two].map((source, index) => ({
      id: `${index}`,
      type: 'MERGE_NODES',
      payload: merge(target, source).canonical_data,
    }));
    const batch = await proposed(client, { type: 'BATCH', actions });
    expect(codeOf(await ready(client, batch.id))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await ready(client, (await proposed(client, merge(target, one))).id)).status).toBe(200);
    expect(await total(target)).toBe(0);
  });

  it('the diff lists no more relationships than the merges of a proposal may move (rule 8.10b)', async () => {
    const [target, one, two, other] = [
      await node(alice),
      await node(alice),
      await node(alice),
      await node(alice),
    ];
    await edges(MOST - 1_000, [one, other]);
    await edges(1_001, [other, two]);
    const actions = [one, two].map((source, index) => ({
      id: `${index}`,
      type: 'MERGE_NODES',
      payload: merge(target, source).canonical_data,
    }));
    const { id } = await proposed(client, { type: 'BATCH', actions });
    const { body } = await alice.get(`/proposals/${id}/diff`);
    const entries = body.entries as { action_id: string; change: string; error: string | null }[];
    const moved = (action: string) =>
      entries.filter(({ action_id, change }) => action_id === action && change === 'update').length;
    expect(entries.filter(({ change }) => change === 'merge').map(({ error }) => error)).toEqual([
      null,
      'VALIDATION_ERROR',
    ]);
    expect([moved('0'), moved('1')]).toEqual([MOST - 1_000, 0]);
  });

  it('the diff of a merge reads no texts of the relationships that it moves', async () => {
    const [target, source, other] = [await node(alice), await node(alice), await node(alice)];
    await edges(3, [source, other]);
    const database = world.nest.get(Database);
    await world.nest
      .get(UnitOfWork)
      .run(() =>
        database.write(sql`UPDATE relationships SET context = 'a long text' WHERE owner_id = ${alice.id}`),
      );
    const { id } = await proposed(client, merge(target, source));
    const { read } = database;
    const texts: unknown[] = [];
    database.read = async (statement, name) => {
      const rows = await read.call(database, statement, name);
      for (const row of rows as { context?: unknown }[])
        if (row.context !== undefined) texts.push(row.context);
      return rows as never;
    };
    // The user's diff also compares texts, in parts, for what apps would newly be shown.
    const { body } = await client.get(`/proposals/${id}/diff`);
    Object.assign(database, { read });
    const moved = (body.entries as { entity: string }[]).filter(({ entity }) => entity === 'relationship');
    expect([moved.length, texts]).toEqual([3, []]);
  });

  it('a merge of nodes with many relationships counts for an app only what it may read, and tells it no more when it is applied (rule 8.7e)', async () => {
    const work = await tagId(alice, 'work');
    const narrow = await proposer(world, alice, [work]);
    const tags = ['work'];
    const [target, source, seen] = [
      await node(alice, { tags }),
      await node(alice, { tags }),
      await node(alice, { tags }),
    ];
    const hidden = await node(alice);
    await edges(MOST, [source, hidden]);
    await edges(1, [source, seen]);
    const id = await approved(alice, narrow, merge(target, source));
    const { body } = await alice.post(`/proposals/${id}/apply`);
    expect(body.status).toBe('FAILED');
    expect(body.errors).toMatchObject([
      { code: 'VALIDATION_ERROR', message: expect.stringContaining(`${MOST}`) },
    ]);
    const shown = (await narrow.get(`/proposals/${id}`)).body;
    expect(shown.result.errors).toMatchObject([{ code: 'NOT_APPLIED' }]);
    expect(JSON.stringify(shown)).not.toContain(`${MOST}`);
    expect(await total(source)).toBe(MOST + 1);
    await edges(MOST, [source, seen]);
    const refused = await proposed(narrow, merge(target, source));
    expect(codeOf(await ready(narrow, refused.id))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
