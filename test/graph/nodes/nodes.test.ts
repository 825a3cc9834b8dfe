import { type TestUser, World } from '../../support/world.js';
import { codeOf, node, tagId } from '../../support/worlds/nodes.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const GOAL_SCHEMA = '00000000-0000-7000-8000-000000000005';

describe('owners', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  describe('POST /nodes', () => {
    it('a created node is answered with 201 and every field, but never the graph view', async () => {
      const body = {
        title: 'Learn to sail',
        value: 'before autumn',
        node_type: 'GOAL',
        meaning_level: 'IDENTITY',
        graph_view: 'neutral',
        importance_score: 0.5,
        metadata: { properties: { status: 'active' }, colour: 'blue' },
        agent_metadata: { agent_id: ABSENT, agent_name: 'scribe' },
        last_modified_by_agent_id: ABSENT,
        schema_id: GOAL_SCHEMA,
        tags: ['Sea', 'plans'],
      };
      const answer = await alice.post('/nodes', body);
      expect(answer.status).toBe(201);
      expect(answer.body).not.toHaveProperty('graph_view');
      expect({ ...answer.body, graph_view: 'neutral' }).toEqual({
        ...body,
        id: expect.any(String),
        owner_id: alice.id,
        version: 1,
        created_at: expect.stringMatching(/Z$/),
        updated_at: answer.body.created_at,
      });
      expect(answer.headers.etag).toBe('"1"');
      expect((await alice.get(`/nodes/${answer.body.id}`)).body).toEqual(answer.body);
    });

    it('ids of agents in the shape of a UUID of any version are accepted', async () => {
      for (const id of ['11111111-1111-1111-1111-111111111111', '00000000-0000-0000-0000-000000000000']) {
        const by = { last_modified_by_agent_id: id, agent_metadata: { agent_id: id } };
        expect(await node(alice, { title: 'a', ...by })).toMatchObject(by);
        const batch = await alice.post('/nodes/batch', {
          nodes: [{ title: 'b', node_type: 'NOTE', ...by }],
        });
        expect(batch.body).toMatchObject({ errors: [] });
        expect((await alice.post('/sessions', { agent_id: id })).body.agent_id).toBe(id);
      }
    });

    it('missing fields of a new node are CONTEXT and null', async () => {
      const made = await node(alice, { title: 'short' });
      expect(made).toMatchObject({
        meaning_level: 'CONTEXT',
        value: null,
        metadata: null,
        schema_id: null,
        tags: [],
      });
    });

    it('missing tags are created, others found by name in any letter case, and ids of own tags accepted', async () => {
      const sea = await tagId(alice, 'Sea');
      const made = await node(alice, { tags: [' sEA', 'brand new', sea, 'brand NEW'] });
      expect(made.tags).toEqual(['Sea', 'brand new']);
    });

    it.each([
      [{ node_type: 'note' }, 'VALIDATION_ERROR', ['title']],
      [{ title: 'x' }, 'VALIDATION_ERROR', ['node_type']],
      [
        { title: '', node_type: '', importance_score: 2 },
        'VALIDATION_ERROR',
        ['title', 'node_type', 'importance_score'],
      ],
      [{ title: 'x'.repeat(1001), node_type: 'note' }, 'VALIDATION_ERROR', ['title']],
      [
        { title: 'x', node_type: 'note', metadata: { properties: 1 } },
        'VALIDATION_ERROR',
        ['metadata.properties'],
      ],
      [
        { title: 'x', node_type: 'note', agent_metadata: { agent_id: 'x' } },
        'VALIDATION_ERROR',
        ['agent_metadata.agent_id'],
      ],
      [{ title: 'x', node_type: 'goal', meaning_level: 'IDENTITY' }, 'INVALID_NODE_TYPE', undefined],
      [
        {
          title: 'x',
          node_type: 'GOAL',
          meaning_level: 'IDENTITY',
          metadata: { properties: { status: 'done' } },
        },
        'VALIDATION_ERROR',
        ['metadata.properties.status'],
      ],
      [{ title: 'x', node_type: 'note', schema_id: ABSENT }, 'SCHEMA_NOT_FOUND', ['schema_id']],
      [{ title: 'x', node_type: 'note', schema_id: 'no id' }, 'SCHEMA_NOT_FOUND', ['schema_id']],
      [{ title: 'x', node_type: 'note', tags: ['ok', ''] }, 'VALIDATION_ERROR', ['tags.1']],
      [
        { title: 'x', node_type: 'note', tags: Array.from({ length: 51 }, (_, i) => `t${i}`) },
        'VALIDATION_ERROR',
        ['tags'],
      ],
    ])('a new node with %j is refused as %s', async (body, code, fields) => {
      const answer = await alice.post('/nodes', body);
      expect(codeOf(answer)).toEqual([400, code]);
      const named = (answer.body.error.details ?? []) as { field: string }[];
      if (fields) expect(named.map(({ field }) => field).sort()).toEqual([...fields].sort());
    });

    it('a refused creation leaves no tag behind', async () => {
      await alice.post('/nodes', {
        title: 'x',
        node_type: 'goal',
        meaning_level: 'IDENTITY',
        tags: ['never made'],
      });
      expect((await alice.get('/tags?search=never made')).body.total).toBe(0);
    });

    it('the same Idempotency-Key is answered again', async () => {
      const send = () =>
        alice.post('/nodes', { title: 'once', node_type: 'note' }, { headers: { 'Idempotency-Key': 'k1' } });
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body).toEqual(first.body);
      expect((await alice.get('/nodes?search=once')).body.total).toBe(1);
    });
  });

  describe('GET /nodes/:node_id', () => {
    it.each([ABSENT, 'no-id', '%00', '..%2f'])(
      'a read of a node is answered with 404 NODE_NOT_FOUND for %s',
      async (id) => {
        expect(codeOf(await alice.get(`/nodes/${id}`))).toEqual([404, 'NODE_NOT_FOUND']);
      },
    );

    it('a read of a node is answered equally for a node of another user', async () => {
      const bob = await world.user();
      const foreign = await node(bob);
      const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
      const [hidden, absent] = [await alice.get(`/nodes/${foreign.id}`), await alice.get(`/nodes/${ABSENT}`)];
      expect(withoutId(hidden.text)).toBe(withoutId(absent.text));
    });

    it('a read of a node accepts an id in capitals', async () => {
      const made = await node(alice);
      expect((await alice.get(`/nodes/${made.id.toUpperCase()}`)).body.id).toBe(made.id);
    });
  });

  describe('PUT /nodes/:node_id', () => {
    it('a PUT of a node replaces the sent fields, metadata as a whole, and null clears', async () => {
      const made = await node(alice, {
        value: 'v',
        importance_score: 0.1,
        metadata: { a: 1, b: 2 },
        tags: ['kept'],
      });
      const answer = await alice.put(`/nodes/${made.id}`, {
        title: 'new',
        value: null,
        metadata: { c: 3 },
        id: ABSENT,
        version: 9,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        ...made,
        title: 'new',
        value: null,
        metadata: { c: 3 },
        version: 2,
        updated_at: answer.body.updated_at,
      });
      expect(answer.headers.etag).toBe('"2"');
    });

    it('a PUT without a change makes no version', async () => {
      const made = await node(alice, { metadata: { a: { b: [1, { c: 2 }] } }, tags: ['one', 'two'] });
      const answer = await alice.put(`/nodes/${made.id}`, { ...made, tags: ['two', 'ONE'] });
      expect(answer.body).toEqual(made);
    });

    it.each([
      [{ title: null }, 'VALIDATION_ERROR'],
      [{ node_type: null }, 'VALIDATION_ERROR'],
      [{ tags: [] }, 'LAST_TAG_REMOVAL'],
      [{ tags: null }, 'LAST_TAG_REMOVAL'],
      [{ meaning_level: 'IDENTITY' }, 'INVALID_NODE_TYPE'],
      [{ schema_id: ABSENT }, 'SCHEMA_NOT_FOUND'],
    ])('a PUT of a node is refused with %j as %s', async (body, code) => {
      const made = await node(alice, { tags: ['one'] });
      expect(codeOf(await alice.put(`/nodes/${made.id}`, body))).toEqual([400, code]);
      expect((await alice.get(`/nodes/${made.id}`)).body).toEqual(made);
    });

    it('a PUT of a node may change tags from none to some, and from some to others', async () => {
      const made = await node(alice);
      expect((await alice.put(`/nodes/${made.id}`, { tags: [] })).body.version).toBe(1);
      expect((await alice.put(`/nodes/${made.id}`, { tags: ['x', 'y'] })).body.tags).toEqual(['x', 'y']);
      expect((await alice.put(`/nodes/${made.id}`, { tags: ['y', 'z'] })).body).toMatchObject({
        tags: ['y', 'z'],
        version: 3,
      });
    });
  });

  describe('PATCH /nodes/:node_id', () => {
    it('a merge patch of a node merges objects and removes by null', async () => {
      const made = await node(alice, { value: 'v', metadata: { a: 1, b: { c: 2, d: 3 } } });
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      const patch = JSON.stringify({ value: null, metadata: { a: null, b: { c: 4 } } });
      const answer = await alice.patch(`/nodes/${made.id}`, patch, { headers });
      expect(answer.body).toMatchObject({ value: null, metadata: { b: { c: 4, d: 3 } }, version: 2 });
    });

    it('a merge patch of a node is validated by its result', async () => {
      const made = await node(alice, {
        node_type: 'GOAL',
        meaning_level: 'IDENTITY',
        metadata: { properties: { status: 'active' } },
      });
      expect(
        codeOf(await alice.patch(`/nodes/${made.id}`, { metadata: { properties: { status: 'over' } } })),
      ).toEqual([400, 'VALIDATION_ERROR']);
      expect(codeOf(await alice.patch(`/nodes/${made.id}`, { title: null }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(codeOf(await alice.patch(`/nodes/${made.id}`, []))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('a merge patch without a change makes no version', async () => {
      const made = await node(alice, { metadata: { a: 1 } });
      expect((await alice.patch(`/nodes/${made.id}`, { metadata: { a: 1, b: null } })).body).toEqual(made);
    });
  });

  describe('preconditions', () => {
    it('If-Match on a node accepts the current version and refuses a stale one with 412', async () => {
      const made = await node(alice);
      const put = (title: string, etag: string) =>
        alice.put(`/nodes/${made.id}`, { title }, { headers: { 'If-Match': etag } });
      expect((await put('a', '"1"')).body.version).toBe(2);
      expect(codeOf(await put('b', '"1"'))).toEqual([412, 'PRECONDITION_FAILED']);
      expect(codeOf(await put('b', 'W/"2"'))).toEqual([412, 'PRECONDITION_FAILED']);
      expect((await put('b', '"7", "2"')).status).toBe(200);
      const stale = { headers: { 'If-Match': '"1"' } };
      expect((await alice.delete(`/nodes/${made.id}`, undefined, stale)).status).toBe(412);
      expect(
        (await alice.post(`/nodes/${made.id}/tags`, { tag_id: await tagId(alice, 'x') }, stale)).status,
      ).toBe(412);
    });

    it('If-Match on a node explains that a version without quotes is invalid', async () => {
      const made = await node(alice);
      const bare = await alice.put(`/nodes/${made.id}`, { title: 'a' }, { headers: { 'If-Match': '1' } });
      expect(codeOf(bare)).toEqual([412, 'PRECONDITION_FAILED']);
      expect(bare.body.error.message).toContain('must be "<version>", in quotes');
      const stale = await alice.put(`/nodes/${made.id}`, { title: 'a' }, { headers: { 'If-Match': '"7"' } });
      expect(stale.body.error.message).not.toContain('quotes');
    });

    it('If-Match on a node lets exactly one of 64 concurrent changes with one entity tag pass', async () => {
      const made = await node(alice);
      const headers = { 'If-Match': '"1"' };
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          alice.put(`/nodes/${made.id}`, { title: `title ${i % 2}` }, { headers }),
        ),
      );
      const count = (status: number) => answers.filter((answer) => answer.status === status).length;
      expect([count(200), count(412)]).toEqual([1, 63]);
      expect((await alice.get(`/nodes/${made.id}`)).body.version).toBe(2);
    });

    it('If-Match on a node is optional: of 64 concurrent changes without it none is lost', async () => {
      const made = await node(alice, { metadata: {} });
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          alice.patch(`/nodes/${made.id}`, { metadata: { [`k${i}`]: i } }),
        ),
      );
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const now = (await alice.get(`/nodes/${made.id}`)).body;
      expect(now.version).toBe(65);
      expect(Object.keys(now.metadata)).toHaveLength(64);
    });
  });

  describe('DELETE /nodes/:node_id', () => {
    it('the deletion of a node hides the node everywhere until it is restored', async () => {
      const made = await node(alice, { title: 'wreck of the Hesperus', tags: ['ships'] });
      expect((await alice.delete(`/nodes/${made.id}`)).status).toBe(204);
      expect((await alice.get(`/nodes/${made.id}`)).status).toBe(404);
      expect((await alice.delete(`/nodes/${made.id}`)).status).toBe(404);
      expect((await alice.put(`/nodes/${made.id}`, { title: 'x' })).status).toBe(404);
      expect((await alice.get('/nodes?search=hesperus')).body.total).toBe(0);
      const bin = await alice.get('/nodes?search=hesperus&deleted=true&include_tags=true');
      expect(bin.body.nodes).toEqual([
        expect.objectContaining({ id: made.id, tags: ['ships'], deleted_at: expect.any(String) }),
      ]);
      const restored = await alice.post(`/nodes/${made.id}/restore`);
      expect(restored.status).toBe(200);
      expect(restored.body).toEqual({ ...made, version: 3, updated_at: restored.body.updated_at });
      expect((await alice.get('/nodes?search=hesperus')).body.total).toBe(1);
      expect((await alice.get('/nodes?search=hesperus&deleted=true')).body.total).toBe(0);
    });

    it('the deletion of a node is not needed for a restore, which leaves a living node unchanged', async () => {
      const made = await node(alice);
      expect((await alice.post(`/nodes/${made.id}/restore`)).body).toEqual(made);
    });
  });

  describe('/nodes/:node_id/tags', () => {
    it('tags of a node are linked once', async () => {
      const [made, tag] = [await node(alice, { tags: ['first'] }), await tagId(alice, 'second')];
      const link = { tag_id: tag, relevance_score: 0.25, is_auto_generated: true };
      const added = await alice.post(`/nodes/${made.id}/tags`, link);
      expect(added.status).toBe(201);
      expect(added.body).toEqual({ node_id: made.id, ...link, created_at: expect.any(String) });
      const again = await alice.post(`/nodes/${made.id}/tags`, { tag_id: tag });
      expect([again.status, again.body]).toEqual([200, added.body]);
      expect((await alice.get(`/nodes/${made.id}`)).body).toMatchObject({
        tags: ['first', 'second'],
        version: 2,
      });
    });

    it('tags of a node have a relevance from 0 to 1', async () => {
      const [made, tag_id] = [await node(alice), await tagId(alice, 'relevant')];
      const add = (relevance_score: unknown) =>
        alice.post(`/nodes/${made.id}/tags`, { tag_id, relevance_score });
      for (const score of [-0.1, 1.1, 7, '0.5'])
        expect(codeOf(await add(score))).toEqual([400, 'VALIDATION_ERROR']);
      expect((await add(1)).status).toBe(201);
    });

    it('tags that do not exist are 404', async () => {
      const [made, tag] = [await node(alice), await tagId(alice, 'unused')];
      for (const tag_id of [ABSENT, 'no id']) {
        expect(codeOf(await alice.post(`/nodes/${made.id}/tags`, { tag_id }))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await alice.delete(`/nodes/${made.id}/tags/${encodeURIComponent(tag_id)}`))).toEqual([
          404,
          'NOT_FOUND',
        ]);
      }
      expect(codeOf(await alice.delete(`/nodes/${made.id}/tags/${tag}`))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await alice.post(`/nodes/${made.id}/tags`, {}))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('tags of a node are removed one by one, and the last deletes the node', async () => {
      const made = await node(alice, { tags: ['one', 'two'] });
      const remove = async (name: string) =>
        (await alice.delete(`/nodes/${made.id}/tags/${await tagId(alice, name)}`)).body;
      expect(await remove('one')).toMatchObject({ node_id: made.id, removed: true, node_deleted: false });
      expect(await remove('two')).toMatchObject({ removed: true, node_deleted: true });
      expect((await alice.get(`/nodes/${made.id}`)).status).toBe(404);
      expect((await alice.post(`/nodes/${made.id}/restore`)).body).toMatchObject({
        tags: ['two'],
        version: 4,
      });
    });

    it('deleted tags stay hidden until the owner removes them by id, and do not keep a node alive', async () => {
      const made = await node(alice, { tags: ['dying', 'staying'] });
      const [dying, staying] = [await tagId(alice, 'dying'), await tagId(alice, 'staying')];
      await alice.delete(`/tags/${dying}`);
      expect((await alice.get(`/nodes/${made.id}`)).body).toMatchObject({ tags: ['staying'], version: 1 });
      const off = { removed: true, node_deleted: false };
      expect((await alice.delete(`/nodes/${made.id}/tags/${dying}`)).body).toMatchObject(off);
      expect(codeOf(await alice.delete(`/nodes/${made.id}/tags/${dying}`))).toEqual([404, 'NOT_FOUND']);
      expect((await alice.delete(`/nodes/${made.id}/tags/${staying}`)).body.node_deleted).toBe(true);
    });
  });
});
