import { type Client } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const PII = { transformations: [{ type: 'pii_redaction', config: { entities: ['email'] } }] };
const mask = (...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy: 'remove' } }],
});

describe('nodes, for an app', () => {
  let world: World;
  let alice: TestUser;
  let work: string;
  let home: string;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    [work, home] = [await tagId(alice, 'work'), await tagId(alice, 'home')];
  });

  const lets = (body: Record<string, unknown>): Promise<Client> => letsIn(world, alice, body);

  describe('visibility', () => {
    it('the nodes that an app sees are those that its profile allows, in every list, count and single read', async () => {
      const shown = await node(alice, { title: 'report', tags: ['work', 'home'] });
      const hidden = await node(alice, { title: 'diary', tags: ['home'] });
      await node(alice, { title: 'untagged' });
      const app = await lets(profile({ read: [work] }));
      const list = await app.get('/nodes?include_tags=true');
      expect(list.body).toMatchObject({ total: 1, nodes: [{ id: shown.id, tags: ['work'] }] });
      expect((await app.get('/nodes/count')).body).toEqual({ count: 1 });
      expect((await app.get(`/nodes/count?tag_ids=${home}`)).body).toEqual({ count: 0 });
      expect((await app.get(`/nodes?tag_id=${home}`)).body.total).toBe(0);
      expect((await app.get('/nodes?search=diary')).body.total).toBe(0);
      expect((await app.get(`/nodes/${shown.id}`)).body.tags).toEqual(['work']);
      expect(codeOf(await app.get(`/nodes/${hidden.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
    });

    it('the nodes that an app sees are none without read: empty lists and 404s', async () => {
      const made = await node(alice, { tags: ['work'] });
      const app = await lets(profile({ discover: 'all' }));
      expect((await app.get('/nodes')).body).toMatchObject({ nodes: [], total: 0 });
      expect((await app.get('/nodes/count')).body).toEqual({ count: 0 });
      expect((await app.get(`/nodes/${made.id}`)).status).toBe(404);
      expect((await app.put(`/nodes/${made.id}`, {})).status).toBe(404);
    });

    it('the nodes that an app sees never include deleted nodes', async () => {
      const made = await node(alice, { tags: ['work'] });
      await alice.delete(`/nodes/${made.id}`);
      const app = await alice.lets(await world.app());
      expect((await app.get('/nodes?deleted=true')).body).toMatchObject({ nodes: [], total: 0 });
      expect((await app.get(`/nodes/${made.id}`)).status).toBe(404);
    });

    it('the nodes that an app sees change with the next request after a change of tags or of the profile', async () => {
      const made = await node(alice, { tags: ['work'] });
      const app = await lets(profile({ read: [work] }));
      const total = async () => (await app.get('/nodes')).body.total as number;
      expect(await total()).toBe(1);
      await alice.put(`/nodes/${made.id}`, { tags: ['home'] });
      expect(await total()).toBe(0);
      await alice.put(`/nodes/${made.id}`, { tags: ['work'] });
      expect(await total()).toBe(1);
      await alice.delete(`/tags/${work}`);
      expect(await total()).toBe(0);
    });
  });

  describe('detail levels of nodes', () => {
    const FULL = [
      'title',
      'value',
      'metadata',
      'agent_metadata',
      'owner_id',
      'tags',
      'version',
      'importance_score',
    ];
    const MINIMAL = ['created_at', 'id', 'meaning_level', 'node_type', 'schema_id', 'updated_at'];

    it('detail summary leaves out the specified fields, and searches only titles', async () => {
      const made = await node(alice, { title: 'Alpha', value: 'Omega', tags: ['work'], metadata: { a: 1 } });
      const app = await lets(profile({ read: 'all' }, { max_detail_level: 'summary' }));
      const { body } = await app.get(`/nodes/${made.id}`);
      expect(Object.keys(body).sort()).toEqual(
        [...MINIMAL, 'importance_score', 'owner_id', 'tags', 'title', 'version'].sort(),
      );
      expect((await app.get('/nodes?search=alpha')).body.total).toBe(1);
      expect((await app.get('/nodes?search=omega')).body.total).toBe(0);
    });

    it('detail minimal shows no user text, no order by title, no search, and an opaque entity tag', async () => {
      const a = await node(alice, { title: 'b', tags: ['work'] });
      const b = await node(alice, { title: 'a', tags: ['work'] });
      const app = await lets(profile({ read: 'all', edit: 'all' }, { max_detail_level: 'minimal' }));
      const one = await app.get(`/nodes/${a.id}`);
      expect(Object.keys(one.body).sort()).toEqual(MINIMAL);
      expect(one.headers.etag).not.toBe('"1"');
      for (const order of ['asc', 'desc']) {
        const { body } = await app.get(
          `/nodes?sort=title&order=${order}&include_tags=true&include_owner=true`,
        );
        const ids = body.nodes.map(({ id }: { id: string }) => id);
        expect(ids).toEqual(order === 'asc' ? [a.id, b.id].sort() : [a.id, b.id].sort().reverse());
        expect(Object.keys(body.nodes[0]).sort()).toEqual(MINIMAL);
      }
      expect((await app.get('/nodes?search=a')).body.total).toBe(0);
      const put = (body: object) =>
        app.put(`/nodes/${a.id}`, body, { headers: { 'If-Match': one.headers.etag as string } });
      expect((await put({ title: 'c' })).status).toBe(200);
      expect((await put({ title: 'd', node_type: 'diary' })).status).toBe(200);
      expect((await put({ title: 'e' })).status).toBe(412);
      expect(FULL.some((field) => field in one.body)).toBe(false);
    });
  });

  describe('masks', () => {
    it('transformations of nodes show other values, also in lists, and a search finds only shown values', async () => {
      const made = await node(alice, {
        title: 'Mail ada@example.org',
        value: 'b@example.org',
        tags: ['work'],
      });
      await node(alice, { title: 'Mail nobody', tags: ['work'] });
      const app = await lets(profile({ read: 'all' }, PII));
      expect((await app.get(`/nodes/${made.id}`)).body.title).toBe('Mail [REDACTED:email]');
      expect(titlesOf(await app.get('/nodes?sort=title&order=asc'))).toEqual([
        'Mail [REDACTED:email]',
        'Mail nobody',
      ]);
      const total = async (search: string) =>
        (await app.get(`/nodes?search=${encodeURIComponent(search)}`)).body.total as number;
      expect([
        await total('ada@'),
        await total('redacted'),
        await total('MAIL'),
        await total('example'),
      ]).toEqual([0, 1, 2, 0]);
    });

    it('transformations of nodes sort by shown values', async () => {
      for (const [title, value] of [
        ['x', '3'],
        ['y', '1'],
        ['z', '2'],
      ])
        await node(alice, { title, value, tags: ['work'] });
      const app = await lets(profile({ read: 'all' }, mask('title')));
      const ids = (await app.get('/nodes?sort=title&order=asc')).body.nodes.map(
        ({ id }: { id: string }) => id,
      );
      expect(ids).toEqual([...ids].sort());
      expect((await app.get('/nodes?search=x')).body.total).toBe(0);
    });

    it('transformations of nodes survive the round trip: values written back as they were read keep their originals', async () => {
      const made = await node(alice, {
        title: 'Mail ada@example.org',
        value: 'to b@example.org',
        metadata: { properties: { to: ['c@example.org', 'x'], deep: { mail: 'd@example.org' } } },
        tags: ['work'],
      });
      const app = await lets(profile({ read: 'all', edit: 'all' }, PII));
      const seen = (await app.get(`/nodes/${made.id}`)).body;
      expect(JSON.stringify(seen)).not.toContain('example.org');
      expect((await app.put(`/nodes/${made.id}`, seen)).body.version).toBe(1);
      seen.metadata.properties.deep.more = 1;
      expect((await app.put(`/nodes/${made.id}`, { ...seen, value: 'gone' })).status).toBe(200);
      expect((await alice.get(`/nodes/${made.id}`)).body).toMatchObject({
        title: made.title,
        value: 'gone',
        metadata: { properties: { to: ['c@example.org', 'x'], deep: { mail: 'd@example.org', more: 1 } } },
        version: 2,
      });
      await app.patch(`/nodes/${made.id}`, { metadata: { properties: { extra: true } } });
      expect((await alice.get(`/nodes/${made.id}`)).body.metadata.properties).toEqual({
        to: ['c@example.org', 'x'],
        deep: { mail: 'd@example.org', more: 1 },
        extra: true,
      });
    });

    it('transformations that remove keys preserve them through a write', async () => {
      const made = await node(alice, { metadata: { open: 1, secret: { a: 1 } }, tags: ['work'] });
      const app = await lets(profile({ read: 'all', edit: 'all' }, mask('metadata.secret')));
      expect((await app.get(`/nodes/${made.id}`)).body.metadata).toEqual({ open: 1 });
      await app.put(`/nodes/${made.id}`, { metadata: { open: 2 } });
      await app.patch(`/nodes/${made.id}`, { metadata: { open: 3, secret: null } });
      expect((await alice.get(`/nodes/${made.id}`)).body.metadata).toEqual({ open: 3, secret: { a: 1 } });
    });
  });

  describe('permissions', () => {
    it('creating nodes is limited by the right create', async () => {
      const app = await lets(profile({ read: 'all', create: [work] }));
      const create = (tags?: string[]) => app.post('/nodes', { title: 't', node_type: 'note', tags });
      expect((await create(['work'])).status).toBe(201);
      expect((await create(['WORK', work])).body.tags).toEqual(['work']);
      for (const tags of [undefined, [], ['home'], ['work', 'home'], ['work', 'new one'], [ABSENT]]) {
        expect(codeOf(await create(tags))).toEqual([403, 'PERMISSION_DENIED']);
      }
      expect((await alice.get('/tags')).body.total).toBe(2);
    });

    it('apps create tags only with allow_new, which defaults to allow_all', async () => {
      const create = { tag_ids: [work], allow_all: false, allow_new: true };
      const body = profile({ read: 'all' });
      const some = await lets({ ...body, tag_permissions: { ...(body.tag_permissions as object), create } });
      const made = await some.post('/nodes', { title: 't', node_type: 'note', tags: ['work', 'invented'] });
      expect([made.status, made.body.tags]).toEqual([201, ['work', 'invented']]);
      const all = await lets(profile({ read: 'all', create: 'all' }));
      expect((await all.post('/nodes', { title: 't', node_type: 'note', tags: ['another'] })).status).toBe(
        201,
      );
    });

    it('apps that may not create at all are refused with 403 before the body is read', async () => {
      const app = await lets(profile({ read: 'all' }));
      expect(codeOf(await app.post('/nodes', '{broken'))).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await app.post('/nodes/batch', '{broken'))).toEqual([403, 'PERMISSION_DENIED']);
    });

    it('an app may create a node that it cannot read, and sees it once', async () => {
      const app = await lets(profile({ create: [work] }));
      const headers = { 'Idempotency-Key': 'blind' };
      const create = () => app.post('/nodes', { title: 't', node_type: 'note', tags: ['work'] }, { headers });
      const made = await create();
      expect(made.status).toBe(201);
      expect((await app.get(`/nodes/${made.body.id}`)).status).toBe(404);
      expect((await create()).body).toEqual(made.body);
    });

    it('editing answers 404 for unreadable nodes, 403 for nodes that the app may only read', async () => {
      const [seen, own, hidden] = [
        await node(alice, { tags: ['home'] }),
        await node(alice, { tags: ['work', 'home'] }),
        await node(alice, { tags: ['hidden'] }),
      ];
      const app = await lets(profile({ read: [work, home], edit: [work] }));
      expect((await app.put(`/nodes/${own.id}`, { title: 'x' })).status).toBe(200);
      for (const call of [
        (id: string) => app.put(`/nodes/${id}`, { title: 'x' }),
        (id: string) => app.patch(`/nodes/${id}`, { title: 'x' }),
        (id: string) => app.put(`/nodes/${id}`, '{broken'),
        (id: string) => app.delete(`/nodes/${id}`),
        (id: string) => app.post(`/nodes/${id}/tags`, { tag_id: work }),
        (id: string) => app.delete(`/nodes/${id}/tags/${home}`),
        (id: string) => app.post(`/nodes/${id}/restore`),
      ]) {
        expect(codeOf(await call(seen.id))).toEqual([403, 'PERMISSION_DENIED']);
        expect(codeOf(await call(hidden.id))).toEqual([404, 'NODE_NOT_FOUND']);
        expect(codeOf(await call(ABSENT))).toEqual([404, 'NODE_NOT_FOUND']);
      }
    });

    it('deleting and restoring need edit, or delete where the profile says so', async () => {
      const made = await node(alice, { tags: ['work'] });
      const editor = await lets(profile({ read: [work], edit: [work] }));
      expect((await editor.delete(`/nodes/${made.id}`)).status).toBe(204);
      expect((await editor.post(`/nodes/${made.id}/restore`)).body.version).toBe(3);
      const careful = await lets(profile({ read: [work], edit: [work], delete: [] }));
      expect(codeOf(await careful.delete(`/nodes/${made.id}`))).toEqual([403, 'PERMISSION_DENIED']);
    });

    it('removing the last tag needs the right to delete', async () => {
      const made = await node(alice, { tags: ['work'] });
      const app = await lets(profile({ discover: 'all', read: [work], edit: [work], delete: [] }));
      expect(codeOf(await app.delete(`/nodes/${made.id}/tags/${work}`))).toEqual([403, 'PERMISSION_DENIED']);
      expect((await alice.get(`/nodes/${made.id}`)).body).toEqual(made);
    });

    it('the last tag that the app knows cannot be removed, with or without hidden tags', async () => {
      const app = await lets(profile({ read: [work], edit: [work], delete: [work] }));
      const told = async (tags: string[]) => {
        const made = await node(alice, { tags });
        const answers = [
          await app.delete(`/nodes/${made.id}/tags/${work}`),
          await app.put(`/nodes/${made.id}`, { tags: [] }),
          await app.patch(`/nodes/${made.id}`, { tags: null }),
          await app.delete(`/raw-files/${made.id}/tags/${work}`),
        ];
        expect((await alice.get(`/nodes/${made.id}`)).body).toEqual(made);
        expect((await app.delete(`/nodes/${made.id}`)).status).toBe(204);
        return answers.map(({ status, body }) => [status, body.error.code, body.error.message]);
      };
      const alone = await told(['work']);
      expect(alone.slice(0, 3).map(([status, code]) => [status, code])).toEqual(
        Array(3).fill([400, 'LAST_TAG_REMOVAL']),
      );
      expect(await told(['work', 'home'])).toEqual(alone);
    });

    it('an app may remove a tag while it knows another one', async () => {
      const made = await node(alice, { tags: ['work', 'home'] });
      const app = await lets(profile({ discover: [home], read: [work], edit: [work] }));
      const answer = await app.delete(`/nodes/${made.id}/tags/${work}`);
      expect(answer.body).toMatchObject({ removed: true, node_deleted: false });
    });

    it('removing the last tag deletes the node where the app may know all tags', async () => {
      const made = await node(alice, { tags: ['work'] });
      const app = await lets(profile({ discover: 'all', read: [work], edit: [work], delete: [work] }));
      const answer = await app.delete(`/nodes/${made.id}/tags/${work}`);
      expect(answer.body).toMatchObject({ removed: true, node_deleted: true });
    });

    it('a node without a schema needs a grant, too', async () => {
      const none = { read: { allow_all: true, schema_ids: [] }, write: { allow_all: false, schema_ids: [] } };
      const app = await alice.lets(
        await world.app({ requested: { tags: { read: true, write: true }, schemas: none } }),
        profile({ read: 'all', create: 'all', edit: 'all' }, { schema_permissions: none }),
      );
      const refused = await app.post('/nodes', { title: 't', node_type: 'note' });
      expect(codeOf(refused)).toEqual([403, 'PERMISSION_DENIED']);
      expect(refused.body.error.message).toContain('`schemas.write` for `__freeform__`');
    });

    it('writing nodes of a schema needs a grant for it', async () => {
      const freeform = {
        read: { allow_all: true, schema_ids: [] },
        write: { allow_all: false, schema_ids: ['__freeform__'] },
      };
      const requested = { tags: { read: true, write: true }, schemas: freeform };
      const app = await alice.lets(
        await world.app({ requested }),
        profile({ read: 'all', create: 'all', edit: 'all' }, { schema_permissions: freeform }),
      );
      const schema_id = '00000000-0000-7000-8000-000000000005';
      const create = (body: object) => app.post('/nodes', { title: 't', node_type: 'note', ...body });
      expect((await create({})).status).toBe(201);
      expect(codeOf(await create({ schema_id }))).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await create({ schema_id: ABSENT }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
      const [free, typed] = [await node(alice), await node(alice, { schema_id })];
      expect(codeOf(await app.put(`/nodes/${free.id}`, { schema_id }))).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await app.put(`/nodes/${typed.id}`, { title: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
    });
  });

  describe('hidden tags', () => {
    it('tags that an app may not know stay when the app rewrites the tags', async () => {
      const play = await tagId(alice, 'play');
      const made = await node(alice, { tags: ['work', 'home'] });
      const app = await lets(profile({ read: [work, play], edit: [work, play] }));
      expect((await app.put(`/nodes/${made.id}`, { tags: ['work'] })).body.version).toBe(1);
      const answer = await app.put(`/nodes/${made.id}`, { tags: ['play'] });
      expect(answer.body.tags).toEqual(['play']);
      expect((await alice.get(`/nodes/${made.id}`)).body.tags).toEqual(['play', 'home']);
      expect(codeOf(await app.put(`/nodes/${made.id}`, { tags: [] }))).toEqual([400, 'LAST_TAG_REMOVAL']);
      expect(codeOf(await app.put(`/nodes/${made.id}`, { tags: ['home'] }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
    });

    it('tags that an app may not know cannot be linked or removed: the same 404 as for absent tags', async () => {
      const made = await node(alice, { tags: ['work', 'home'] });
      const app = await lets(profile({ read: [work], edit: [work] }));
      for (const tag of [home, ABSENT]) {
        expect(codeOf(await app.post(`/nodes/${made.id}/tags`, { tag_id: tag }))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await app.delete(`/nodes/${made.id}/tags/${tag}`))).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('tags that an app may not know do not include tags that it knows but may not edit with, which are 403', async () => {
      const made = await node(alice, { tags: ['work', 'home'] });
      const app = await lets(profile({ discover: 'all', read: 'all', edit: [work] }));
      await tagId(alice, 'third');
      expect(codeOf(await app.delete(`/nodes/${made.id}/tags/${home}`))).toEqual([403, 'PERMISSION_DENIED']);
      expect(
        codeOf(await app.post(`/nodes/${made.id}/tags`, { tag_id: await tagId(alice, 'third') })),
      ).toEqual([403, 'PERMISSION_DENIED']);
      expect(codeOf(await app.put(`/nodes/${made.id}`, { tags: ['work'] }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect((await app.put(`/nodes/${made.id}`, { tags: ['home', 'work'] })).body.version).toBe(1);
    });
  });
});
