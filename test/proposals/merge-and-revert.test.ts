import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { codeOf, node, tagId } from '../support/worlds/nodes.js';
import { changesOf, graphExport } from './graph-export.js';
import { applied, approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

const AGENT = '3b241101-e2bb-4255-8caf-4136c566a962';

describe('reverting', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    app = await world.app();
    client = await alice.lets(app);
  });

  const edge = async (from: string, to: string, type = 'knows', rest: object = {}) =>
    (
      await alice.post('/relationships', {
        from_node_id: from,
        to_node_id: to,
        relationship_type: type,
        ...rest,
      })
    ).body.id as string;
  const state = () => graphExport(world, alice.id);
  const revert = (id: string) => alice.post(`/proposals/${id}/revert`);
  const lastApplied = async () => (await alice.get('/proposals')).body.proposals[0].id as string;
  const edges = async () =>
    ((await alice.get('/relationships')).body.relationships as Record<string, string>[])
      .map(
        ({ from_node_id, to_node_id, relationship_type }) =>
          `${from_node_id} ${relationship_type} ${to_node_id}`,
      )
      .sort();

  /** Three of one kind, with edges between them, to others, and doubles. */
  async function family() {
    const target = await node(alice, { title: 'Bob', value: 'short', tags: ['people', 'work'] });
    const one = await node(alice, { title: 'Bobby', value: 'much longer', tags: ['friends', 'people'] });
    const two = await node(alice, { title: 'Robert', metadata: { a: 1 } });
    await alice.post(`/nodes/${one.id}/tags`, { tag_id: await tagId(alice, 'late'), relevance_score: 0.7 });
    const other = await node(alice, { title: 'the sea' });
    const gone = await node(alice, { title: 'gone' });
    await edge(target.id, other.id, 'likes', { strength: 0.1 });
    await edge(one.id, other.id, 'likes', { strength: 0.9 });
    await edge(two.id, other.id, 'fears');
    await edge(other.id, one.id, 'near');
    await edge(one.id, two.id);
    await edge(two.id, target.id);
    await edge(one.id, gone.id, 'lost');
    await alice.delete(`/nodes/${gone.id}`);
    return { target, one, two, other, gone };
  }

  describe('a proposal that merges nodes', () => {
    it('moves tags and edges, deletes loops and duplicates, and reports the targets of the sources', async () => {
      const { target, one, two, other, gone } = await family();
      const { body } = await applied(alice, client, {
        type: 'MERGE_NODES',
        canonical_data: {
          target_node_id: target.id,
          source_node_ids: [one.id, two.id],
          field_choices: { value: one.id, metadata: two.id, title: 'target' },
        },
      });
      expect(body).toMatchObject({ status: 'APPLIED', errors: [], nodes_created: 0 });
      const merged = (await alice.get(`/nodes/${target.id}`)).body;
      expect(merged).toMatchObject({
        title: 'Bob',
        value: 'much longer',
        metadata: { a: 1 },
        tags: ['people', 'work', 'friends', 'late'],
        version: 2,
      });
      for (const { id } of [one, two]) expect((await alice.get(`/nodes/${id}`)).status).toBe(404);
      expect(await edges()).toEqual(
        [
          `${target.id} likes ${other.id}`,
          `${target.id} fears ${other.id}`,
          `${other.id} near ${target.id}`,
        ].sort(),
      );
      await alice.post(`/nodes/${gone.id}/restore`);
      expect(await edges()).toContain(`${target.id} lost ${gone.id}`);
      const log = await changesOf(world, alice.id);
      const of = (id: string) => log.filter(({ entity_id }) => entity_id === id).at(-1);
      expect(of(target.id)).toMatchObject({
        action: 'merged',
        changed_fields: { value: { new: 'much longer' } },
      });
      expect(of(one.id)).toMatchObject({ action: 'deleted', snapshot: { merged_into: target.id } });
      const listed = (await alice.get('/nodes?deleted=true')).body.nodes as Record<string, unknown>[];
      expect(listed.find(({ id }) => id === one.id)).toMatchObject({ merged_into: target.id });
      const [told] = (await alice.get(`/nodes/${one.id}/history?include_snapshots=true`)).body.history;
      expect(told.snapshot).toMatchObject({ merged_into: target.id });
      await alice.post(`/nodes/${one.id}/restore`);
      expect((await alice.get(`/nodes/${one.id}`)).body).not.toHaveProperty('merged_into');
      const seen = (await client.get(`/nodes/${one.id}/history?include_snapshots=true`)).body.history;
      expect(JSON.stringify(seen)).not.toContain('merged_into');
    });

    it('restores the graph byte for byte when it is undone', async () => {
      const { target, one, two } = await family();
      const before = await state();
      await applied(alice, client, {
        type: 'MERGE_NODES',
        canonical_data: {
          target_node_id: target.id,
          source_node_ids: [one.id, two.id],
          field_choices: { value: 'source', metadata: two.id },
        },
      });
      expect(await state()).not.toBe(before);
      const { status, body } = await revert(await lastApplied());
      expect([status, body.not_undone]).toEqual([200, []]);
      expect(await state()).toBe(before);
    });

    it('leaves the past graph unchanged: edges have the ends of that time', async () => {
      const [target, source, other] = [await node(alice), await node(alice), await node(alice)];
      await edge(source.id, other.id, 'likes');
      const { created_at: then } = await node(alice);
      const data = { target_node_id: target.id, source_node_ids: [source.id] };
      await applied(alice, client, { type: 'MERGE_NODES', canonical_data: data });
      const at = async (time: string) =>
        (
          (await alice.get(`/graph/snapshot?timestamp=${time}`)).body.relationships as Record<
            string,
            string
          >[]
        ).map(({ from_node_id: from, to_node_id: to }) => [from, to]);
      expect(await at(then)).toEqual([[source.id, other.id]]);
      expect(await at('2100-01-01T00:00:00Z')).toEqual([[target.id, other.id]]);
    });

    it('needs nodes that its app may propose, and reveals nothing of others', async () => {
      const [work] = [await tagId(alice, 'work'), await tagId(alice, 'secret')];
      const narrow = await proposer(world, alice, [work]);
      const open = await node(alice, { title: 'open', tags: ['work'] });
      const hidden = await node(alice, { title: 'hidden', tags: ['secret'] });
      const { id } = await proposed(narrow, {
        type: 'MERGE_NODES',
        canonical_data: { target_node_id: open.id, source_node_ids: [hidden.id] },
      });
      expect(codeOf(await ready(narrow, id))).toEqual([404, 'NODE_NOT_FOUND']);
    });

    it('shows its app no edge to a node that it cannot read', async () => {
      const work = await tagId(alice, 'work');
      const narrow = await proposer(world, alice, [work]);
      const [a, b] = [
        await node(alice, { title: 'a', tags: ['work'] }),
        await node(alice, { title: 'b', tags: ['work'] }),
      ];
      const [seen, hidden] = [
        await node(alice, { title: 's', tags: ['work'] }),
        await node(alice, { title: 'h' }),
      ];
      const shown = await edge(b.id, seen.id);
      const secret = await edge(b.id, hidden.id);
      const { id } = await proposed(narrow, {
        type: 'MERGE_NODES',
        canonical_data: { target_node_id: a.id, source_node_ids: [b.id] },
      });
      const diff = await narrow.get(`/proposals/${id}/diff`);
      expect(diff.text).toContain(shown);
      expect(diff.text).not.toContain(secret);
      expect(diff.text).not.toContain(hidden.id);
      expect((await alice.get(`/proposals/${id}/diff`)).text).toContain(secret);
    });
  });

  it('an applied proposal is named in the history, with its app and agent', async () => {
    const a = await node(alice, { title: 'a' });
    const { body } = await applied(alice, client, {
      type: 'BATCH',
      reasoning_metadata: { agent_id: AGENT },
      actions: [
        { id: 'a', type: 'UPDATE_NODE', payload: { node_id: a.id, changes: { title: 'b' } } },
        { id: 'n', type: 'CREATE_NODE', payload: { title: 'n', node_type: 'note', tags: ['new'] } },
        {
          id: 'e',
          type: 'CREATE_RELATIONSHIP',
          payload: { from_ref: 'n', to_node_id: a.id, relationship_type: 'x' },
        },
        { id: 'd', type: 'DELETE_NODE', payload: { node_id: a.id } },
      ],
    });
    expect(body.errors).toEqual([]);
    const id = await lastApplied();
    const made = (await changesOf(world, alice.id)).filter(({ proposal_id }) => proposal_id === id);
    expect(made.map(({ entity, action }) => `${entity} ${action}`)).toEqual([
      'tag created',
      'node created',
      'node updated',
      'relationship created',
      'node deleted',
    ]);
    for (const change of made) {
      expect(change).toMatchObject({
        changed_by_type: 'agent',
        changed_by_app_id: app.id,
        changed_by_user_id: alice.id,
        changed_by_agent_id: AGENT,
      });
    }
    const [nodeId] = body.created.node_ids as string[];
    const contributed = (await alice.get(`/nodes/${nodeId}/contributions`)).body.contributions;
    expect(contributed).toHaveLength(3);
    for (const one of contributed)
      expect(one).toMatchObject({ contributor_type: 'agent', contributor_id: AGENT });
    expect((await alice.get(`/nodes/${nodeId}/ledger`)).body).toMatchObject({
      total_agents: 1,
      agents: [{ agent_id: AGENT, contribution_count: 3 }],
    });
    expect((await client.get(`/agents/${AGENT}/contributions`)).body.total).toBe(3);
  });

  describe('a proposal that is undone', () => {
    const batch = async () => {
      const a = await node(alice, { title: 'a', value: 'v', metadata: { one: 1, two: 2 }, tags: ['x', 'y'] });
      const b = await node(alice, { title: 'b', tags: ['x'] });
      const knows = await edge(a.id, b.id);
      const likes = await edge(b.id, a.id, 'likes', { strength: 0.2 });
      const id = await approved(alice, client, {
        type: 'BATCH',
        actions: [
          { id: 'n', type: 'CREATE_NODE', payload: { title: 'n', node_type: 'note', tags: ['new', 'x'] } },
          {
            id: 'u',
            type: 'UPDATE_NODE',
            payload: {
              node_id: a.id,
              changes: { title: 'A', metadata: { one: 10, three: 3 }, tags: ['y', 'z'] },
            },
          },
          {
            id: 'e',
            type: 'CREATE_RELATIONSHIP',
            payload: { from_ref: 'n', to_node_id: a.id, relationship_type: 'r' },
          },
          {
            id: 's',
            type: 'UPDATE_RELATIONSHIP',
            payload: { relationship_id: likes, changes: { strength: 0.8 } },
          },
          { id: 'c', type: 'DELETE_RELATIONSHIP', payload: { relationship_id: knows } },
          { id: 'd', type: 'DELETE_NODE', payload: { node_id: b.id } },
        ],
      });
      return { id, a, b };
    };

    it('leaves the graph byte for byte as it was, and the history longer', async () => {
      const { id } = await batch();
      // A restored tag gets a new link: the history does not store the data of links.
      const unlinked = () => graphExport(world, alice.id, ['tag_links']);
      const before = await unlinked();
      const { body } = await alice.post(`/proposals/${id}/apply`);
      expect(body.errors).toEqual([]);
      const length = (await changesOf(world, alice.id)).length;
      const answer = await revert(id);
      expect(answer.body).toEqual({
        status: 'APPLIED',
        message: expect.any(String),
        id,
        undone: expect.any(Number),
        not_undone: [],
      });
      expect(await unlinked()).toBe(before);
      const log = (await changesOf(world, alice.id)).slice(length);
      expect(log.length).toBeGreaterThan(6);
      expect(log.slice(0, -1).every(({ proposal_id }) => proposal_id === id)).toBe(true);
      expect((await alice.get(`/proposals/${id}`)).body.reverted_at).toEqual(expect.any(String));
      expect(codeOf(await revert(id))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    });

    it.each([
      ['moves', 'from_node_id', 'c'],
      ['deletes', 'from_node_id', 'b'],
      ['moves, of a node that it makes,', 'from_ref', 'a'],
    ])(
      'leaves nothing of a relationship that it makes and that its merge %s (rule 8.9)',
      async (_, from, to) => {
        const nodes = { a: await node(alice), b: await node(alice), c: await node(alice) };
        const before = await state();
        const end = from === 'from_ref' ? 'n' : nodes.a.id;
        const edge = { [from]: end, to_node_id: nodes[to as 'a'].id, relationship_type: 'knows' };
        const merge = { target_node_id: nodes.b.id, source_node_ids: [nodes.a.id] };
        const { body } = await applied(alice, client, {
          type: 'BATCH',
          actions: [
            { id: 'n', type: 'CREATE_NODE', payload: { title: 'n', node_type: 'note' } },
            { id: 'e', type: 'CREATE_RELATIONSHIP', payload: edge },
            { id: 'm', type: 'MERGE_NODES', payload: merge },
          ],
        });
        expect(body.errors).toEqual([]);
        expect((await revert(await lastApplied())).body.not_undone).toEqual([]);
        expect(await state()).toBe(before);
      },
    );

    it('takes back the words of a relationship whose node was deleted meanwhile', async () => {
      const [a, b] = [await node(alice, { title: 'a', tags: ['x'] }), await node(alice, { title: 'b' })];
      const id = await edge(a.id, b.id, 'loves', { context: 'hers' });
      const changes = { relationship_type: 'hates', context: 'its', strength: 0.5 };
      await applied(alice, client, {
        type: 'UPDATE_RELATIONSHIP',
        canonical_data: { relationship_id: id, changes },
      });
      await alice.put(`/relationships/${id}`, { strength: 0.7 });
      await alice.delete(`/nodes/${b.id}`);
      const { body } = await revert(await lastApplied());
      expect(body).toMatchObject({
        undone: 1,
        not_undone: [{ entity: 'relationship', id, fields: ['strength'] }],
      });
      await alice.post(`/nodes/${b.id}/restore`);
      expect((await alice.get(`/relationships/${id}`)).body).toMatchObject({
        relationship_type: 'loves',
        context: 'hers',
        strength: 0.7,
      });
    });

    it('leaves later edits alone, field by field, and reports them', async () => {
      const { id, a, b } = await batch();
      const { body } = await alice.post(`/proposals/${id}/apply`);
      const [made] = body.created.node_ids;
      await alice.patch(`/nodes/${a.id}`, { title: 'mine', metadata: { one: 11, four: 4 } });
      await alice.put(`/nodes/${made}`, { value: 'mine, too' });
      await alice.post(`/nodes/${b.id}/restore`);
      const answer = await revert(id);
      expect(answer.status).toBe(200);
      expect(answer.body.not_undone).toEqual(
        expect.arrayContaining([
          { entity: 'node', id: a.id, reason: expect.any(String), fields: ['title', 'metadata.one'] },
          { entity: 'node', id: made, reason: expect.any(String) },
        ]),
      );
      expect((await alice.get(`/nodes/${a.id}`)).body).toMatchObject({
        title: 'mine',
        metadata: { one: 11, two: 2, four: 4 },
        tags: ['x', 'y'],
      });
      expect((await alice.get(`/nodes/${made}`)).body).toMatchObject({ title: 'n', value: 'mine, too' });
      expect((await alice.get(`/nodes/${b.id}`)).status).toBe(200);
    });
  });

  it('an applied proposal shows its user before and after, with conflicts', async () => {
    const a = await node(alice, { title: 'a', tags: ['x'] });
    const { id } = await proposed(client, {
      type: 'UPDATE_NODE',
      canonical_data: {
        node_id: a.id,
        base_version: 1,
        changes: { title: 'A', value: 'v', tags: ['x', 'y'] },
      },
    });
    await alice.put(`/nodes/${a.id}`, { title: 'mine' });
    for (const viewer of [alice, client]) {
      expect((await viewer.get(`/proposals/${id}/diff`)).body).toEqual({
        proposal_id: id,
        status: 'PENDING',
        revision: 1,
        conflicts: 1,
        warnings: [],
        ...(viewer === alice
          ? { confusable_tags: [], disclosures: expect.any(Array), disclosures_complete: true }
          : {}),
        entries: [
          {
            action_id: 'action-1',
            type: 'UPDATE_NODE',
            entity: 'node',
            change: 'update',
            entity_id: a.id,
            title: 'mine',
            error: null,
            values_omitted: false,
            ...(viewer === alice ? { similar_nodes: [] } : {}),
            fields: expect.arrayContaining([
              { field: 'title', before: 'mine', after: 'A', conflict: true },
              { field: 'value', before: null, after: 'v', conflict: false },
              { field: 'tags', before: ['x'], after: ['x', 'y'], conflict: false },
            ]),
          },
        ],
      });
    }
  });
});
