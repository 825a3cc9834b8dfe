import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { node, tagId } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { graphExport } from './graph-export.js';
import { applied, proposer } from '../support/worlds/proposals.js';

type Row = Record<string, unknown>;

/** A merge keeps contributions (rule 7.3), and no caller sees more of them than before (rule 3.20). */
describe('MERGE_NODES', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  const [reader, writer] = [randomUUID(), randomUUID()];

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    client = await alice.lets(await world.app());
  });

  const by = (agent: string) => ({ agent_metadata: { agent_id: agent, session_id: 'pass' } });
  const told = async (id: string, by: Client = alice, query = '?status=all') =>
    ((await by.get(`/nodes/${id}/contributions${query}`)).body.contributions as Row[])
      .map(({ field_path, contributed_value, status, contributor_id, merged_from }) => [
        field_path,
        contributed_value,
        status,
        contributor_id === reader ? 'reader' : contributor_id === writer ? 'writer' : 'other',
        merged_from,
      ])
      .filter(([path]) => path === 'title' || path === 'value');
  const merge = (target: string, ...sources: string[]) =>
    applied(alice, client, {
      type: 'MERGE_NODES',
      canonical_data: { target_node_id: target, source_node_ids: sources },
    });
  const lastApplied = async () => (await alice.get('/proposals')).body.proposals[0].id as string;
  const kept = async () =>
    JSON.stringify(
      await world.nest
        .get(Database)
        .read(
          sql`SELECT to_jsonb(c) AS row FROM contributions c WHERE owner_id = ${alice.id} ORDER BY sequence`,
        ),
    );
  const state = async () => (await graphExport(world, alice.id)) + (await kept());

  it('contributions to nodes that are merged move to the target with their authors, as merged; superseded and rejected ones keep their status', async () => {
    const target = await node(alice, { title: 'Bob', ...by(reader) });
    const source = await node(alice, { title: 'Bobby', value: 'first', ...by(writer) });
    await alice.put(`/nodes/${source.id}`, { value: 'second', ...by(reader) });
    const rejected = { agent_id: writer, validation_status: 'rejected' };
    await alice.put(`/nodes/${source.id}`, { value: 'third', agent_metadata: rejected });
    const [before] = (await alice.get(`/nodes/${source.id}/contributions`)).body.contributions as Row[];
    await merge(target.id, source.id);
    expect((await told(target.id)).sort()).toEqual(
      [
        ['title', 'Bob', 'active', 'reader', undefined],
        ['title', 'Bobby', 'merged', 'writer', source.id],
        ['value', 'first', 'superseded', 'writer', source.id],
        ['value', 'second', 'merged', 'reader', source.id],
        ['value', 'third', 'rejected', 'writer', source.id],
      ].sort(),
    );
    const all = (await alice.get(`/nodes/${target.id}/contributions?status=all`)).body.contributions as Row[];
    expect(all.find(({ id }) => id === before?.['id'])).toEqual({
      ...before,
      node_id: target.id,
      status: 'merged',
      merged_from: source.id,
    });
    expect(await told(source.id)).toEqual([]);
    expect((await alice.get(`/nodes/${target.id}/ledger`)).body.total_agents).toBe(2);
    const { contributions } = (await alice.get(`/agents/${writer}/contributions?status=merged`)).body;
    expect(contributions).toContainEqual(
      expect.objectContaining({ node_id: target.id, node_title: 'Bob', contributed_value: 'Bobby' }),
    );
    // A later write of the target leaves merged contributions unchanged.
    await alice.put(`/nodes/${target.id}`, { title: 'Robert' });
    expect(await told(target.id, alice, '?status=merged')).toHaveLength(2);
  });

  it('contributions to nodes that are merged are restored byte for byte when the merge is undone', async () => {
    const target = await node(alice, { title: 'Bob', tags: ['work'], ...by(reader) });
    const one = await node(alice, { title: 'Bobby', value: 'first', tags: ['home'], ...by(writer) });
    const two = await node(alice, { title: 'Robert', ...by(writer) });
    await alice.put(`/nodes/${one.id}`, { value: 'second', ...by(reader) });
    const before = await state();
    await merge(target.id, one.id, two.id);
    expect(await state()).not.toBe(before);
    expect((await alice.post(`/proposals/${await lastApplied()}/revert`)).body.not_undone).toEqual([]);
    expect(await state()).toBe(before);
    await alice.put(`/nodes/${one.id}`, { title: 'Bobby II', ...by(reader) });
    expect(await told(one.id, alice, '?status=active')).toEqual([
      ['title', 'Bobby II', 'active', 'reader', undefined],
      ['value', 'second', 'active', 'reader', undefined],
    ]);
  });

  const standing = async () => {
    const rows = await world.nest.get(Database).read(
      sql`SELECT node_id, path, status, version, contributor_id, sequence FROM contributions, unnest(standing) AS path
        WHERE owner_id = ${alice.id} ORDER BY node_id, path, sequence`,
    );
    return JSON.stringify(rows);
  };

  it('contributions to fields that took a value of the source return to their first authors when that is undone', async () => {
    const target = await node(alice, { title: 'Bob', metadata: { a: 1, both: 1 }, ...by(reader) });
    const source = await node(alice, {
      title: 'Bobby',
      value: 'long',
      metadata: { b: 2, both: 2 },
      ...by(writer),
    });
    const before = (await graphExport(world, alice.id)) + (await standing());
    const { body } = await applied(alice, client, {
      type: 'MERGE_NODES',
      canonical_data: {
        target_node_id: target.id,
        source_node_ids: [source.id],
        field_choices: { value: 'source', metadata: 'source', title: 'source' },
      },
    });
    expect(body.errors).toEqual([]);
    expect((await told(target.id, alice, '?status=superseded')).map(([path]) => path)).toEqual(['title']);
    expect((await alice.post(`/proposals/${await lastApplied()}/revert`)).body.not_undone).toEqual([]);
    expect((await graphExport(world, alice.id)) + (await standing())).toBe(before);
    expect((await told(target.id)).sort()).toEqual(
      [
        ['title', 'Bob', 'active', 'reader', undefined],
        ['title', 'Bobby', 'superseded', 'other', undefined],
        ['value', 'long', 'superseded', 'other', undefined],
      ].sort(),
    );
    await alice.put(`/nodes/${target.id}`, { title: 'Robert', ...by(writer) });
    expect(await told(target.id, alice, '?status=active')).toEqual([
      ['title', 'Robert', 'active', 'writer', undefined],
    ]);
  });

  it('contributions to nodes that are merged leave a chain of merges with the node that is restored, and with no other', async () => {
    const [a, b, c] = [
      await node(alice, { title: 'a', ...by(reader) }),
      await node(alice, { title: 'b', ...by(writer) }),
      await node(alice, { title: 'c' }),
    ];
    await merge(b.id, a.id);
    await merge(c.id, b.id);
    const titles = async (id: string) =>
      (await told(id)).map(([, value, status]) => `${String(value)} ${String(status)}`).sort();
    expect(await titles(c.id)).toEqual(['a merged', 'b merged', 'c active']);
    await alice.post(`/nodes/${b.id}/restore`);
    expect([await titles(b.id), await titles(c.id)]).toEqual([['a merged', 'b active'], ['c active']]);
    await merge(c.id, b.id);
    await alice.post(`/nodes/${a.id}/restore`);
    expect([await titles(a.id), await titles(c.id)]).toEqual([['a active'], ['b merged', 'c active']]);
    await alice.post(`/nodes/${b.id}/restore`);
    expect([await titles(b.id), await titles(c.id)]).toEqual([['b active'], ['c active']]);
  });

  it('contributions of one proposal that edits a node and merges it twice end where the node does, and return', async () => {
    const [a, b, c] = [
      await node(alice, { title: 'a', value: 'old', ...by(reader) }),
      await node(alice, { title: 'b' }),
      await node(alice, { title: 'c' }),
    ];
    const { body } = await applied(alice, client, {
      type: 'BATCH',
      actions: [
        { id: 'u', type: 'UPDATE_NODE', payload: { node_id: a.id, changes: { value: 'new' } } },
        { id: 'm', type: 'MERGE_NODES', payload: { target_node_id: b.id, source_node_ids: [a.id] } },
        { id: 'n', type: 'MERGE_NODES', payload: { target_node_id: c.id, source_node_ids: [b.id] } },
      ],
    });
    expect(body.errors).toEqual([]);
    expect((await told(c.id)).sort()).toEqual(
      [
        ['title', 'a', 'merged', 'reader', a.id],
        ['title', 'b', 'merged', 'other', b.id],
        ['title', 'c', 'active', 'other', undefined],
        ['value', 'new', 'merged', 'other', a.id],
        ['value', 'old', 'superseded', 'reader', a.id],
      ].sort(),
    );
    expect((await alice.post(`/proposals/${await lastApplied()}/revert`)).body.not_undone).toEqual([]);
    const active = await told(a.id, alice, '?status=active');
    expect(active.sort()).toEqual([
      ['title', 'a', 'active', 'reader', undefined],
      ['value', 'old', 'active', 'reader', undefined],
    ]);
    expect(await told(b.id)).toEqual([['title', 'b', 'active', 'other', undefined]]);
    expect(await told(c.id)).toEqual([['title', 'c', 'active', 'other', undefined]]);
  });

  it('contributions to nodes that are merged are shown to an app exactly where the version in which they were made is shown', async () => {
    const [work, secret] = [await tagId(alice, 'work'), await tagId(alice, 'secret')];
    const narrow = await proposer(world, alice, [work]);
    const target = await node(alice, { title: 'Bob', tags: ['work'] });
    const hidden = await node(alice, { title: 'hidden', value: 'unseen', tags: ['secret'] });
    const open = await node(alice, { title: 'open', tags: ['work'] });
    await merge(target.id, hidden.id, open.id);
    const seen = await narrow.get(`/nodes/${target.id}/contributions?status=all`);
    expect(seen.body.contributions).toContainEqual(
      expect.objectContaining({ contributed_value: 'open', status: 'merged' }),
    );
    for (const word of ['hidden', 'unseen', hidden.id, open.id, secret])
      expect(seen.text).not.toContain(word);
    expect(seen.text).not.toContain('merged_from');
    expect(seen.body.total).toBe(seen.body.contributions.length);
  });
});
