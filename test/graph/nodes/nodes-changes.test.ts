import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { node, tagId } from '../../support/worlds/nodes.js';

const AGENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';

interface ChangeRow {
  sequence: number;
  entity_id: string;
  action: string;
  version: number;
  changed_fields: Record<string, unknown> | null;
  snapshot: Record<string, unknown>;
  tag_ids: string[];
  node_type: string;
  changed_by_type: string;
  changed_by_app_id: string | null;
  changed_by_agent_id: string | null;
  reason: string | null;
}

describe('rows of changes', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const rows = (entity = 'node'): Promise<ChangeRow[]> =>
    world.nest
      .get(Database)
      .read<ChangeRow>(
        sql`SELECT * FROM changes WHERE owner_id = ${alice.id} AND entity = ${entity} ORDER BY sequence`,
      );

  it('the change log of nodes has one row for each step, with the state after it and the facts of visibility', async () => {
    const [a, b] = [await tagId(alice, 'a'), await tagId(alice, 'b')];
    const made = await node(alice, { title: 'one', graph_view: 'neutral', tags: ['a'] });
    await alice.put(`/nodes/${made.id}`, { title: 'two', importance_score: 1 });
    await alice.put(`/nodes/${made.id}`, { title: 'two' });
    await alice.post(`/nodes/${made.id}/tags`, { tag_id: b });
    await alice.post(`/nodes/${made.id}/tags`, { tag_id: b });
    await alice.delete(`/nodes/${made.id}/tags/${a}`);
    await alice.delete(`/nodes/${made.id}`);
    await alice.post(`/nodes/${made.id}/restore`);
    const log = await rows();
    expect(log.map(({ action, version }) => [action, version])).toEqual([
      ['created', 1],
      ['updated', 2],
      ['tag_added', 3],
      ['tag_removed', 4],
      ['deleted', 5],
      ['restored', 6],
    ]);
    expect(log.map(({ changed_fields }) => changed_fields)).toEqual([
      null,
      { title: { old: 'one', new: 'two' }, importance_score: { old: null, new: 1 } },
      { tag_ids: { old: [a], new: [a, b] } },
      { tag_ids: { old: [a, b], new: [b] } },
      null,
      null,
    ]);
    expect(log.map(({ tag_ids }) => tag_ids)).toEqual([[a], [a], [a, b], [b], [b], [b]]);
    expect(log[1]?.snapshot).toMatchObject({
      id: made.id,
      title: 'two',
      graph_view: 'neutral',
      tag_ids: [a],
      version: 2,
      owner_id: alice.id,
    });
    expect(log[4]?.snapshot).toHaveProperty('deleted_at');
    expect(
      log.every(({ changed_by_type, node_type }) => changed_by_type === 'user' && node_type === 'note'),
    ).toBe(true);
  });

  it('records a deletion through the last tag with the tags that the node had', async () => {
    const made = await node(alice, { tags: ['last'] });
    const last = await tagId(alice, 'last');
    await alice.delete(`/nodes/${made.id}/tags/${last}`);
    const [, deleted] = await rows();
    expect(deleted).toMatchObject({
      action: 'deleted',
      tag_ids: [last],
      changed_fields: null,
    });
  });

  it('the change log of nodes names agent, app and reason', async () => {
    const app = await world.app();
    const client = await alice.lets(app);
    const headers = { 'X-Change-Reason': 'from the header' };
    const made = (
      await client.post(
        '/nodes',
        { title: 'x', node_type: 'note', agent_metadata: { agent_id: AGENT } },
        { headers },
      )
    ).body;
    await client.put(`/nodes/${made.id}`, { title: 'y', change_reason: 'from the body' }, { headers });
    await client.patch(`/nodes/${made.id}`, { title: 'z', last_modified_by_agent_id: AGENT.toUpperCase() });
    const log = await rows();
    expect(
      log.map((row) => [row.changed_by_type, row.changed_by_agent_id, row.changed_by_app_id, row.reason]),
    ).toEqual([
      ['agent', AGENT, app.id, 'from the header'],
      ['app', null, app.id, 'from the body'],
      ['agent', AGENT, app.id, null],
    ]);
  });

  it('the change log of nodes has a reason of at most 1,000 characters: a longer header is cut, a longer field is refused (rule 4.13a)', async () => {
    const headers = { 'X-Change-Reason': 'r'.repeat(1_001) };
    const made = (await alice.post('/nodes', { title: 'x', node_type: 'note' }, { headers })).body;
    const change = (length: number) =>
      alice.put(`/nodes/${made.id}`, { title: `${length}`, change_reason: 'f'.repeat(length) });
    expect((await change(1_000)).status).toBe(200);
    const refused = await change(1_001);
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'change_reason']);
    expect((await rows()).map(({ reason }) => reason)).toEqual(['r'.repeat(1_000), 'f'.repeat(1_000)]);
  });

  it('numbers batches and bulk deletions row by row, including new tags', async () => {
    const nodes = [1, 2, 3].map((i) => ({ title: `n ${i}`, node_type: 'note', tags: ['made'] }));
    const { body } = await alice.post('/nodes/batch', { nodes });
    const ids = body.created.map(({ id }: { id: string }) => id) as string[];
    await alice.post('/nodes/bulk-delete', { node_ids: ids });
    const log = await rows();
    expect(log.map(({ action, entity_id }) => [action, entity_id])).toEqual([
      ...ids.map((id) => ['created', id]),
      ...ids.map((id) => ['deleted', id]),
    ]);
    expect(log.slice(1).every((row, index) => row.sequence === (log[index] as ChangeRow).sequence + 1)).toBe(
      true,
    );
    expect(await rows('tag')).toHaveLength(1);
  });
});
