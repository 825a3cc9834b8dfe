import { randomUUID } from 'node:crypto';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { codeOf, node, profile, tagId } from '../support/worlds/nodes.js';
import { PRIVATE, schema } from '../support/worlds/schemas.js';
import { everything } from '../support/defaults.js';
import { applied, approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

const GOAL = { title: 'Learn to sail', node_type: 'GOAL', meaning_level: 'IDENTITY' };
const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('/proposals', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    app = await world.app();
    client = await alice.lets(app);
  });

  const get = async (id: string, by: Client = alice) => (await by.get(`/proposals/${id}`)).body;
  const create = (rest: Record<string, unknown> = {}) => ({ canonical_data: GOAL, ...rest });

  describe('life cycle', () => {
    it('a proposal without a title is titled after what it creates, else by its type', async () => {
      const called = async (body: object): Promise<unknown> => {
        const made = await client.post('/proposals', body);
        return made.status === 201 ? made.body.title : made.text;
      };
      expect(await called({ canonical_data: GOAL })).toBe(GOAL.title);
      expect(await called({ title: null, canonical_data: GOAL })).toBe(GOAL.title);
      const beside = { node_id: (await node(alice)).id, changes: { value: 'v' }, title: 'x'.repeat(2_000) };
      expect(await called({ type: 'UPDATE_NODE', canonical_data: beside })).toBe('x'.repeat(1_000));
      expect(await called({ canonical_data: { nodes: [] } })).toBe('Create node');
      expect(await called({ type: 'MERGE_NODES' })).toBe('Merge nodes');
      expect(codeOf(await client.post('/proposals', { title: '', canonical_data: GOAL }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    });

    it('a proposal names at most 200 existing nodes in all of its actions (rule 8.3f)', async () => {
      const merges = (nodes: number) => {
        const ids = Array.from({ length: nodes }, () => randomUUID());
        return Array.from({ length: Math.ceil(nodes / 50) }, (_, i) => {
          const [target_node_id, ...source_node_ids] = ids.slice(50 * i, 50 * i + 50);
          return source_node_ids.length > 0
            ? { type: 'MERGE_NODES', payload: { target_node_id, source_node_ids } }
            : { type: 'DELETE_NODE', payload: { node_id: target_node_id } };
        });
      };
      const send = (nodes: number) =>
        client.post('/proposals', { title: 'many', type: 'BATCH', actions: merges(nodes) });
      expect((await send(200)).status).toBe(201);
      const { status, body } = await send(201);
      expect([status, body.error.details]).toEqual([
        400,
        [{ field: 'actions', message: 'must not name more than 200 existing nodes' }],
      ]);
    });

    it('a proposal with more than 100 actions is refused (rule 8.3d)', async () => {
      const actions = Array.from({ length: 101 }, (_, i) => ({
        id: `n${i}`,
        type: 'CREATE_NODE',
        payload: { title: `n${i}`, node_type: 'n' },
      }));
      const body = { title: 'many', type: 'BATCH' };
      expect(codeOf(await client.post('/proposals', { ...body, actions }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      const canonical_data = { nodes: actions.map(({ id, payload }) => ({ ref: id, ...payload })) };
      expect(codeOf(await client.post('/proposals', { title: 'many', canonical_data }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect((await alice.get('/proposals')).body.total).toBe(0);
      expect((await applied(alice, client, { ...body, actions: actions.slice(1) })).status).toBe(200);
      expect((await alice.get('/nodes/count')).body.count).toBe(100);
    });

    it('the record of a proposal has every field', async () => {
      const answer = await client.post('/proposals', {
        title: 'A goal',
        description: 'from your notes',
        graph_view: 'neutral',
        raw_data: { note: 'sail' },
        canonical_data: GOAL,
        tags: ['sea'],
      });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        id: expect.any(String),
        app_id: app.id,
        app: { id: app.id, name: expect.any(String) },
        user_id: alice.id,
        user: null,
        title: 'A goal',
        description: 'from your notes',
        type: 'CREATE_NODE',
        status: 'PENDING',
        graph_view: 'neutral',
        raw_data: { note: 'sail' },
        canonical_data: GOAL,
        tags: ['sea'],
        entity_tags: null,
        reasoning_metadata: null,
        actions: [],
        revision: 1,
        message: null,
        rejection_reason: null,
        result: null,
        created_at: expect.any(String),
        updated_at: answer.body.created_at,
        reviewed_at: null,
        applied_at: null,
        reverted_at: null,
      });
      const user = { id: alice.id, username: alice.name };
      expect(await get(answer.body.id)).toEqual({ ...answer.body, user });
      expect(await get(answer.body.id, client)).toEqual(answer.body);
    });

    it('the status of a proposal goes from PENDING over READY_FOR_APPROVAL and APPROVED to APPLIED', async () => {
      const { id } = await proposed(client, create({ tags: ['sea'] }));
      expect((await ready(client, id)).body).toMatchObject({ status: 'READY_FOR_APPROVAL', revision: 1 });
      const approval = await alice.post(`/proposals/${id}/approve`, {
        message: 'fine',
        expected_revision: 1,
      });
      expect([approval.status, approval.body]).toEqual([200, { status: 'APPROVED', message: 'fine' }]);
      const { status, body } = await client.post(`/proposals/${id}/apply`);
      expect(status).toBe(200);
      expect(body).toEqual({
        status: 'APPLIED',
        nodes_created: 1,
        relationships_created: 0,
        tags_created: 1,
        errors: [],
        created: { node_ids: [expect.any(String)], relationship_ids: [], tag_ids: [expect.any(String)] },
      });
      const made = await alice.get(`/nodes/${body.created.node_ids[0]}`);
      expect(made.body).toMatchObject({ ...GOAL, tags: ['sea'], version: 1 });
      expect(await get(id)).toMatchObject({
        status: 'APPLIED',
        message: 'fine',
        result: { nodes_created: 1 },
        applied_at: expect.any(String),
        reviewed_at: expect.any(String),
      });
      expect(codeOf(await client.post(`/proposals/${id}/apply`))).toEqual([409, 'PROPOSAL_NOT_APPROVED']);
    });

    it('only keys create and change proposals, only users approve and reject them', async () => {
      const { id } = await proposed(client, create());
      expect(codeOf(await alice.post('/proposals', { title: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await alice.patch(`/proposals/${id}`, {}))).toEqual([403, 'PERMISSION_DENIED']);
      for (const verb of ['approve', 'reject', 'revert']) {
        expect(codeOf(await client.post(`/proposals/${id}/${verb}`, {}))).toEqual([403, 'PERMISSION_DENIED']);
      }
    });

    it('every step that the status of a proposal does not allow is refused', async () => {
      const step = (id: string, name: string) =>
        ({
          patch: () => client.patch(`/proposals/${id}`, { tags: ['x'] }),
          ready: () => ready(client, id),
          approve: () => alice.post(`/proposals/${id}/approve`, {}),
          reject: () => alice.post(`/proposals/${id}/reject`, {}),
          apply: () => client.post(`/proposals/${id}/apply`),
          delete: () => client.delete(`/proposals/${id}`),
          revert: () => alice.post(`/proposals/${id}/revert`),
        })[name]!();
      const refused = async (id: string, names: string[]) => {
        for (const name of names) {
          const code = name === 'apply' ? 'PROPOSAL_NOT_APPROVED' : 'INVALID_STATE_TRANSITION';
          expect([name, ...codeOf(await step(id, name))]).toEqual([name, 409, code]);
        }
      };
      const { id } = await proposed(client, create());
      await refused(id, ['approve', 'apply', 'revert']);
      await ready(client, id);
      await refused(id, ['apply', 'revert']);
      await step(id, 'approve');
      await refused(id, ['patch', 'ready', 'approve', 'delete', 'revert']);
      await step(id, 'apply');
      await refused(id, ['patch', 'ready', 'approve', 'reject', 'apply', 'delete']);
      const other = await proposed(client, create());
      expect((await step(other.id, 'reject')).body).toEqual({
        status: 'REJECTED',
        message: expect.any(String),
        id: other.id,
      });
      await refused(other.id, ['patch', 'ready', 'approve', 'reject', 'apply', 'revert']);
      expect((await step(other.id, 'delete')).body).toEqual({ message: expect.any(String), id: other.id });
      expect(codeOf(await alice.get(`/proposals/${other.id}`))).toEqual([404, 'NOT_FOUND']);
    });

    it('an app may set no status but READY_FOR_APPROVAL and PENDING', async () => {
      const { id } = await proposed(client, create());
      for (const status of ['APPROVED', 'REJECTED', 'APPLIED', 'FAILED']) {
        expect(codeOf(await client.patch(`/proposals/${id}`, { status }))).toEqual([
          403,
          'PERMISSION_DENIED',
        ]);
      }
      expect(codeOf(await client.patch(`/proposals/${id}`, { status: 'DONE' }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      await ready(client, id);
      expect((await client.patch(`/proposals/${id}`, { status: 'PENDING' })).body.status).toBe('PENDING');
    });

    it('new content makes a new revision that is PENDING again, unless the proposal declares itself ready', async () => {
      const { id } = await proposed(client, create());
      expect((await ready(client, id)).body).toMatchObject({ revision: 1 });
      const changed = await client.patch(`/proposals/${id}`, {
        tags: ['sea'],
        reasoning_metadata: { why: 'x' },
      });
      expect(changed.body).toMatchObject({ status: 'PENDING', revision: 2, tags: ['sea'] });
      expect((await client.patch(`/proposals/${id}`, { tags: ['sea'] })).body).toMatchObject({ revision: 2 });
      const again = await ready(client, id, { canonical_data: { ...GOAL, title: 'swapped' } });
      expect(again.body).toMatchObject({ status: 'READY_FOR_APPROVAL', revision: 3 });
      const old = await alice.post(`/proposals/${id}/approve`, { expected_revision: 2 });
      expect(codeOf(old)).toEqual([409, 'REVISION_CONFLICT']);
      expect((await alice.post(`/proposals/${id}/approve`, { expected_revision: 3 })).status).toBe(200);
    });

    it('the reason of a rejection is stored with the proposal', async () => {
      const { id } = await proposed(client, create());
      await alice.post(`/proposals/${id}/reject`, { reason: 'a joke' });
      expect(await get(id, client)).toMatchObject({ status: 'REJECTED', rejection_reason: 'a joke' });
    });

    it('a repeated Idempotency-Key creates one proposal', async () => {
      const once = (path: string, body: unknown, by: Client) =>
        by.post(path, body, { headers: { 'Idempotency-Key': 'k' + path } });
      const first = await once('/proposals', { title: 'x', canonical_data: GOAL }, client);
      expect((await once('/proposals', { title: 'x', canonical_data: GOAL }, client)).body).toEqual(
        first.body,
      );
      const { id } = first.body;
      await ready(client, id);
      const approvals = [0, 1].map(() => once(`/proposals/${id}/approve`, {}, alice));
      for (const { status } of [await approvals[0]!, await approvals[1]!])
        expect([200, 409]).toContain(status);
      const one = await once(`/proposals/${id}/apply`, {}, alice);
      const two = await once(`/proposals/${id}/apply`, {}, alice);
      expect(one.body).toEqual(two.body);
      expect((await alice.get('/nodes')).body.total).toBe(1);
    });
  });

  describe('lists', () => {
    it('a proposal in lists is found by status and graph view, with exact totals', async () => {
      const ids = [];
      for (const title of ['a', 'b', 'c']) ids.push((await proposed(client, create({ title }))).id);
      await proposed(client, create({ graph_view: 'neutral' }));
      await ready(client, ids[0] as string);
      const { body } = await alice.get('/proposals?limit=2');
      expect({ ...body, proposals: body.proposals.length }).toEqual({
        proposals: 2,
        total: 4,
        page: 1,
        per_page: 2,
        limit: 2,
        offset: 0,
      });
      expect((await alice.get('/proposals?per_page=3&page=2')).body).toMatchObject({
        total: 4,
        page: 2,
        offset: 3,
      });
      expect((await client.get('/proposals?status=READY_FOR_APPROVAL')).body).toMatchObject({ total: 1 });
      expect((await client.get('/proposals?graph_view=neutral')).body.total).toBe(1);
      for (const size of ['limit=500', 'limit=3000000000', 'per_page=3000000000'])
        expect((await client.get(`/proposals?${size}`)).body).toMatchObject({ limit: 100, per_page: 100 });
      expect((await client.get('/proposals?offset=3000000000')).body).toMatchObject({
        proposals: [],
        total: 4,
        offset: 3_000_000_000,
      });
      expect(codeOf(await client.get('/proposals?status=DONE'))).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await client.get('/proposals?limit=0'))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('a proposal in lists is visible to its app and its user only', async () => {
      const { id } = await proposed(client, create());
      const other = await alice.lets(await world.app());
      const bob = await world.user();
      for (const stranger of [other, bob, await bob.lets(app)]) {
        expect((await stranger.get('/proposals')).body.total).toBe(0);
        for (const path of ['', '/diff']) {
          expect(codeOf(await stranger.get(`/proposals/${id}${path}`))).toEqual([404, 'NOT_FOUND']);
        }
        expect(codeOf(await stranger.post(`/proposals/${id}/apply`))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await stranger.delete(`/proposals/${id}`))).toEqual([404, 'NOT_FOUND']);
      }
      await proposed(other, create());
      expect((await alice.get('/proposals')).body.total).toBe(2);
      expect((await client.get('/proposals')).body.total).toBe(1);
    });

    it('a proposal in lists is hidden from its app once that is revoked, and the user may continue with it', async () => {
      const { id } = await proposed(client, create());
      await ready(client, id);
      const { authorizations } = (await alice.get('/authorizations')).body;
      await alice.delete(`/authorizations/${authorizations[0].id}`);
      for (const path of ['/proposals', `/proposals/${id}`, '/proposals/events']) {
        expect(codeOf(await client.get(path))).toEqual([403, 'PERMISSION_DENIED']);
      }
      await alice.post(`/proposals/${id}/approve`, {});
      expect((await alice.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
    });
  });

  describe('applying', () => {
    it('new nodes and relationships of a proposal are applied by their names', async () => {
      const existing = await node(alice, { title: 'the sea' });
      const { body } = await applied(alice, client, {
        tags: ['plans'],
        entity_tags: { boat: ['wood'] },
        canonical_data: {
          nodes: [
            { ref: 'goal', ...GOAL },
            { ref: 'boat', title: 'A boat', node_type: 'thing', tags: ['big'] },
          ],
          relationships: [
            { from_ref: 'goal', to_ref: 'boat', relationship_type: 'depends_on', bidirectional: true },
            { from_ref: 'boat', to_node_id: existing.id, relationship_type: 'near' },
          ],
        },
      });
      expect(body).toMatchObject({
        status: 'APPLIED',
        nodes_created: 2,
        relationships_created: 3,
        tags_created: 3,
      });
      const boat = (await alice.get(`/nodes/${body.created.node_ids[1]}`)).body;
      expect(boat.tags.sort()).toEqual(['big', 'plans', 'wood']);
    });

    it('a BATCH changes, tags, connects and deletes when it is applied', async () => {
      const [a, b, c] = [
        await node(alice, { title: 'a', tags: ['x'] }),
        await node(alice, { title: 'b', metadata: { properties: { one: 1, two: 2 } } }),
        await node(alice, { title: 'c' }),
      ];
      const edge = (
        await alice.post('/relationships', {
          from_node_id: a.id,
          to_node_id: c.id,
          relationship_type: 'knows',
        })
      ).body;
      const old = (
        await alice.post('/relationships', { from_node_id: a.id, to_node_id: b.id, relationship_type: 'old' })
      ).body;
      const { body } = await applied(alice, client, {
        type: 'BATCH',
        actions: [
          {
            id: 'rename',
            type: 'UPDATE_NODE',
            payload: { node_id: b.id, changes: { title: 'B', value: 'v' } },
          },
          { id: 'tag', type: 'ADD_TAGS', payload: { node_id: b.id, tags: ['y', 'x'] } },
          { id: 'untag', type: 'REMOVE_TAGS', payload: { node_id: a.id, tags: ['x'] } },
          {
            id: 'edge',
            type: 'UPDATE_RELATIONSHIP',
            payload: { relationship_id: edge.id, changes: { strength: 0.5 } },
          },
          { id: 'cut', type: 'DELETE_RELATIONSHIP', payload: { relationship_id: old.id } },
          { id: 'new', type: 'CREATE_NODE', payload: { ref: 'n', ...GOAL } },
          {
            id: 'link',
            type: 'CREATE_RELATIONSHIP',
            payload: { from_ref: 'n', to_node_id: b.id, relationship_type: 't' },
          },
        ].filter(({ id }) => id !== 'untag'),
      });
      expect(body).toMatchObject({
        status: 'APPLIED',
        errors: [],
        nodes_created: 1,
        relationships_created: 1,
      });
      expect((await alice.get(`/nodes/${b.id}`)).body).toMatchObject({
        title: 'B',
        value: 'v',
        tags: ['y', 'x'],
        metadata: { properties: { one: 1, two: 2 } },
      });
      expect((await alice.get(`/relationships/${edge.id}`)).body.strength).toBe(0.5);
      expect((await alice.get(`/relationships/${old.id}`)).status).toBe(404);
      const gone = await applied(alice, client, { type: 'DELETE_NODE', canonical_data: { node_id: c.id } });
      expect(gone.body.status).toBe('APPLIED');
      expect((await alice.get(`/nodes/${c.id}`)).status).toBe(404);
    });

    it('only the approved actions of a proposal are applied', async () => {
      const actions = ['a', 'b', 'c'].map((title) => ({
        id: title,
        type: 'CREATE_NODE',
        payload: { title, node_type: 'note' },
      }));
      const titles = async () =>
        (await alice.get('/nodes?sort=title&order=asc')).body.nodes.map((n: { title: string }) => n.title);
      await applied(alice, client, { type: 'BATCH', actions }, { approved_actions: ['a'] });
      expect(await titles()).toEqual(['a']);
      await applied(alice, client, { type: 'BATCH', actions }, { rejected_actions: ['a', 'b'] });
      expect(await titles()).toEqual(['a', 'c']);
      const { id } = await proposed(client, { type: 'BATCH', actions });
      await ready(client, id);
      for (const approval of [
        { approved_actions: ['z'] },
        { approved_actions: [] },
        { rejected_actions: ['a', 'b', 'c'] },
        { approved_actions: ['a'], rejected_actions: ['a'] },
        { expected_revision: 'one' },
      ]) {
        const answer = await alice.post(`/proposals/${id}/approve`, approval);
        expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      }
    });

    it('a failed action is reported, and nothing is written', async () => {
      const [a, b] = [await node(alice, { title: 'a' }), await node(alice, { title: 'b' })];
      const id = await approved(alice, client, {
        type: 'BATCH',
        actions: [
          { id: 'one', type: 'UPDATE_NODE', payload: { node_id: a.id, changes: { title: 'A' } } },
          { id: 'two', type: 'ADD_TAGS', payload: { node_id: b.id, tags: ['never-made'] } },
        ],
      });
      await alice.delete(`/nodes/${b.id}`);
      const { body } = await alice.post(`/proposals/${id}/apply`);
      expect(body).toMatchObject({ status: 'APPLIED', tags_created: 0 });
      expect(body.errors).toEqual([
        { action_id: 'two', type: 'ADD_TAGS', code: 'NODE_NOT_FOUND', message: 'Node not found' },
      ]);
      expect((await alice.get('/tags')).body.total).toBe(0);
      expect((await alice.get(`/nodes/${a.id}`)).body.title).toBe('A');
    });

    it('a proposal of which no action could be applied fails, and may be approved again', async () => {
      const a = await node(alice, { title: 'a' });
      const id = await approved(alice, client, {
        type: 'UPDATE_NODE',
        canonical_data: { node_id: a.id, changes: { title: 'A' }, base_version: 1 },
      });
      await alice.put(`/nodes/${a.id}`, { title: 'mine' });
      const failed = await client.post(`/proposals/${id}/apply`);
      expect([failed.status, failed.body.status]).toEqual([200, 'FAILED']);
      expect(failed.body.errors).toMatchObject([
        { action_id: 'action-1', code: 'CONFLICT', fields: ['title'] },
      ]);
      expect((await alice.get(`/nodes/${a.id}`)).body.title).toBe('mine');
      expect(codeOf(await client.post(`/proposals/${id}/apply`))).toEqual([409, 'PROPOSAL_NOT_APPROVED']);
      await alice.put(`/nodes/${a.id}`, { title: 'a' });
      expect((await alice.post(`/proposals/${id}/approve`, {})).status).toBe(200);
      expect((await client.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
      expect((await alice.get(`/nodes/${a.id}`)).body.title).toBe('A');
    });

    it('edits of other fields, also within metadata, are no conflict', async () => {
      const a = await node(alice, { title: 'a', metadata: { properties: { one: 1, two: 2 } } });
      const id = await approved(alice, client, {
        type: 'UPDATE_NODE',
        canonical_data: {
          node_id: a.id,
          base_version: 1,
          changes: { metadata: { properties: { one: 10, two: 2 } } },
        },
      });
      await alice.patch(`/nodes/${a.id}`, { title: 'mine', metadata: { properties: { two: 20, three: 3 } } });
      expect((await client.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
      expect((await alice.get(`/nodes/${a.id}`)).body).toMatchObject({
        title: 'mine',
        metadata: { properties: { one: 10, two: 20, three: 3 } },
      });
    });
  });

  describe('an invalid proposal', () => {
    const bad: [string, Record<string, unknown>][] = [
      ['an unknown type', { type: 'INVENT_NODE' }],
      ['canonical data that is no object', { canonical_data: 'x' }],
      ['a node without a type', { canonical_data: { title: 'x' } }],
      ['a node with a wrong field', { canonical_data: { ...GOAL, importance_score: 3 } }],
      ['an update of nothing', { type: 'UPDATE_NODE', canonical_data: { node_id: NOBODY, changes: {} } }],
      ['an update without a node', { type: 'UPDATE_NODE', canonical_data: { changes: { title: 'x' } } }],
      ['a wrong value', { type: 'UPDATE_NODE', canonical_data: { node_id: NOBODY, changes: { title: 5 } } }],
      [
        'a merge with itself',
        { type: 'MERGE_NODES', canonical_data: { target_node_id: NOBODY, source_node_ids: [NOBODY] } },
      ],
      [
        'a merge into what is no id',
        {
          type: 'MERGE_NODES',
          canonical_data: { target_node_id: { toString: 1 }, source_node_ids: [NOBODY] },
        },
      ],
      [
        'a merge of nothing',
        { type: 'MERGE_NODES', canonical_data: { target_node_id: NOBODY, source_node_ids: [] } },
      ],
      ['an edge without ends', { type: 'CREATE_RELATIONSHIP', canonical_data: { relationship_type: 'x' } }],
      [
        'an unknown ref',
        {
          canonical_data: {
            nodes: [],
            relationships: [{ from_ref: 'a', to_ref: 'b', relationship_type: 'x' }],
          },
        },
      ],
      ['a batch without actions', { type: 'BATCH', canonical_data: { title: 'x' } }],
      [
        'actions of another type',
        { actions: [{ id: 'a', type: 'DELETE_NODE', payload: { node_id: NOBODY } }] },
      ],
      [
        'two actions of one id',
        { type: 'BATCH', actions: [0, 1].map(() => ({ id: 'a', type: 'CREATE_NODE', payload: GOAL })) },
      ],
      ['tags that are no names', { tags: [''] }],
      ['entity tags that are no lists', { entity_tags: { a: 'x' } }],
    ];
    it.each(bad)('a proposal with %s is refused', async (_, body) => {
      const answer = await client.post('/proposals', { title: 't', ...body });
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details.length).toBeGreaterThan(0);
    });

    it('a proposal that could never be applied does not become ready', async () => {
      const a = await node(alice, { title: 'a', tags: ['x'] });
      const never: [Record<string, unknown>, number, string][] = [
        [{}, 400, 'VALIDATION_ERROR'],
        [
          { canonical_data: { title: 'x', node_type: 'thing', meaning_level: 'IDENTITY' } },
          400,
          'INVALID_NODE_TYPE',
        ],
        [{ canonical_data: { ...GOAL, schema_id: NOBODY } }, 400, 'SCHEMA_NOT_FOUND'],
        [{ type: 'DELETE_NODE', canonical_data: { node_id: NOBODY } }, 404, 'NODE_NOT_FOUND'],
        [
          { type: 'UPDATE_NODE', canonical_data: { node_id: 'no-id', changes: { title: 'x' } } },
          404,
          'NODE_NOT_FOUND',
        ],
        [{ type: 'DELETE_RELATIONSHIP', canonical_data: { relationship_id: NOBODY } }, 404, 'NOT_FOUND'],
        [{ type: 'REMOVE_TAGS', canonical_data: { node_id: a.id, tags: ['y'] } }, 404, 'NOT_FOUND'],
      ];
      for (const [body, status, code] of never) {
        const { id } = await proposed(client, body);
        expect([body, ...codeOf(await ready(client, id))]).toEqual([body, status, code]);
        expect(await get(id)).toMatchObject({ status: 'PENDING' });
      }
      const last = { type: 'REMOVE_TAGS', canonical_data: { node_id: a.id, tags: ['x'] } };
      expect(codeOf(await client.post('/proposals', { title: 't', ...last }))).toEqual([
        400,
        'LAST_TAG_REMOVAL',
      ]);
      expect((await alice.get('/nodes')).body.total).toBe(1);
      expect((await alice.get(`/nodes/${a.id}`)).body.version).toBe(1);
    });
  });

  describe('apps', () => {
    let work: string;
    let secret: string;
    let narrow: Client;

    beforeEach(async () => {
      [work, secret] = [await tagId(alice, 'work'), await tagId(alice, 'secret')];
      void secret;
      narrow = await proposer(world, alice, [work]);
    });

    it('an action that removes all tags that the app knows reveals no hidden tag', async () => {
      const home = await tagId(alice, 'home');
      const both = await proposer(world, alice, [work, home]);
      const told = async (tags: string[]) => {
        const a = await node(alice, { title: 'a', tags });
        const off = (id: string, tag: string) => ({
          id,
          type: 'REMOVE_TAGS',
          payload: { node_id: a.id, tags: [tag] },
        });
        const actions = [off('one', 'work'), off('two', 'home')];
        const { id } = await proposed(both, { type: 'BATCH', canonical_data: {}, actions });
        return codeOf(await ready(both, id));
      };
      expect(await told(['work', 'home'])).toEqual([400, 'LAST_TAG_REMOVAL']);
      expect(await told(['work', 'home', 'secret'])).toEqual([400, 'LAST_TAG_REMOVAL']);
    });

    it('only tags that the app may propose are assigned', async () => {
      for (const body of [
        { tags: ['secret'] },
        { tags: ['brand new'] },
        { entity_tags: { 'node-1': ['secret'] } },
        { canonical_data: { ...GOAL, tags: ['secret'] } },
      ]) {
        const answer = await narrow.post('/proposals', { title: 't', canonical_data: GOAL, ...body });
        expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
      }
      const { id } = await proposed(narrow, create({ tags: ['work'] }));
      expect(codeOf(await narrow.patch(`/proposals/${id}`, { tags: ['secret'] }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
    });

    it('a proposal without the right tags.propose is refused', async () => {
      const reader = await proposer(world, alice, [work]);
      void reader;
      const plain = await alice.lets(await world.app({ requested: { tags: { read: true } } }));
      expect(codeOf(await plain.post('/proposals', { title: 't', canonical_data: GOAL }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
    });

    it('hidden and absent nodes have the same answer, everywhere', async () => {
      const hidden = await node(alice, { title: 'hidden', tags: ['secret'] });
      const bodies = (id: string) => [
        { type: 'UPDATE_NODE', canonical_data: { node_id: id, changes: { title: 'x' }, base_version: 1 } },
        { type: 'DELETE_NODE', canonical_data: { node_id: id } },
        { type: 'ADD_TAGS', canonical_data: { node_id: id, tags: ['work'] } },
        { type: 'REMOVE_TAGS', canonical_data: { node_id: id, tags: ['work'] } },
      ];
      const asked = async (id: string) => {
        const answers: string[] = [];
        for (const body of bodies(id)) {
          const made = await proposed(narrow, body);
          const diff = await narrow.get(`/proposals/${made.id}/diff`);
          const offered = await ready(narrow, made.id);
          answers.push(
            [made, diff.body, codeOf(offered), offered.body.error.message]
              .map((one) => JSON.stringify(one))
              .join()
              .replaceAll(id, 'ID')
              .replaceAll(made.id, 'P')
              .replace(/\d{4}-\d\d-\d\dT[^"]+/g, 'T'),
          );
        }
        return answers;
      };
      expect(await asked(hidden.id)).toEqual(await asked(NOBODY));
    });

    it('a node that was hidden from the app meanwhile is never revealed', async () => {
      const a = await node(alice, { title: 'a', tags: ['work'] });
      const body = {
        type: 'UPDATE_NODE',
        canonical_data: { node_id: a.id, changes: { title: 'A' }, base_version: 1 },
      };
      const [first, second] = [await approved(alice, narrow, body), await approved(alice, narrow, body)];
      const plain = { ...body, canonical_data: { node_id: a.id, changes: { title: 'A' } } };
      const third = await approved(alice, narrow, plain);
      await alice.put(`/nodes/${a.id}`, { tags: ['secret'], title: 'mine' });
      const [hidden] = (await narrow.post(`/proposals/${third}/apply`)).body.errors;
      expect([hidden.code, (await alice.get(`/nodes/${a.id}`)).body.title]).toEqual([
        'NODE_NOT_FOUND',
        'mine',
      ]);
      const denied = await narrow.post(`/proposals/${first}/apply`);
      expect(denied.body).toMatchObject({ status: 'FAILED', errors: [{ code: 'NODE_NOT_FOUND' }] });
      expect((await alice.post(`/proposals/${second}/apply`)).body.errors).toMatchObject([
        { code: 'CONFLICT' },
      ]);
      expect(await get(second, narrow)).toMatchObject({
        result: {
          errors: [
            { action_id: 'action-1', type: 'UPDATE_NODE', code: 'NODE_NOT_FOUND', message: 'Node not found' },
          ],
        },
      });
      expect((await narrow.get(`/proposals/${second}/diff`)).body.entries).toMatchObject([
        { fields: [], error: 'NODE_NOT_FOUND' },
      ]);
    });

    it('a proposal of an app never destroys hidden values', async () => {
      const masked = await proposer(world, alice, [work], {
        transformations: [
          { type: 'pii_redaction', config: { entities: ['email'] } },
          { type: 'field_mask', config: { paths: ['metadata.secret'], strategy: 'remove' } },
        ],
      });
      const a = await node(alice, {
        title: 'a',
        value: 'write to bob@example.org',
        metadata: { open: 1, secret: 'deep' },
        tags: ['work', 'secret'],
      });
      const shown = (await masked.get(`/nodes/${a.id}`)).body;
      expect(shown.value).not.toContain('bob');
      const id = await approved(alice, masked, {
        type: 'UPDATE_NODE',
        canonical_data: {
          node_id: a.id,
          changes: { title: 'A', value: shown.value, metadata: { open: 2 }, tags: ['work'] },
        },
      });
      const diff = (await alice.get(`/proposals/${id}/diff`)).body;
      expect(diff.entries[0].fields).toEqual([
        { field: 'title', before: 'a', after: 'A', conflict: false },
        { field: 'metadata.open', before: 1, after: 2, conflict: false },
      ]);
      expect((await masked.get(`/proposals/${id}/diff`)).text).not.toContain('deep');
      await masked.post(`/proposals/${id}/apply`);
      expect((await alice.get(`/nodes/${a.id}`)).body).toMatchObject({
        title: 'A',
        value: 'write to bob@example.org',
        metadata: { open: 2, secret: 'deep' },
        tags: ['work', 'secret'],
      });
    });
  });

  it('a proposal cannot name a schema that its app cannot see, and reveals nothing of it', async () => {
    const some = { schema_ids: ['__freeform__'], allow_all: false };
    const schemas = { read: some, write: { schema_ids: [], allow_all: true } };
    const requested = { ...everything, schemas };
    const blind = await alice.lets(await world.app({ requested }), {
      ...profile({ discover: 'all', read: 'all', propose: 'all', create: 'all', edit: 'all', delete: 'all' }),
      schema_permissions: schemas,
    });
    const hidden = await schema(alice, PRIVATE);
    const made = await node(alice, { title: 'n' });
    for (const schema_id of [hidden.id, NOBODY])
      for (const servings of [0, 2]) {
        const changes = { schema_id, metadata: { properties: { servings } } };
        for (const body of [
          { canonical_data: { title: 'x', node_type: 'note', ...changes } },
          { type: 'UPDATE_NODE', canonical_data: { node_id: made.id, changes } },
        ]) {
          const { id } = await proposed(blind, body);
          expect(codeOf(await ready(blind, id))).toEqual([400, 'SCHEMA_NOT_FOUND']);
        }
      }
  });

  describe('events', () => {
    const poll = async (by: Client, query = '') => (await by.get(`/proposals/events${query}`)).body;

    it('a proposal as an event is sent to its app in order, once, from a cursor on', async () => {
      const first = await poll(client);
      expect(first).toEqual({ events: [], cursor: expect.any(String), has_more: false, limit: 20 });
      const { id } = await proposed(client, create({ tags: ['sea'] }));
      await ready(client, id);
      await alice.post(`/proposals/${id}/approve`, {});
      await alice.post(`/proposals/${id}/apply`);
      const other = await proposed(await alice.lets(await world.app()), create());
      await alice.post(`/proposals/${other.id}/reject`, {});
      expect((await poll(client, '?limit=1000')).limit).toBe(100);
      const { events, cursor, has_more } = await poll(client, `?after=${first.cursor}`);
      const names = ['created', 'ready', 'approved', 'applied'];
      expect(events.map(({ event_type }: { event_type: string }) => event_type)).toEqual(names);
      expect(has_more).toBe(false);
      expect(events[0]).toEqual({
        id: expect.any(String),
        event: 'proposal.created',
        event_type: 'created',
        timestamp: expect.any(String),
        proposal_id: id,
        data: expect.objectContaining({ id, status: 'PENDING', app_id: app.id }),
      });
      expect(events[2].data).toMatchObject({ status: 'APPROVED', created_nodes: [] });
      expect(events[3].data).toMatchObject({
        status: 'APPLIED',
        created_nodes: [{ title: 'Learn to sail', tags: ['sea'] }],
      });
      expect((await poll(client, `?after=${cursor}`)).events).toEqual([]);
      const part = await poll(client, '?limit=1');
      expect(part).toMatchObject({ has_more: true, events: [{ event_type: 'created' }] });
      expect((await poll(client, `?after=${part.cursor}&limit=1`)).events).toMatchObject([
        { event_type: 'ready' },
      ]);
      expect((await poll(client, `?after=${events[2].id}`)).events).toMatchObject([
        { event_type: 'applied' },
      ]);
      expect((await poll(alice)).events).toHaveLength(6);
    });

    it('a proposal as an event does not contain the reason of a failure, which depends on the reader', async () => {
      const a = await node(alice, { title: 'a' });
      const id = await approved(alice, client, { type: 'DELETE_NODE', canonical_data: { node_id: a.id } });
      await alice.delete(`/nodes/${a.id}`);
      await alice.post(`/proposals/${id}/apply`);
      const { events } = await poll(client);
      expect(events.at(-1)).toMatchObject({ event: 'proposal.failed', data: { status: 'FAILED' } });
      expect(events.at(-1).data.result.errors).toEqual([
        {
          action_id: 'action-1',
          type: 'DELETE_NODE',
          code: 'NOT_APPLIED',
          message: 'This action was not applied',
        },
      ]);
    });

    it('a proposal as an event refuses a forged or foreign cursor', async () => {
      const { cursor } = await poll(alice);
      for (const after of [cursor, NOBODY, 'x', '']) {
        expect(codeOf(await client.get(`/proposals/events?after=${after}`))).toEqual([400, 'INVALID_CURSOR']);
      }
    });

    it('a proposal as an event shows created nodes as the current profile shows them', async () => {
      const { body } = await applied(alice, client, create({ tags: ['sea'] }));
      const profiles = (await alice.get('/exposure-profiles')).body.exposure_profiles;
      await alice.put(`/exposure-profiles/${profiles[0].id}`, { max_detail_level: 'minimal' });
      const { events } = await poll(client);
      const [made] = events.at(-1).data.created_nodes;
      expect(made.id).toBe(body.created.node_ids[0]);
      expect(Object.keys(made)).not.toContain('title');
      await alice.put(`/exposure-profiles/${profiles[0].id}`, { excluded_node_types: ['GOAL'] });
      expect((await poll(client)).events.at(-1).data.created_nodes).toEqual([]);
    });
  });
});
