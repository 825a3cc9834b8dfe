import { type Client } from '../../support/client.js';
import { everything, type Requested } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, node, profile, tagId } from '../../support/worlds/nodes.js';
import { narrowed } from '../../support/worlds/tags.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const TEXT = 'write to jane@example.org';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

describe('relationships, for apps', () => {
  let world: World;
  let alice: TestUser;
  let work: string;
  let home: string;
  const nodes: Record<string, string> = {};
  const edges: Record<string, Body> = {};

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user('alice');
    [work, home] = [await tagId(alice, 'Work'), await tagId(alice, 'Home')];
    for (const [title, tags] of Object.entries({
      w1: ['Work'],
      w2: ['Work'],
      both: ['Work', 'Home'],
      h1: ['Home'],
      bare: [],
    })) {
      nodes[title] = (await node(alice, { title, tags })).id;
    }
    for (const [from, to] of [
      ['w1', 'w2'],
      ['w2', 'both'],
      ['both', 'h1'],
      ['h1', 'w1'],
      ['w1', 'bare'],
    ] as const) {
      const body = {
        ...between(from, to),
        relationship_type: 'knows',
        context: TEXT,
        strength: 0.5,
        emotion_type: 'positive',
      };
      edges[`${from}-${to}`] = (await alice.post('/relationships', body)).body;
    }
  });
  afterAll(() => world.stop());

  const between = (from: string, to: string) => ({ from_node_id: nodes[from], to_node_id: nodes[to] });
  const app = async (profile: Record<string, unknown>, requested?: Requested): Promise<Client> =>
    (await narrowed(world, alice, { profile, requested })).client;
  const listed = async (client: Client, query = '') => {
    const { status, body } = await client.get(`/relationships${query}`);
    expect(status).toBe(200);
    expect(body.total).toBe(body.relationships.length);
    const ids = body.relationships.map(({ id }: { id: string }) => id);
    return Object.keys(edges).filter((name) => ids.includes(edges[name].id));
  };

  describe('reading', () => {
    it('a relationship is read only with both of its ends', async () => {
      const client = await app(profile({ read: [work] }));
      expect(await listed(client)).toEqual(['w1-w2', 'w2-both']);
      expect(await listed(client, `?node_id=${nodes.w1}`)).toEqual(['w1-w2']);
      expect(await listed(client, `?node_id=${nodes.h1}`)).toEqual([]);
      expect((await client.get('/relationships?limit=1')).body.total).toBe(2);
      const { updated_at, version, ...shown } = edges['w1-w2'];
      expect([updated_at, version]).toEqual([shown.created_at, 1]);
      expect((await client.get(`/relationships/${shown.id}`)).body).toEqual(shown);
      const [hidden, absent] = await Promise.all(
        [edges['h1-w1'].id, ABSENT].map((id) => client.get(`/relationships/${id}`)),
      );
      expect(codeOf(hidden!)).toEqual([404, 'NOT_FOUND']);
      expect(hidden!.text.replace(/"request_id":"[^"]*"/, '')).toBe(
        absent!.text.replace(/"request_id":"[^"]*"/, ''),
      );
      const ofNode = await client.get(`/nodes/${nodes.w1}/relationships`);
      expect(ofNode.body).toMatchObject({ total_outgoing: 1, total_incoming: 0, outgoing: [shown] });
      expect(codeOf(await client.get(`/nodes/${nodes.h1}/relationships`))).toEqual([404, 'NODE_NOT_FOUND']);
    });

    it('excluded nodes hide their relationships', async () => {
      const client = await app(profile({ read: 'all' }, { tag_filters: { exclude_any: ['Home'] } }));
      expect(await listed(client)).toEqual(['w1-w2', 'w1-bare']);
    });

    it('an app without any permission reads an empty list, and no error', async () => {
      expect(await listed(await app({}, { tags: { discover: false } }))).toEqual([]);
    });

    it('nodes that are included with relationships are masked', async () => {
      const client = await app(profile({ read: [work] }, { max_detail_level: 'minimal' }));
      const [one] = (await client.get('/relationships?include_nodes=true')).body.relationships;
      expect(Object.keys(one.from_node).sort()).toEqual([
        'created_at',
        'id',
        'meaning_level',
        'node_type',
        'schema_id',
        'updated_at',
      ]);
    });

    it('the detail level applies to relationships', async () => {
      const { id } = edges['w1-w2'];
      const summary = await app(profile({ read: [work] }, { max_detail_level: 'summary' }));
      const hidden = ['context', 'updated_at', 'version'];
      const expected = Object.entries(edges['w1-w2'] as object).filter(([field]) => !hidden.includes(field));
      expect((await summary.get(`/relationships/${id}`)).body).toEqual(Object.fromEntries(expected));
      const minimal = await app(profile({ read: [work] }, { max_detail_level: 'minimal' }));
      const answer = await minimal.get(`/relationships/${id}`);
      expect(Object.keys(answer.body).sort()).toEqual(
        ['bidirectional', 'created_at', 'from_node_id', 'graph_view', 'id', 'to_node_id'].sort(),
      );
      expect(answer.headers.etag).not.toBe('"1"');
      for (const client of [summary, minimal]) {
        expect((await client.get('/relationships')).text).not.toContain('jane');
        expect((await client.get(`/nodes/${nodes.w1}/relationships`)).text).not.toContain('jane');
      }
    });

    it('the order of relationships reveals no time where the time is rounded', async () => {
      const client = await app(
        profile(
          { read: 'all' },
          { transformations: [{ type: 'round_date', config: { granularity: 'year' } }] },
        ),
      );
      const { relationships } = (await client.get('/relationships')).body;
      const ids = relationships.map(({ id }: { id: string }) => id);
      expect(relationships[0].created_at).toMatch(/-01-01T00:00:00/);
      expect(ids).toEqual([...ids].sort());
    });

    it('the context is transformed like the value of either node', async () => {
      const context = async (transformations: unknown[]) =>
        (
          await (
            await app(profile({ read: 'all' }, { transformations }))
          ).get(`/relationships/${edges['both-h1'].id}`)
        ).body.context;
      expect(await context(['pii_redaction'])).not.toContain('jane');
      for (const tag of [work, home]) {
        expect(await context([{ type: 'pii_redaction', apply_to: { tag_ids: [tag] } }])).not.toContain(
          'jane',
        );
      }
      expect(await context([{ type: 'pii_redaction', apply_to: { node_types: ['other'] } }])).toBe(TEXT);
      expect(await context([{ type: 'truncate', config: { field: 'value', max: 5 } }])).toBe('write');
      expect(await context([{ type: 'field_mask', config: { paths: ['value'] } }])).toBeUndefined();
    });
  });

  describe('writing', () => {
    const create = (client: Client, from: string, to: string, rest = {}) =>
      client.post('/relationships', { ...between(from, to), relationship_type: 'x', ...rest });

    it('a write of relationships by an app needs edit on the from-node and read on the other node to create', async () => {
      const client = await app(profile({ read: [work], edit: [home] }));
      expect((await create(client, 'both', 'w1')).status).toBe(201);
      expect(codeOf(await create(client, 'w1', 'both'))).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await create(client, 'both', 'w1', { bidirectional: true }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect(codeOf(await create(client, 'both', 'h1'))).toEqual([404, 'NODE_NOT_FOUND']);
      expect(codeOf(await create(client, 'h1', 'both'))).toEqual([404, 'NODE_NOT_FOUND']);
      const editor = await app(profile({ read: 'all', edit: 'all' }));
      expect((await create(editor, 'w1', 'h1', { bidirectional: true })).status).toBe(201);
    });

    it('a write of relationships by an app needs the permission, checked before the body', async () => {
      for (const client of [
        await app(profile({ read: 'all' })),
        await app(profile({ read: 'all', edit: 'all' }), {
          tags: { read: true },
          schemas: { read: { allow_all: true } },
        }),
      ]) {
        expect(codeOf(await client.post('/relationships', '{'))).toEqual([403, 'PERMISSION_DENIED']);
      }
    });

    it('a write of relationships by an app needs the schema to be writable', async () => {
      const body = profile(
        { read: 'all', edit: 'all' },
        { schema_permissions: { read: { schema_ids: [], allow_all: true } } },
      );
      expect(
        codeOf(
          await create(
            await app(body, { ...everything, schemas: { read: { allow_all: true } } }),
            'w1',
            'w2',
          ),
        ),
      ).toEqual([403, 'PERMISSION_DENIED']);
    });

    it('a write of relationships by an app needs edit on the from-node to change and to delete', async () => {
      const made = (await create(alice, 'both', 'w1')).body;
      const other = (await create(alice, 'w1', 'both')).body;
      const client = await app(profile({ read: [work], edit: [home] }));
      for (const answer of [
        await client.put(`/relationships/${other.id}`, '{'),
        await client.delete(`/relationships/${other.id}`),
      ]) {
        expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
      }
      for (const answer of [
        await client.put(`/relationships/${edges['h1-w1'].id}`, '{'),
        await client.delete(`/relationships/${edges['h1-w1'].id}`),
      ]) {
        expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
      }
      const written = (await client.put(`/relationships/${made.id}`, { strength: 0.1 })).body;
      expect(written.strength).toBe(0.1);
      expect((await client.delete(`/relationships/${made.id}`)).status).toBe(200);
    });

    it('preserves a redacted context that is written back', async () => {
      const made = (await create(alice, 'w1', 'w2', { context: TEXT })).body;
      const client = await app(profile({ read: 'all', edit: 'all' }, { transformations: ['pii_redaction'] }));
      const shown = (await client.get(`/relationships/${made.id}`)).body;
      expect(shown.context).not.toContain('jane');
      const answer = await client.put(`/relationships/${made.id}`, { ...shown, strength: 1 });
      expect(answer.body).toMatchObject({ context: shown.context, strength: 1 });
      expect((await alice.get(`/relationships/${made.id}`)).body).toMatchObject({
        context: TEXT,
        strength: 1,
        version: 2,
      });
      await client.put(`/relationships/${made.id}`, { context: 'new words' });
      expect((await alice.get(`/relationships/${made.id}`)).body.context).toBe('new words');
    });

    const masked = { type: 'field_mask', config: { paths: ['value'], strategy: 'null' } };
    const cut = (max: number) => ({ type: 'truncate', config: { field: 'value', max } });
    it.each([
      ['ends in a space', 'knows well and more', cut(6)],
      ['is masked', 'knows', masked],
      ['is empty', 'knows', cut(0)],
      ['is longer than allowed', 'a@b.org '.repeat(12).trim(), 'pii_redaction'],
    ])('preserves a text that is written back as read where it %s', async (_, text, transformation) => {
      const texts = { relationship_type: text, emotion_type: text, context: text.repeat(100) };
      const made = (await create(alice, 'w1', 'w2', texts)).body;
      const path = `/relationships/${made.id}`;
      const client = await app(
        profile({ read: 'all', edit: 'all' }, { transformations: [transformation as object] }),
      );
      const shown = await client.get(path);
      expect(shown.body.relationship_type).not.toBe(text);
      const answer = await client.put(path, shown.body, { headers: { 'If-Match': shown.headers.etag! } });
      expect([answer.status, answer.body]).toEqual([200, shown.body]);
      expect((await alice.get(path)).body).toEqual(made);
      expect((await client.put(path, { relationship_type: ' likes ' })).status).toBe(200);
      expect((await alice.get(path)).body.relationship_type).toBe('likes');
      for (const relationship_type of [' ', 'x'.repeat(101), 7])
        expect(codeOf(await client.put(path, { relationship_type }))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('a write of relationships by an app is replayed only as far as the app may read it today', async () => {
      const bob = await world.user();
      const tag = await tagId(bob, 'shared');
      const [x, y] = [await node(bob, { tags: [tag] }), await node(bob, { tags: [tag] })];
      const made = await narrowed(world, bob, { profile: profile({ read: 'all', edit: 'all' }) });
      const send = () =>
        made.client.post(
          '/relationships',
          { from_node_id: x.id, to_node_id: y.id, relationship_type: 'x', context: TEXT },
          { headers: { 'Idempotency-Key': 'again' } },
        );
      expect((await send()).body.context).toBe(TEXT);
      await bob.put(`/exposure-profiles/${made.profileId}`, { max_detail_level: 'summary' });
      const second = await send();
      expect(second.status).toBe(201);
      expect(second.text).not.toContain('jane');
    });
  });
});
