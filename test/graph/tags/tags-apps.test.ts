import { type Client } from '../../support/client.js';
import { type Requested } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, node, profile, tagId } from '../../support/worlds/nodes.js';
import { narrowed } from '../../support/worlds/tags.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const RAW_FILE = '00000000-0000-7000-8000-000000000001';
const HIDDEN = 'MARKER-hidden';

describe('tags, for apps', () => {
  let world: World;
  let alice: TestUser;
  /** Ids of alice's tags by name. */
  let ids: Record<'work' | 'home' | 'secret' | 'below', string>;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user('alice');
    const make = async (body: Record<string, unknown>) => (await alice.post('/tags', body)).body.id as string;
    const secret = await make({ name: 'Secret', category: HIDDEN });
    const whole = {
      color: '#112233',
      category: 'topic',
      description: 'call 030 1234567 or mail jane@example.org',
    };
    const work = await make({ name: 'Work', ...whole, parent_tag_id: secret });
    const home = await make({ name: 'Home', category: HIDDEN, description: HIDDEN });
    ids = { work, home, secret, below: await make({ name: 'Below', parent_tag_id: work }) };
    await node(alice, { title: 'at work', value: HIDDEN, tags: ['Work'] });
    await node(alice, { title: 'at both', tags: ['Work', 'Home'] });
    await node(alice, { title: HIDDEN, tags: ['Home'] });
    await node(alice, { title: HIDDEN, tags: ['Secret'] });
  });
  afterAll(() => world.stop());

  const app = async (profile: Record<string, unknown>, requested?: Requested): Promise<Client> =>
    (await narrowed(world, alice, { profile, requested })).client;
  const names = async (client: Client, query = '') =>
    (await client.get(`/tags${query}`)).body.tags.map(({ name }: { name: string }) => name);

  describe('discovery', () => {
    it('tags with discover alone have only their name', async () => {
      const client = await app(profile({ discover: [ids.work, ids.below] }));
      const answer = await client.get('/tags');
      expect(answer.body).toEqual({
        tags: [
          { id: ids.below, name: 'Below' },
          { id: ids.work, name: 'Work' },
        ],
        total: 2,
        limit: 50,
        offset: 0,
        page: 1,
        per_page: 50,
        truncated: false,
      });
      const one = await client.get(`/tags/${ids.work}`);
      expect(one.body).toEqual({ id: ids.work, name: 'Work' });
      expect(one.headers.etag).not.toBe('"1"');
      expect(codeOf(await client.get(`/tags/${ids.secret}`))).toEqual([404, 'NOT_FOUND']);
    });

    it.each(['read', 'edit'])('tags with %s are shown whole, except for a hidden parent', async (verb) => {
      const client = await app(profile({ [verb]: [ids.work, ids.below] }));
      const { body, headers } = await client.get(`/tags/${ids.work}`);
      const { updated_at, ...shown } = (await alice.get(`/tags/${ids.work}`)).body;
      expect(updated_at).toBeDefined();
      expect(body).toEqual({ ...shown, parent_tag_id: null });
      expect(headers.etag).not.toBe('"1"');
      expect((await client.get(`/tags/${ids.below}`)).body.parent_tag_id).toBe(ids.work);
    });

    it.each(['propose', 'create'])('tags with %s have only their name', async (verb) => {
      const client = await app(profile({ [verb]: [ids.work] }));
      expect((await client.get('/tags')).body.tags).toEqual([{ id: ids.work, name: 'Work' }]);
    });

    it('an app without any permission sees no tags, and gets no error', async () => {
      const client = await app({}, { tags: { read: false } });
      expect((await client.get('/tags')).body).toMatchObject({ tags: [], total: 0 });
    });

    it('grants that were not requested show no tags', async () => {
      const requested = { tags: { discover: false, create: true }, schemas: {} };
      const client = await app(profile({ discover: 'all', read: 'all', create: [ids.home] }), requested);
      expect(await names(client)).toEqual(['Home']);
    });

    it('hidden and absent tags are answered in the same words', async () => {
      const client = await app(profile({ read: [ids.work] }));
      for (const path of ['', '/nodes', '/files']) {
        const [hidden, absent] = await Promise.all(
          [ids.secret, ABSENT].map((id) => client.get(`/tags/${id}${path}`)),
        );
        const bytes = [hidden, absent].map((answer) => answer?.text.replace(/"request_id":"[^"]*"/, ''));
        expect(bytes[0]).toBe(bytes[1]);
      }
    });

    it('hidden fields of tags cannot be filtered by', async () => {
      const client = await app(profile({ discover: [ids.work, ids.home, ids.below], read: [ids.home] }));
      expect(await names(client, '?category=topic')).toEqual([]);
      expect(await names(client, `?category=${HIDDEN}`)).toEqual(['Home']);
      expect(await names(client, `?parent_tag_id=${ids.work}`)).toEqual([]);
      expect(await names(client, '?search=o')).toEqual(['Below', 'Home', 'Work']);
      expect(await names(client, '?search=secret')).toEqual([]);
      const reader = await app(profile({ read: [ids.work, ids.below] }));
      expect(await names(reader, `?parent_tag_id=${ids.secret}`)).toEqual([]);
      expect(await names(reader, `?parent_tag_id=${ids.work}`)).toEqual(['Below']);
    });

    it('the texts of tags are shown by detail level and transformations', async () => {
      const read = { read: [ids.work] };
      const summary = (
        await (await app(profile(read, { max_detail_level: 'summary' }))).get(`/tags/${ids.work}`)
      ).body;
      expect(summary).toMatchObject({ category: 'topic', color: '#112233' });
      expect(summary).not.toHaveProperty('description');
      const minimal = await app(profile(read, { max_detail_level: 'minimal' }));
      expect((await minimal.get(`/tags/${ids.work}`)).body).toEqual({ id: ids.work, name: 'Work' });
      const redacted = await app(profile(read, { transformations: ['pii_redaction'] }));
      expect((await redacted.get(`/tags/${ids.work}`)).body.description).not.toContain('jane@example.org');
    });
  });

  describe('contents', () => {
    it('nodes and files of a tag, for an app are the readable ones', async () => {
      const client = await app(profile({ discover: [ids.home], read: [ids.work] }));
      const atWork = await client.get(`/tags/${ids.work}/nodes?include_tags=true`);
      expect(atWork.body.nodes.map((n: { title: string }) => n.title).sort()).toEqual(['at both', 'at work']);
      const atHome = await client.get(`/tags/${ids.home}/nodes`);
      expect(atHome.body).toMatchObject({ nodes: [{ title: 'at both' }], total: 1 });
      const { tags } = (await client.get('/tags?include_nodes=true')).body;
      expect(
        tags.map(({ name, node_count }: { name: string; node_count: number }) => [name, node_count]),
      ).toEqual([
        ['Home', 1],
        ['Work', 2],
      ]);
    });

    it('nodes of a tag are hidden at the detail level that hides the tags of nodes (rule 3.16a)', async () => {
      const client = await app(profile({ read: [ids.work] }, { max_detail_level: 'minimal' }));
      const { nodes } = (await client.get(`/tags/${ids.work}/nodes`)).body;
      expect(nodes).toEqual([]);
      const [tag] = (await client.get('/tags?include_nodes=true')).body.tags;
      expect(tag).toEqual({
        id: ids.work,
        name: 'Work',
        nodes: [],
        node_count: 0,
      });
    });

    it('nodes and files of a tag, for an app include files with the fields of the detail level', async () => {
      const metadata = {
        filename: HIDDEN,
        mime_type: 'text/plain',
        size_bytes: 3,
        data_type: 'text',
        structure_type: 'structured',
      };
      const body = {
        title: 'a.txt',
        node_type: 'RAW_FILE',
        meaning_level: 'DATA',
        schema_id: RAW_FILE,
        metadata,
      };
      const made = await node(alice, { ...body, tags: ['files', 'Secret'] });
      const files = await tagId(alice, 'files');
      const at = async (max_detail_level: string, rest = {}, path = `/tags/${files}/files`) =>
        (await (await app(profile({ read: [files] }, { max_detail_level, ...rest }))).get(path)).body
          .files[0];
      expect(await at('full')).toMatchObject({ filename: 'a.txt', size: 3, metadata, tag_ids: [files] });
      const summary = await at('summary');
      expect(summary).toMatchObject({ filename: 'a.txt', content_type: 'text/plain', data_type: 'text' });
      expect(summary).not.toHaveProperty('metadata');
      expect(await at('minimal', {}, '/raw-files')).toEqual({
        id: made.id,
        data_type: 'text',
        structure_type: 'structured',
        created_at: made.created_at,
        updated_at: made.updated_at,
      });
      const masked = await at('full', {
        transformations: [{ type: 'field_mask', config: { paths: ['metadata.mime_type', 'title'] } }],
      });
      expect(masked).toMatchObject({ filename: null, content_type: null });
    });
  });

  describe('writing', () => {
    it('creating tags needs create.allow_new, checked before the body', async () => {
      const refused = [
        await app(profile({ create: [ids.work], edit: 'all' })),
        await app(profile({ create: 'all' }), { tags: { edit: true }, schemas: {} }),
      ];
      for (const client of refused) {
        for (const body of [{ name: 'fresh' }, {}, { name: 'Secret' }]) {
          expect(codeOf(await client.post('/tags', body))).toEqual([403, 'PERMISSION_DENIED']);
        }
      }
    });

    it('creating tags works with allow_new or allow_all, requested as create or write', async () => {
      const allowNew = {
        ...profile({}),
        tag_permissions: {
          discover: { tag_ids: [], allow_all: true },
          create: { tag_ids: [], allow_all: false, allow_new: true },
        },
      };
      const first = await (
        await app(allowNew, { tags: { create: true, discover: true }, schemas: {} })
      ).post('/tags', { name: 'by app', category: 'c' });
      expect(first.status).toBe(201);
      expect(first.body).toMatchObject({ name: 'by app', category: 'c', owner_id: alice.id });
      const second = await (
        await app(profile({ create: 'all' }), { tags: { write: true }, schemas: {} })
      ).post('/tags', { name: 'by app 2' });
      expect(second.status).toBe(201);
      const taken = await app(profile({ create: 'all' }));
      expect(codeOf(await taken.post('/tags', { name: 'SECRET' }))).toEqual([409, 'TAG_ALREADY_EXISTS']);
    });

    it('a parent that the app may not know cannot be named', async () => {
      const child = await tagId(alice, 'child');
      const client = await app(profile({ discover: [ids.home], edit: [child] }));
      const [hidden, absent] = [
        await client.put(`/tags/${child}`, { parent_tag_id: ids.secret }),
        await client.put(`/tags/${child}`, { parent_tag_id: ABSENT }),
      ];
      expect(codeOf(hidden)).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(absent)).toEqual([404, 'NOT_FOUND']);
      expect((await client.put(`/tags/${child}`, { parent_tag_id: ids.home })).status).toBe(200);
    });

    it('changing and deleting tags need edit only, whatever delete says', async () => {
      const mine = await tagId(alice, 'editable');
      const client = await app(profile({ discover: 'all', read: 'all', delete: 'all', edit: [mine] }));
      for (const answer of [
        await client.put(`/tags/${ids.work}`, { color: 'wrong' }),
        await client.delete(`/tags/${ids.work}`),
      ]) {
        expect(codeOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
      }
      expect((await client.put(`/tags/${mine}`, { color: '#FFFFFF' })).body.color).toBe('#FFFFFF');
      expect((await client.delete(`/tags/${mine}`)).status).toBe(200);
      const other = await tagId(alice, 'not requested');
      const reader = await app(profile({ read: 'all', edit: 'all' }), {
        tags: { read: true, delete: true },
        schemas: {},
      });
      expect(codeOf(await reader.delete(`/tags/${other}`))).toEqual([403, 'PERMISSION_DENIED']);
    });

    it('tags that the app may not know are answered with 404, before the body is read', async () => {
      const client = await app(profile({ edit: [ids.work] }));
      for (const id of [ids.secret, ABSENT, 'nonsense']) {
        expect(codeOf(await client.put(`/tags/${id}`, '{'))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await client.delete(`/tags/${id}`))).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('only readable nodes count as affected', async () => {
      const shared = await tagId(alice, 'counted');
      await node(alice, { title: 'both', tags: ['counted', 'Work'] });
      await node(alice, { title: 'only', tags: ['counted'] });
      const client = await app(profile({ read: [ids.work], edit: [shared] }));
      expect((await client.delete(`/tags/${shared}`)).body.affected_nodes).toBe(1);
    });

    it('values that are written back as read are preserved (hidden parent, redacted description)', async () => {
      const transformations = ['pii_redaction'];
      const client = await app(profile({ read: [ids.work], edit: [ids.work] }, { transformations }));
      const before = (await alice.get(`/tags/${ids.work}`)).body;
      const shown = (await client.get(`/tags/${ids.work}`)).body;
      expect(shown.description).not.toBe(before.description);
      const answer = await client.put(`/tags/${ids.work}`, { ...shown, category: 'kind' });
      expect(answer.body).toMatchObject({
        parent_tag_id: null,
        description: shown.description,
        category: 'kind',
      });
      const after = (await alice.get(`/tags/${ids.work}`)).body;
      expect(after).toEqual({ ...before, category: 'kind', updated_at: expect.any(String) });
      await alice.put(`/tags/${ids.work}`, { category: 'topic' });
    });

    it('values that are written back as read are preserved, even where their assignment is not permitted', async () => {
      const texts = { category: 'a@b.org '.repeat(12).trim(), description: 'a@b.org '.repeat(1_200).trim() };
      const { body: before } = await alice.post('/tags', { name: 'Round trip', color: '#112233', ...texts });
      const rights = profile({ read: 'all', edit: 'all' }, { transformations: ['pii_redaction'] });
      const client = await app(rights);
      const path = `/tags/${before.id}`;
      const { body: shown } = await client.get(path);
      expect([shown.category.length > 100, shown.description.length > 10_000]).toEqual([true, true]);
      const answer = await client.put(path, shown);
      expect([answer.status, answer.body]).toEqual([200, shown]);
      expect((await alice.get(path)).body).toEqual(before);
      const wrong = { name: ' ', color: 'red', category: 'x'.repeat(101), description: 7, parent_tag_id: [] };
      for (const [field, value] of Object.entries(wrong)) {
        const refused = await client.put(path, { [field]: value });
        expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field }]]);
      }
    });

    it('a deletion of several tags deletes all of them or none', async () => {
      const [one, two] = [await tagId(alice, 'bulk one'), await tagId(alice, 'bulk two')];
      const client = await app(profile({ discover: [two], edit: [one] }));
      expect(codeOf(await client.post('/tags/bulk-delete', { tag_ids: [one, two] }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect((await alice.get(`/tags/${one}`)).status).toBe(200);
      const answer = await client.post('/tags/bulk-delete', { tag_ids: [ids.secret, one, ABSENT] });
      expect(answer.body).toMatchObject({ deleted_count: 1, not_found_ids: [ids.secret, ABSENT] });
      const reader = await app(profile({ read: 'all' }));
      expect(codeOf(await reader.post('/tags/bulk-delete', { tag_ids: [] }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
    });
  });

  describe('tags of apps', () => {
    const only = { tags: { create: true }, schemas: {} };
    const allowed = profile({ create: 'all' });

    it('POST /third-party/tags finds its user by itself where the key leaves no doubt', async () => {
      const bob = await world.user();
      const one = await world.app({ requested: only });
      const { authorization } = await bob.authorizes(one, allowed);
      const made = await one.alone.post('/third-party/tags', {
        name: 'third',
        color: '#000000',
        category: 'c',
        description: 'd',
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ name: 'third', owner_id: bob.id, parent_tag_id: null });
      expect(codeOf(await one.alone.post('/third-party/tags', { name: 'THIRD' }))).toEqual([
        409,
        'TAG_ALREADY_EXISTS',
      ]);
      const userKey = one.alone.with({ 'X-API-Key': authorization.user_key });
      expect((await userKey.post('/third-party/tags', { name: 'by user key' })).body.owner_id).toBe(bob.id);
      expect(codeOf(await one.as(alice).post('/third-party/tags', { name: 'x' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect((await one.as(bob).post('/third-party/tags', { name: 'named' })).status).toBe(201);
    });

    it('POST /third-party/tags needs the user in a header when the app has several users, or none', async () => {
      const [bob, eve] = [await world.user(), await world.user()];
      const one = await world.app({ requested: only });
      expect(codeOf(await one.alone.post('/third-party/tags', { name: 'x' }))).toEqual([
        400,
        'USER_REQUIRED',
      ]);
      await bob.authorizes(one, allowed);
      await eve.authorizes(one, allowed);
      expect(codeOf(await one.alone.post('/third-party/tags', { name: 'x' }))).toEqual([
        400,
        'USER_REQUIRED',
      ]);
      expect((await one.as(eve).post('/third-party/tags', { name: 'x' })).body.owner_id).toBe(eve.id);
    });

    it('POST /third-party/tags needs the permission, and a key', async () => {
      const bob = await world.user();
      const one = await world.app({ requested: { tags: { read: true }, schemas: {} } });
      await bob.authorizes(one, profile({ read: 'all', create: 'all' }));
      expect(codeOf(await one.alone.post('/third-party/tags', { name: 'x' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect(codeOf(await bob.post('/third-party/tags', { name: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
      expect((await world.api.post('/third-party/tags', { name: 'x' })).status).toBe(401);
    });

    it('POST /third-party/tags validates the body', async () => {
      const bob = await world.user();
      const one = await world.app({ requested: only });
      await bob.authorizes(one, allowed);
      expect(codeOf(await one.alone.post('/third-party/tags', { name: ' ' }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    });
  });
});
