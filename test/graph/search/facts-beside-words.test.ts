import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';

/** Searches decide by the facts beside the words of a node (rule 4.18d). */
describe('facts beside the words of nodes', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  /** The number of rows whose facts differ from those of the node. */
  async function different(): Promise<number> {
    const [row] = await world.nest.get(Database).read<{ rows: number; different: number }>(sql`
      SELECT count(*)::integer AS rows, (count(*) FILTER (WHERE
          (n.node_type, n.meaning_level, n.graph_view, n.schema_id, n.tag_ids, n.created_at, n.deleted_at) IS DISTINCT FROM
          (w.node_type, w.meaning_level, w.graph_view, w.schema_id, w.tag_ids, w.created_at, w.deleted_at)))::integer AS different
      FROM nodes AS n FULL JOIN node_words AS w ON w.owner_id = n.owner_id AND w.node_id = n.id
      WHERE coalesce(n.owner_id, w.owner_id) = ${alice.id}`);
    expect(row?.rows).toBeGreaterThan(0);
    return row?.different ?? -1;
  }

  const ok = ({ status, text }: { status: number; text: string }): void => {
    if (status >= 300) throw new Error(text);
  };

  it('every change of a fact is in the next search', async () => {
    const id = (await node(alice, { title: 'harbour', tags: ['work'] })).id as string;
    const [work, read] = [await tagId(alice, 'work'), `/nodes/${id}`];
    const app = await letsIn(world, alice, profile({ read: [work] }, { excluded_node_types: ['secret'] }));
    const found = async () => titlesOf(await app.post('/nodes/search', { query: 'harbour' }));
    expect(await found()).toEqual(['harbour']);
    for (const [change, expected] of [
      [() => alice.patch(read, { node_type: 'secret' }), []],
      [() => alice.patch(read, { node_type: 'note' }), ['harbour']],
      [() => alice.patch(read, { tags: ['other'] }), []],
      [() => alice.patch(read, { tags: ['work', 'other'] }), ['harbour']],
      [() => alice.patch(read, { graph_view: 'neutral' }), []],
      [() => alice.patch(read, { graph_view: 'identity', meaning_level: 'DATA' }), ['harbour']],
      [() => alice.delete(read), []],
      [() => alice.post(`${read}/restore`, {}), ['harbour']],
    ] as const) {
      ok(await change());
      expect([await found(), await different()]).toEqual([expected, 0]);
    }
  });

  it('nodes of batches, changed and deleted ones have their facts beside their words', async () => {
    const made = await alice.post('/nodes/batch', {
      nodes: ['one', 'two', 'three'].map((title) => ({ title, node_type: 'note', tags: [title] })),
    });
    ok(made);
    expect(await different()).toBe(0);
    const [one, two] = made.body.created as { id: string }[];
    ok(await alice.patch(`/nodes/${one?.id}`, { title: 'other words', node_type: 'goal' }));
    ok(await alice.delete(`/nodes/${two?.id}`));
    expect(await different()).toBe(0);
  });
});
