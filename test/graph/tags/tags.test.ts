import { type TestUser, World } from '../../support/world.js';
import { codeOf, node } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const RAW_FILE = '00000000-0000-7000-8000-000000000001';

describe('tags, for their owner', () => {
  let world: World;
  let alice: TestUser;
  let counter = 0;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  /** A tag, by default with a name of its own. */
  const tag = async (body: Record<string, unknown> = {}, client = alice) => {
    const made = await client.post('/tags', { name: `tag ${++counter}`, ...body });
    if (made.status !== 201) throw new Error(`tag: ${made.status} ${made.text}`);

    return made.body;
  };
  const read = async (id: string) => (await alice.get(`/tags/${id}`)).body;

  describe('POST /tags', () => {
    it('a created tag is answered with 201 and the whole record', async () => {
      const parent = await tag();
      const given = {
        name: ' Work ',
        color: '#3366cc',
        category: 'topic',
        description: 'my job',
        parent_tag_id: parent.id,
      };
      const made = await alice.post('/tags', { ...given, owner_id: ABSENT, unknown: 1 });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        ...given,
        name: 'Work',
        id: expect.any(String),
        owner_id: alice.id,
        created_at: expect.stringMatching(/Z$/),
        updated_at: made.body.created_at,
      });
      expect(await read(made.body.id)).toEqual(made.body);
    });

    it('missing fields of a new tag are null', async () => {
      expect(await tag()).toMatchObject({
        color: null,
        category: null,
        description: null,
        parent_tag_id: null,
      });
    });

    it.each([
      [{}, 'name'],
      [{ name: '   ' }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 7 }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ name: 'x', color: 'red' }, 'color'],
      [{ name: 'x', color: '#12345' }, 'color'],
      [{ name: 'x', color: '#12345g' }, 'color'],
      [{ name: 'x', color: '#123456\n' }, 'color'],
      [{ name: 'x', category: 1 }, 'category'],
      [{ name: 'x', parent_tag_id: 1 }, 'parent_tag_id'],
    ])('a new tag with %j is refused', async (body, field) => {
      const answer = await alice.post('/tags', body);
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details[0].field).toBe(field);
    });

    it('a name of 100 characters beyond the basic plane is accepted', async () => {
      expect((await tag({ name: '🌊'.repeat(100) })).name).toBe('🌊'.repeat(100));
    });

    it('the characters of a tag name are counted as node bodies do', async () => {
      const name = '❤\uFE0F'.repeat(50);
      await tag({ name });
      expect((await node(alice, { tags: [name] })).tags).toEqual([name]);
      for (const given of [`${name}!`, '❤\uFE0F'.repeat(60)])
        expect(codeOf(await alice.post('/tags', { name: given }))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it.each([
      ['Straße', 'STRASSE'],
      ['Cafe\u0301', ' CAFÉ'],
      ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
      ['plain', 'Plain'],
    ])('two names that differ only in form are one tag: %s and %s', async (first, second) => {
      await tag({ name: first });
      expect(codeOf(await alice.post('/tags', { name: second }))).toEqual([409, 'TAG_ALREADY_EXISTS']);
    });

    it('unknown, foreign, deleted and malformed parents are answered equally with 404', async () => {
      const bob = await world.user();
      const foreign = await tag({}, bob);
      const deleted = await tag();
      await alice.delete(`/tags/${deleted.id}`);
      const answers = [];
      for (const parent_tag_id of [ABSENT, foreign.id, deleted.id, 'nonsense', '']) {
        const answer = await alice.post('/tags', { name: 'orphan', parent_tag_id });
        expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
        answers.push({ ...answer.body.error, request_id: null });
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    });

    it('exactly one of many concurrent creates of one tag name succeeds', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => alice.post('/tags', { name: 'raced' })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
    });

    it('the name of a deleted tag may be used again', async () => {
      const first = await tag({ name: 'phoenix' });
      await alice.delete(`/tags/${first.id}`);
      const second = await tag({ name: 'Phoenix' });
      expect(second.id).not.toBe(first.id);
    });
  });

  describe('GET /tags/:tag_id', () => {
    it('a read of a tag is answered with 404 for anything but a living tag of the owner', async () => {
      const foreign = await tag({}, await world.user());
      const gone = await tag();
      await alice.delete(`/tags/${gone.id}`);
      for (const id of [ABSENT, foreign.id, gone.id, 'nonsense', '%00', "'"]) {
        for (const path of [`/tags/${id}`, `/tags/${id}/nodes`, `/tags/${id}/files`]) {
          expect(codeOf(await alice.get(path))).toEqual([404, 'NOT_FOUND']);
        }
      }
    });

    it('a read of a tag accepts an id in any letter case and returns an entity tag', async () => {
      const { id } = await tag();
      const answer = await alice.get(`/tags/${id.toUpperCase()}`);
      expect(answer.body.id).toBe(id);
      expect(versionTag(answer)).toBe('"1"');
    });
  });

  describe('PUT /tags/:tag_id', () => {
    it('a PUT of a tag replaces the sent fields, clears with null and ignores unknown ones', async () => {
      const { id, ...before } = await tag({ color: '#000000', category: 'a', description: 'b' });
      const changed = await alice.put(`/tags/${id}`, {
        name: 'renamed',
        color: null,
        id: ABSENT,
        owner_id: ABSENT,
        x: 1,
      });
      expect(changed.status).toBe(200);
      expect(changed.body).toEqual({
        ...before,
        id,
        name: 'renamed',
        color: null,
        updated_at: expect.any(String),
      });
      expect(changed.headers.etag).toBe('"2"');
      expect(await read(id)).toEqual(changed.body);
    });

    it('a change without effect makes no version', async () => {
      const { id, ...given } = await tag({ color: '#ABCDEF' });
      expect((await alice.put(`/tags/${id}`, {})).body).toEqual({ id, ...given });
      const same = await alice.put(`/tags/${id}`, { ...given, name: ` ${given.name} ` });
      expect(same.body).toEqual({ id, ...given });
      expect(same.headers.etag).toBe('"1"');
    });

    it('the name of another tag is refused, another spelling of its own is accepted', async () => {
      const { name } = await tag();
      const { id } = await tag({ name: 'spelling' });
      expect(codeOf(await alice.put(`/tags/${id}`, { name: name.toUpperCase() }))).toEqual([
        409,
        'TAG_ALREADY_EXISTS',
      ]);
      expect((await alice.put(`/tags/${id}`, { name: 'SPELLING' })).body.name).toBe('SPELLING');
    });

    it.each([[{ name: null }], [{ name: '' }], [{ color: 'red' }]])(
      'a change of a tag with %j is refused',
      async (body) => {
        expect(codeOf(await alice.put(`/tags/${(await tag()).id}`, body))).toEqual([400, 'VALIDATION_ERROR']);
      },
    );

    it('cycles of tags are refused', async () => {
      const top = await tag();
      const middle = await tag({ parent_tag_id: top.id });
      const bottom = await tag({ parent_tag_id: middle.id });
      for (const parent_tag_id of [top.id, middle.id, bottom.id]) {
        expect(codeOf(await alice.put(`/tags/${top.id}`, { parent_tag_id }))).toEqual([
          400,
          'VALIDATION_ERROR',
        ]);
      }
      expect((await alice.put(`/tags/${bottom.id}`, { parent_tag_id: top.id })).status).toBe(200);
      expect((await alice.put(`/tags/${bottom.id}`, { parent_tag_id: null })).body.parent_tag_id).toBeNull();
      expect(codeOf(await alice.put(`/tags/${bottom.id}`, { parent_tag_id: ABSENT }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
    });

    it('cycles that two concurrent changes would close are refused', async () => {
      const [a, b] = [await tag(), await tag()];
      const answers = await Promise.all([
        alice.put(`/tags/${a.id}`, { parent_tag_id: b.id }),
        alice.put(`/tags/${b.id}`, { parent_tag_id: a.id }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('exactly one of many changes of a tag with one entity tag in If-Match succeeds', async () => {
      const { id } = await tag();
      const headers = { 'If-Match': '"1"' };
      const writers = Array.from({ length: 10 }, (_, i) =>
        alice.put(`/tags/${id}`, { category: `c${i}` }, { headers }),
      );
      const statuses = (await Promise.all(writers)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(9);
      expect(codeOf(await alice.delete(`/tags/${id}`, undefined, { headers }))).toEqual([
        412,
        'PRECONDITION_FAILED',
      ]);
    });

    it('nodes are shown under the new name of their tag', async () => {
      const made = await node(alice, { tags: ['before'] });
      const { tags } = (await alice.get('/tags?search=before')).body;
      await alice.put(`/tags/${tags[0].id}`, { name: 'after' });
      const shown = await alice.get(`/nodes/${made.id}`);
      expect(shown.body).toMatchObject({ tags: ['after'], version: 1 });
    });
  });

  describe('the deletion of tags', () => {
    it('leaves the nodes and counts them', async () => {
      const { id } = await tag({ name: 'doomed' });
      const one = await node(alice, { tags: ['doomed', 'kept'] });
      const two = await node(alice, { tags: [id] });
      const gone = await node(alice, { tags: ['doomed'] });
      await alice.delete(`/nodes/${gone.id}`);
      const answer = await alice.delete(`/tags/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ message: expect.any(String), id, affected_nodes: 2 });
      expect((await alice.get(`/nodes/${one.id}`)).body).toMatchObject({ tags: ['kept'], version: 1 });
      expect((await alice.get(`/nodes/${two.id}`)).body).toMatchObject({ tags: [], version: 1 });
      expect(codeOf(await alice.delete(`/tags/${id}`))).toEqual([404, 'NOT_FOUND']);
    });

    it('makes children top-level tags', async () => {
      const top = await tag();
      const child = await tag({ parent_tag_id: top.id });
      const grandchild = await tag({ parent_tag_id: child.id });
      await alice.delete(`/tags/${top.id}`);
      const answer = await alice.get(`/tags/${child.id}`);
      expect(answer.body.parent_tag_id).toBeNull();
      expect(versionTag(answer)).toBe('"2"');
      expect((await read(grandchild.id)).parent_tag_id).toBe(child.id);
    });

    it('deletes many and reports ids that are not tags', async () => {
      const foreign = await tag({}, await world.user());
      const top = await tag();
      const child = await tag({ parent_tag_id: top.id });
      const tag_ids = [top.id, ABSENT, child.id, 'nonsense', foreign.id, top.id.toUpperCase(), 'nonsense'];
      const answer = await alice.post('/tags/bulk-delete', { tag_ids });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        deleted_count: 2,
        not_found_ids: [ABSENT, 'nonsense', foreign.id],
        message: expect.any(String),
      });
      for (const id of [top.id, child.id]) expect((await alice.get(`/tags/${id}`)).status).toBe(404);
    });

    it.each([
      [{}],
      [{ tag_ids: [] }],
      [{ tag_ids: 'x' }],
      [{ tag_ids: [1] }],
      [{ tag_ids: Array(101).fill(ABSENT) }],
    ])('a bulk deletion of tags is refused with %j', async (body) => {
      expect(codeOf(await alice.post('/tags/bulk-delete', body))).toEqual([400, 'VALIDATION_ERROR']);
    });
  });

  describe('GET /tags', () => {
    let carol: TestUser;
    const names = async (query: string) => {
      const { status, body } = await carol.get(`/tags?${query}`);
      if (status !== 200) throw new Error(`list: ${status}`);
      expect(body.total).toBe(body.tags.length);
      return (body.tags as { name: string }[]).map(({ name }) => name);
    };

    beforeAll(async () => {
      carol = await world.user('carol');
      const animals = await tag({ name: 'Animals', category: 'topic' }, carol);
      await tag({ name: 'cat', category: 'topic', parent_tag_id: animals.id }, carol);
      await tag({ name: '100%_sure', category: 'Topic' }, carol);
      await tag({ name: 'Größe' }, carol);
      await tag({ name: 'two words' }, carol);
      await tag({}, await world.user());
    });

    it('the list of tags has own tags by name, page by page', async () => {
      const first = await carol.get('/tags?per_page=2');
      expect(first.body).toMatchObject({ total: 5, page: 1, per_page: 2 });
      const page = (number: number) => carol.get(`/tags?per_page=2&page=${number}`);
      const [two, three, four] = [await page(2), await page(3), await page(4)];
      const all = [first, two, three].flatMap((answer) =>
        answer.body.tags.map((t: { name: string }) => t.name),
      );
      expect(all).toEqual(['100%_sure', 'Animals', 'cat', 'Größe', 'two words']);
      expect(four.body).toMatchObject({ tags: [], total: 5, page: 4 });
      const { tags, ...rest } = (await carol.get('/tags?limit=2&offset=2&page=9&per_page=9')).body;
      expect(tags.map(({ name }: { name: string }) => name)).toEqual(['cat', 'Größe']);
      expect(rest).toEqual({ total: 5, page: 2, per_page: 2, limit: 2, offset: 2, truncated: false });
    });

    it('the list of tags has defaults and lowers the page size to the maximum', async () => {
      expect((await carol.get('/tags')).body).toMatchObject({ page: 1, per_page: 50 });
      expect((await carol.get('/tags?per_page=100000')).body.per_page).toBe(200);
    });

    it.each([
      'page=0',
      'page=-1',
      'per_page=0',
      'page=x',
      'per_page=1.5',
      'access=mine',
      'view=x',
      'include_nodes=2',
      'page=1&page=2',
    ])('the list of tags refuses %s', async (query) => {
      expect(codeOf(await carol.get(`/tags?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it.each([
      ['search=A', ['Animals', 'cat']],
      ['search=AN', ['Animals']],
      ['search=%25', ['100%_sure']],
      ['search=_', ['100%_sure']],
      ['search=%5C', []],
      ['search=GR%C3%96SSE', ['Größe']],
      ['search=o%20w', ['two words']],
      ['search=two%20', ['two words']],
      ['search=%20', ['two words']],
      ['search=%20two', []],
      ['search=', ['100%_sure', 'Animals', 'cat', 'Größe', 'two words']],
      ['category=topic', ['Animals', 'cat']],
      ['category=nothing', []],
      [`parent_tag_id=${ABSENT}`, []],
      ['parent_tag_id=nonsense', []],
      ['access=owned&search=cat', ['cat']],
      ['access=shared', []],
    ])('the list of tags filters by %s', async (query, expected) => {
      expect(await names(query)).toEqual(expected);
    });

    it('the list of tags filters by parent', async () => {
      const { tags } = (await carol.get('/tags?search=animals')).body;
      expect(await names(`parent_tag_id=${tags[0].id.toUpperCase()}`)).toEqual(['cat']);
    });

    it('the list of tags includes the newest nodes of a view on request', async () => {
      for (let i = 1; i <= 12; i++) await node(carol, { title: `n${i}`, tags: ['cat', 'two words'] });
      await node(carol, { title: 'neutral', graph_view: 'neutral', tags: ['cat'] });
      const gone = await node(carol, { title: 'gone', tags: ['cat'] });
      await carol.delete(`/nodes/${gone.id}`);
      const { tags } = (await carol.get('/tags?include_nodes=true')).body;
      const cat = tags.find((t: { name: string }) => t.name === 'cat');
      expect(cat.node_count).toBe(12);
      expect(cat.nodes.map(({ title }: { title: string }) => title)).toEqual(
        [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((i) => `n${i}`),
      );
      expect(Object.keys(cat.nodes[0])).toEqual(['id', 'title']);
      expect(tags.find((t: { name: string }) => t.name === 'Animals')).toMatchObject({
        nodes: [],
        node_count: 0,
      });
      const neutral = await carol.get('/tags?include_nodes=true&view=neutral&search=cat');
      expect(neutral.body.tags[0]).toMatchObject({ nodes: [{ title: 'neutral' }], node_count: 1 });
    });
  });

  describe('GET /tags/:tag_id/nodes and …/files', () => {
    it("the lists of a tag's nodes and files have its nodes, last changed first", async () => {
      const { id } = await tag({ name: 'holder' });
      const [one, two] = [
        await node(alice, { title: 'one', tags: [id] }),
        await node(alice, { title: 'two', tags: [id] }),
      ];
      await node(alice, { title: 'other', tags: ['elsewhere'] });
      await alice.put(`/nodes/${one.id}`, { value: 'newer' });
      const answer = await alice.get(`/tags/${id}/nodes`);
      expect(answer.body).toMatchObject({ total: 2, limit: 20, offset: 0 });
      expect(answer.body.nodes.map((n: { id: string }) => n.id)).toEqual([one.id, two.id]);
      expect(answer.body.nodes[0]).toMatchObject({ title: 'one', is_shared: false });
      expect(answer.body.nodes[0]).not.toHaveProperty('tags');
      const second = await alice.get(`/tags/${id}/nodes?limit=1&offset=1&include_tags=true`);
      expect(second.body).toMatchObject({
        nodes: [{ title: 'two', tags: ['holder'] }],
        total: 2,
        limit: 1,
        offset: 1,
      });
      expect((await alice.get(`/tags/${id}/nodes?limit=1000`)).body.limit).toBe(100);
      expect(codeOf(await alice.get(`/tags/${id}/nodes?limit=0`))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it("the lists of a tag's nodes and files have its nodes with the raw-file schema as files", async () => {
      const { id } = await tag({ name: 'papers' });
      await node(alice, { title: 'a thought', tags: [id] });
      const metadata = {
        filename: 'letter.pdf',
        mime_type: 'application/pdf',
        size_bytes: 20480,
        data_type: 'document',
        format: 'pdf',
        structure_type: 'unstructured',
      };
      const file = {
        title: 'letter.pdf',
        node_type: 'RAW_FILE',
        meaning_level: 'DATA',
        schema_id: RAW_FILE,
        metadata,
      };
      const made = await node(alice, { ...file, tags: [id] });
      const answer = await alice.get(`/tags/${id}/files`);
      expect(answer.body).toEqual({
        files: [
          {
            id: made.id,
            filename: 'letter.pdf',
            content_type: 'application/pdf',
            size: 20480,
            data_type: 'document',
            format: 'pdf',
            structure_type: 'unstructured',
            owner_id: alice.id,
            tag_ids: [id],
            metadata,
            created_at: made.created_at,
            updated_at: made.updated_at,
          },
        ],
        total: 1,
        limit: 20,
        offset: 0,
      });
    });
  });
});
