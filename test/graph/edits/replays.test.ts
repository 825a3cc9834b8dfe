import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Answer, type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { everything } from '../../support/defaults.js';
import { approved } from '../../support/worlds/proposals.js';
import { upload } from '../../support/worlds/files.js';
import { codeOf, letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

/** A repeated Idempotency-Key gets the stored answer, cut by the current facts and profile (rules 3.20b and 11.6c). */
describe('Idempotency-Key', () => {
  let world: World;
  let alice: TestUser;
  let app: Client;
  let [work, secret] = ['', ''];
  const once = { headers: { 'Idempotency-Key': 'once' } };

  beforeAll(async () => {
    world = await World.startHere();
  });
  beforeEach(async () => {
    alice = await world.user();
    [work, secret] = [await tagId(alice, 'work'), await tagId(alice, 'secret')];
    app = await letsIn(
      world,
      alice,
      profile({ read: [work], create: [work], edit: [work], discover: [work], propose: [work] }),
    );
  });
  afterAll(() => world.stop());

  const retag = async (id: string, tag: string) => {
    const { status } = await alice.put(`/nodes/${id}`, { tags: [tag] });
    expect(status).toBe(200);
  };
  const same = (again: Answer, first: Answer) => {
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect([again.headers['idempotent-replayed'], again.headers.etag]).toEqual(['true', first.headers.etag]);
  };
  const absent = (again: Answer, kind = 'NODE_NOT_FOUND') => {
    expect(codeOf(again)).toEqual([404, kind]);
    expect(again.headers.etag).toBeUndefined();
  };

  const makers: [string, (client: Client) => Promise<Answer>][] = [
    ['a node', (client) => client.post('/nodes', { title: 'mine', node_type: 'note', tags: ['work'] }, once)],
    [
      'an uploaded node',
      (client) => upload(client, '/nodes/upload', { ...once, fields: { tags: '["work"]' } }),
    ],
    ['a file', (client) => upload(client, '/raw-files', { ...once, fields: { tag_ids: work } })],
  ];
  it('the replay of a stored answer comes from the service that stored it, although another one started later in the same process', async () => {
    const body = { title: 'mine', node_type: 'note', tags: ['work'] };
    const made = await app.post('/nodes', body, once);
    expect(made.status).toBe(201);
    const other = await World.startHere();
    try {
      same(await app.post('/nodes', body, once), made);
    } finally {
      await other.stop();
    }
  }, 60_000);

  it.each([
    ['/nodes/lookup', (id: string) => ({ ids: [id] })],
    ['/nodes/search', () => ({ query: 'harbour' })],
    ['/nodes/search/vector', () => ({ embedding: [1, 0] })],
  ])(
    'POST %s with a key is read again each time, and its answer is stored nowhere (rule 11.6d)',
    async (path, bodyOf) => {
      const { id } = await node(alice, { title: 'harbour', tags: ['work'] });
      await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 0] });
      const ask = async (more: object = {}) => app.post(path, { ...bodyOf(id), ...more }, once);
      expect(titlesOf(await ask())).toEqual(['harbour']);
      await alice.put(`/nodes/${id}`, { title: 'harbour at night' });
      const again = await ask();
      expect(titlesOf(again)).toEqual(['harbour at night']);
      expect(again.headers).not.toHaveProperty('idempotent-replayed');
      expect((await ask({ fields: ['title'] })).status).toBe(200);
      const stored = await world.nest
        .get(Database)
        .read(sql`SELECT key FROM idempotency_keys WHERE owner_id = ${alice.id}`);
      expect(stored).toEqual([]);
    },
  );

  it.each(makers)('a replay with %s in it is like a read today', async (_, make) => {
    const made = await make(app);
    expect([made.status, made.headers.etag]).toEqual([201, expect.stringMatching(/^"1-/)]);
    const { id } = made.body;
    same(await make(app), made);
    await retag(id, 'secret');
    absent(await make(app));
    expect((await app.get(`/nodes/${id}`)).status).toBe(404);
    await retag(id, 'work');
    same(await make(app), made);
    await alice.delete(`/nodes/${id}`);
    absent(await make(app));
  });

  const maskedBy = (apply_to: object) =>
    letsIn(
      world,
      alice,
      profile(
        { read: 'all', create: 'all', edit: 'all', discover: 'all' },
        { transformations: [{ type: 'field_mask', config: { paths: ['title', 'value'] }, apply_to }] },
      ),
    );

  it.each(makers)("a replay with %s in it is masked by the node's current facts", async (_, make) => {
    const client = await maskedBy({ tag_ids: [secret] });
    const made = await make(client);
    expect(made.status).toBe(201);
    const isNamed = ({ body }: Answer) => Boolean(body.title ?? body.filename);
    expect(isNamed(made)).toBe(true);
    await alice.post(`/nodes/${made.body.id}/tags`, { tag_id: secret });
    expect(isNamed(await make(client))).toBe(false);
  });

  it("a replay with a relationship in it is masked by its nodes' current facts", async () => {
    const client = await maskedBy({ tag_ids: [secret] });
    const [from, to] = [await node(alice, { tags: ['work'] }), await node(alice, { tags: ['work'] })];
    const make = () =>
      client.post(
        '/relationships',
        { from_node_id: from.id, to_node_id: to.id, relationship_type: 'knows', context: 'in love' },
        once,
      );
    expect((await make()).body.context).toBe('in love');
    await alice.post(`/nodes/${to.id}/tags`, { tag_id: secret });
    expect((await make()).text).not.toContain('in love');
  });

  it('the replay of a stored answer shows owners the same as before, whatever happened to it since', async () => {
    const make = () => alice.post('/nodes', { title: 'mine', node_type: 'note' }, once);
    const made = await make();
    await alice.delete(`/nodes/${made.body.id}`);
    same(await make(), made);
  });

  it('the replay of a stored answer is cut by the current profile, its ETag too', async () => {
    const third = await world.app({ requested: asking({ read: true, create: true }) });
    const { profile: rules } = await alice.authorizes(third, profile({ read: 'all', create: 'all' }));
    const client = third.as(alice);
    const make = () => client.post('/nodes', { title: 'mine', node_type: 'note', value: 'v' }, once);
    const made = await make();
    await alice.put(`/exposure-profiles/${rules.id}`, { max_detail_level: 'minimal' });
    const again = await make();
    expect([again.status, again.body.title]).toEqual([201, undefined]);
    expect(again.headers.etag).toBe(versionTag(await client.get(`/nodes/${made.body.id}`)));
  });

  it('a replay of an answer that only its writer was ever shown needs the right to write it again', async () => {
    const third = await world.app({ requested: asking({ create: true }) });
    const { profile: rules } = await alice.authorizes(third, profile({ create: 'all' }));
    const client = third.as(alice);
    const make = () => client.post('/nodes', { title: 'blind', node_type: 'note' }, once);
    const made = await make();
    await alice.delete(`/nodes/${made.body.id}`);
    same(await make(), made);
    const write = { schema_ids: [], allow_all: false };
    const read = { schema_ids: [], allow_all: true };
    await alice.put(`/exposure-profiles/${rules.id}`, { schema_permissions: { read, write } });
    absent(await make());
  });

  it('a replay with a relationship in it needs both of its ends today', async () => {
    const [a, b] = [await node(alice, { tags: ['work'] }), await node(alice, { tags: ['work'] })];
    const body = { from_node_id: a.id, to_node_id: b.id, relationship_type: 'near' };
    const make = () => app.post('/relationships', body, once);
    const made = await make();
    same(await make(), made);
    await retag(b.id, 'secret');
    absent(await make(), 'NOT_FOUND');
    await retag(b.id, 'work');
    same(await make(), made);
    await alice.delete(`/relationships/${made.body.id}`);
    absent(await make(), 'NOT_FOUND');
  });

  it('a replay with a relationship between received nodes in it needs their share today', async () => {
    const bob = await world.user();
    const [a, b] = [await node(alice, { tags: ['work'] }), await node(alice, { tags: ['work'] })];
    const shared = { shared_with_user_id: bob.id, scope: 'specific_tags', tag_ids: [work], can_write: true };
    const { body: share } = await alice.post('/sharing', shared);
    const edge = { from_node_id: a.id, to_node_id: b.id, relationship_type: 'near', bidirectional: true };
    const make = () => bob.post('/relationships', edge, once);
    const made = await make();
    expect(made.status).toBe(201);
    same(await make(), made);
    await retag(b.id, 'secret');
    absent(await make(), 'NOT_FOUND');
    await retag(b.id, 'work');
    same(await make(), made);
    await alice.delete(`/sharing/${share.id}`);
    absent(await make(), 'NOT_FOUND');
  });

  it('a replayed batch names no existing node that is out of view', async () => {
    const known = await node(alice, { title: 'known', tags: ['work'] });
    const make = (mode: string) => {
      const nodes = ['known', `new ${mode}`].map((title) => ({ title, node_type: 'note', tags: ['work'] }));
      const headers = { 'Idempotency-Key': mode };
      return app.post('/nodes/batch', { nodes, on_duplicate: mode }, { headers });
    };
    const first = [await make('skip'), await make('overwrite')];
    expect([first[0]!.body.skipped, first[1]!.body.updated]).toMatchObject([
      [{ id: known.id }],
      [{ id: known.id }],
    ]);
    same(await make('skip'), first[0]!);
    await retag(known.id, 'secret');
    for (const [index, mode] of ['skip', 'overwrite'].entries()) {
      const again = await make(mode);
      expect(again.text).not.toContain(known.id);
      expect(again.body.created).toEqual(first[index]!.body.created);
    }
  });

  it('a replayed proposal has its ETag, and errors about nodes as they are reported today', async () => {
    const body = { title: 'p', canonical_data: { title: 'n', node_type: 'note', tags: ['work'] } };
    const propose = () => app.post('/proposals', body, once);
    const made = await propose();
    expect(made.headers.etag).toBe('"1"');
    same(await propose(), made);
    const a = await node(alice, { title: 'a', tags: ['work'] });
    const id = await approved(alice, app, {
      type: 'UPDATE_NODE',
      canonical_data: { node_id: a.id, changes: { title: 'A' }, base_version: 1 },
    });
    await alice.put(`/nodes/${a.id}`, { title: 'mine' });
    const apply = () => app.post(`/proposals/${id}/apply`, {}, { headers: { 'Idempotency-Key': 'apply' } });
    const failed = await apply();
    expect(failed.body.errors).toMatchObject([{ code: 'CONFLICT', fields: ['title'] }]);
    same(await apply(), failed);
    await retag(a.id, 'secret');
    const [told] = (await apply()).body.errors;
    expect(told).toEqual({
      action_id: 'action-1',
      type: 'UPDATE_NODE',
      code: 'NODE_NOT_FOUND',
      message: 'Node not found',
    });
  });

  it('the replay of a stored answer is stored as its sources, not as it was shown', async () => {
    await app.post('/nodes', { title: 'kept', node_type: 'note', tags: ['work'] }, once);
    const rows = await world.nest
      .get(Database)
      .dataSource.query('SELECT body FROM idempotency_keys WHERE owner_id = $1', [alice.id]);
    expect(rows).toMatchObject([{ body: { prototype: 'node', source: { title: 'kept' } } }]);
    expect(secret).not.toBe('');
  });

  it('the replay of a stored answer cannot be forged, because no body may contain the mark of a source', async () => {
    const forged = { prototype: 'node', source: { id: alice.id, owner_id: alice.id, unread: true } };
    const schema = { name: 's', json_schema: { type: 'object', default: forged } };
    expect((await alice.post('/schemas', schema, once)).status).toBe(400);
  });
});

const asking = (tags: Record<string, boolean>) => ({ ...everything, tags, files: { read: false } });
