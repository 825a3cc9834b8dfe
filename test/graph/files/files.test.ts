import { randomBytes } from 'node:crypto';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Download } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import {
  file,
  fileNode,
  follow,
  MB,
  RAW_FILE,
  sha256,
  storedIn,
  upload,
} from '../../support/worlds/files.js';
import { codeOf, node, tagId } from '../../support/worlds/nodes.js';
import { ABSENT } from '../../support/worlds/schemas.js';
import { versionTag } from '../../support/version-tag.js';

const onDisk = !process.env.S3_BUCKET;

describe('owners', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  const content = (id: string, headers: Record<string, string> = {}): Promise<Download> =>
    alice.get(`/raw-files/${id}/download`, { headers });

  describe('POST /nodes/upload', () => {
    it('files uploaded as nodes are nodes of the raw-file schema with the facts that the service recorded', async () => {
      const made = await upload(alice, '/nodes/upload', {
        filename: 'measurements.csv',
        type: 'text/csv',
        content: 'a,b\n1,2\n',
        fields: { tags: '["sea", "plans"]', metadata: '{"properties":{"boat":"Anna"},"size_bytes":1}' },
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        title: 'measurements.csv',
        node_type: 'RAW_FILE',
        meaning_level: 'DATA',
        schema_id: RAW_FILE,
        tags: ['sea', 'plans'],
        owner_id: alice.id,
        version: 1,
      });
      const { blob_key, ...metadata } = made.body.metadata;
      expect(typeof blob_key).toBe('string');
      expect(metadata).toEqual({
        properties: { boat: 'Anna' },
        filename: 'measurements.csv',
        mime_type: 'text/csv',
        size_bytes: 8,
        checksum_sha256: sha256('a,b\n1,2\n'),
        data_type: 'text',
        format: 'csv',
        structure_type: 'structured',
        upload_source: 'api',
      });
      expect((await alice.get(`/nodes/${made.body.id}`)).body).toEqual(made.body);
    });

    it('files uploaded as nodes accept ids of own tags as tags', async () => {
      const id = await tagId(alice, 'harbour');
      expect((await fileNode(alice, [id, 'harbour', 'quay'])).tags).toEqual(['harbour', 'quay']);
    });

    it.each([
      ['no file', '/nodes/upload', { fields: {}, filename: '' }, 'file'],
      ['tags that are no JSON', '/nodes/upload', { fields: { tags: '[sea' } }, 'tags'],
      ['tags that are no array', '/nodes/upload', { fields: { tags: '"sea"' } }, 'tags'],
      ['tags that are no texts', '/nodes/upload', { fields: { tags: '[1]' } }, 'tags'],
      ['metadata that is no JSON', '/nodes/upload', { fields: { metadata: '{' } }, 'metadata'],
      ['metadata that is no object', '/nodes/upload', { fields: { metadata: '[]' } }, 'metadata'],
      [
        'a key that no object may have',
        '/nodes/upload',
        { fields: { metadata: '{"__proto__":{}}' } },
        'metadata.__proto__',
      ],
      ['a data type that is none', '/raw-files', { fields: { data_type: 'poem' } }, 'data_type'],
      ['a structure that is none', '/raw-files', { fields: { structure_type: 'loose' } }, 'structure_type'],
      ['a name that is too long', '/raw-files', { filename: 'a'.repeat(1001) }, 'file'],
    ])('files uploaded as nodes are refused with %s, and nothing remains', async (_, path, sent, field) => {
      const before = onDisk ? storedIn(world) : [];
      const answer = await upload(alice, path, sent);
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details[0].field).toBe(field);
      if (onDisk) expect(storedIn(world)).toEqual(before);
    });
  });

  describe('changes of the raw-file schema', () => {
    const versions = async (id: string) => {
      const rows = await world.nest
        .get(Database)
        .read<{ kept: number }>(sql`SELECT schema_version AS kept FROM nodes WHERE id = ${id}`);
      return rows.map(({ kept }) => kept);
    };

    it.each(['/nodes/upload', '/raw-files'])(
      'uploaded by %s are validated against it, and an invalid one leaves nothing behind',
      async (path) => {
        const before = onDisk ? storedIn(world) : [];
        const answer = await upload(alice, path, {
          fields: { metadata: '{"properties":{"size_bytes":"big"}}' },
        });
        expect(codeOf(answer)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
        expect(answer.body.error.details).toEqual([{ field: '/size_bytes', message: 'must be integer' }]);
        if (onDisk) expect(storedIn(world)).toEqual(before);
      },
    );

    it('files under a changed raw-file schema keep the version of the schema through every change', async () => {
      const { id } = await fileNode(alice, [], { fields: { metadata: '{"properties":{"project":"boat"}}' } });
      expect(await versions(id)).toEqual([1]);
      expect((await alice.put(`/raw-files/${id}`, { filename: 'b.txt' })).status).toBe(200);
      const misfit = { metadata: { properties: { data_type: 'poem' } } };
      for (const answer of [
        await alice.patch(`/nodes/${id}`, misfit),
        await alice.put(`/nodes/${id}`, misfit),
        await alice.put(`/raw-files/${id}`, misfit),
      ])
        expect(codeOf(answer)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
      expect(await versions(id)).toEqual([1]);
    });
  });

  describe('POST /raw-files', () => {
    it('files uploaded as raw files are answered with their record', async () => {
      const tag = await tagId(alice, 'letters');
      const made = await upload(alice, '/raw-files', {
        filename: 'letter.pdf',
        type: 'application/pdf',
        content: '%PDF-1.7 not much',
        fields: { tag_ids: `${tag},`, metadata: '{"from":"Ines"}' },
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        filename: 'letter.pdf',
        content_type: 'application/pdf',
        size: 17,
        data_type: 'document',
        format: 'pdf',
        structure_type: 'unstructured',
        owner_id: alice.id,
        tag_ids: [tag],
        metadata: { from: 'Ines', upload_source: 'api' },
      });
      expect((await alice.get(`/raw-files/${made.body.id}`)).body).toEqual(made.body);
    });

    it('files uploaded as raw files keep the kind that the client names', async () => {
      const fields = { data_type: 'audio', format: 'XYZ', structure_type: 'structured' };
      expect(await file(alice, { fields })).toMatchObject({
        data_type: 'audio',
        format: 'xyz',
        structure_type: 'structured',
      });
    });

    it('files uploaded as raw files are refused in the same words for unknown, foreign and malformed tags', async () => {
      const bob = await world.user();
      const ids = [await tagId(bob, 'his'), '00000000-0000-7000-8000-000000000000', 'no-id'];
      for (const tag_ids of ids) {
        const answer = await upload(alice, '/raw-files', { fields: { tag_ids } });
        expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
      }
    });
  });

  it('files of their owner are refused with a tag that does not exist, whatever the form of its id', async () => {
    const { id } = await file(alice);
    const answers = await Promise.all(
      ['nonsense', ABSENT].map((tag_id) => alice.post(`/raw-files/${id}/tags`, { tag_id })),
    );
    for (const answer of answers) expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await alice.post(`/raw-files/${id}/tags`, { tag_id: 5 }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  describe('two views', () => {
    it('files in both families have one id, name, tags and end', async () => {
      const made = await fileNode(alice, ['one']);
      expect((await alice.get(`/raw-files/${made.id}`)).body).toMatchObject({
        filename: 'letter.txt',
        size: 8,
      });
      const two = await tagId(alice, 'two');
      expect((await alice.post(`/raw-files/${made.id}/tags`, { tag_id: two })).status).toBe(201);
      expect((await alice.post(`/raw-files/${made.id}/tags`, { tag_id: two })).status).toBe(200);
      expect((await alice.get(`/nodes/${made.id}`)).body.tags).toEqual(['one', 'two']);
      expect((await alice.get(`/tags/${two}/files`)).body).toMatchObject({
        total: 1,
        files: [{ id: made.id }],
      });
      const renamed = await alice.put(`/raw-files/${made.id}`, { filename: 'note.txt', metadata: { a: 1 } });
      expect(renamed.body).toMatchObject({
        filename: 'note.txt',
        metadata: { a: 1, filename: 'note.txt', size_bytes: 8 },
      });
      expect((await alice.get(`/nodes/${made.id}`)).body).toMatchObject({
        title: 'note.txt',
        metadata: { a: 1 },
      });
      await alice.put(`/nodes/${made.id}`, { title: 'third.txt' });
      expect((await alice.get(`/raw-files/${made.id}`)).body).toMatchObject({
        filename: 'third.txt',
        metadata: { filename: 'third.txt' },
      });
      expect((await alice.delete(`/raw-files/${made.id}/tags/${two}`)).body).toEqual({
        file_id: made.id,
        tag_id: two,
        removed: true,
        node_deleted: false,
      });
      expect((await alice.delete(`/raw-files/${made.id}`)).status).toBe(200);
      for (const path of [`/nodes/${made.id}`, `/raw-files/${made.id}`, `/raw-files/${made.id}/download`]) {
        expect(codeOf(await alice.get(path))).toEqual([404, 'NODE_NOT_FOUND']);
      }
    });

    it('files in both families are deleted with their last tag, and a restored node has its content again', async () => {
      const { id } = await fileNode(alice, ['alone'], { content: 'come back' });
      const link = (await alice.get(`/nodes/${id}/download`)).body.download_url as string;
      const tag = await tagId(alice, 'alone');
      expect((await alice.delete(`/raw-files/${id}/tags/${tag}`)).body).toMatchObject({ node_deleted: true });
      expect((await content(id)).status).toBe(404);
      expect((await follow(link)).status).toBe(404);
      await alice.post(`/nodes/${id}/restore`);
      expect((await content(id)).text).toBe('come back');
      expect((await follow(link)).text).toBe('come back');
    });

    it('files in both families do not include nodes that are no files, which have no content either', async () => {
      const plain = await node(alice);
      expect(codeOf(await alice.get(`/raw-files/${plain.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
      expect(codeOf(await alice.delete(`/raw-files/${plain.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
      expect(codeOf(await alice.get(`/nodes/${plain.id}/download`))).toEqual([400, 'NOT_A_FILE']);
      expect(codeOf(await alice.get(`/raw-files/${plain.id}/download`))).toEqual([400, 'NOT_A_FILE']);
    });
  });

  describe('metadata', () => {
    it('the recorded facts of a file are not changed by a written blob key, by PUT, by PATCH, or in a new node', async () => {
      const secret = await fileNode(alice, [], { content: 'of somebody else' });
      const stolen = { ...secret.metadata };
      const mine = await fileNode(alice, [], { content: 'mine' });
      await alice.put(`/nodes/${mine.id}`, {
        metadata: { ...stolen, free: 1 },
        schema_id: null,
        node_type: 'note',
      });
      await alice.patch(`/nodes/${mine.id}`, { metadata: { blob_key: stolen.blob_key, size_bytes: null } });
      const now = (await alice.get(`/nodes/${mine.id}`)).body;
      expect(now).toMatchObject({
        schema_id: RAW_FILE,
        node_type: 'RAW_FILE',
        metadata: { ...mine.metadata, free: 1 },
      });
      expect((await content(mine.id)).text).toBe('mine');
      const made = await node(alice, { node_type: 'RAW_FILE', schema_id: RAW_FILE, metadata: stolen });
      expect(codeOf(await content(made.id))).toEqual([400, 'NOT_A_FILE']);
      expect(codeOf(await alice.get(`/nodes/${made.id}/download`))).toEqual([400, 'NOT_A_FILE']);
    });

    it('the recorded facts of a file contain a key that names nothing in the store', async () => {
      if (!onDisk) return;
      const { metadata } = await fileNode(alice);
      expect(storedIn(world).filter((path) => path.includes(metadata.blob_key))).toEqual([]);
    });

    it('the recorded facts of a file are shared with equal content of one user, but not with that of another user', async () => {
      if (!onDisk) return;
      const bob = await world.user();
      const before = storedIn(world).length;
      const text = { content: 'the very same' };
      const [one, two] = [await file(alice, text), await file(alice, text)];
      expect(storedIn(world).length).toBe(before + 1);
      await file(bob, text);
      expect(storedIn(world).length).toBe(before + 2);
      expect([(await content(one.id)).text, (await content(two.id)).text]).toEqual([
        'the very same',
        'the very same',
      ]);
    });

    it('the recorded facts of a file are complete for each of several concurrent uploads of one content', async () => {
      const text = { content: 'all at once' };
      const made = await Promise.all(Array.from({ length: 12 }, () => file(alice, text)));
      for (const { id } of made) expect((await content(id)).text).toBe('all at once');
    });
  });

  describe('downloading', () => {
    const ten = '0123456789';

    it('downloads of files are complete, and served for saving rather than display', async () => {
      const { id } = await file(alice, { content: ten });
      const { status, headers, text } = await content(id);
      expect([status, text]).toEqual([200, ten]);
      expect(headers).toMatchObject({
        'content-type': 'text/plain',
        'content-length': '10',
        'accept-ranges': 'bytes',
        etag: `"${sha256(ten)}"`,
        'content-disposition': 'attachment; filename="letter.txt"',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-store',
      });
      const head = await alice.send('HEAD', `/raw-files/${id}/download`);
      expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '10']);
    });

    it.each([
      ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
      ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-99', 206, ten, 'bytes 0-9/10'],
      ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
      ['bytes=9-9', 206, '9', 'bytes 9-9/10'],
      ['bytes=0-1,5-6', 200, ten, undefined],
      ['bytes=10-', 416, null, 'bytes */10'],
      ['bytes=-0', 416, null, 'bytes */10'],
      ['bytes=5-2', 200, ten, undefined],
      ['bytes=', 200, ten, undefined],
      ['bytes=a-b', 200, ten, undefined],
      ['lines=0-1', 200, ten, undefined],
      ['nonsense', 200, ten, undefined],
    ])('a download with Range %s is answered with %i', async (range, status, text, contentRange) => {
      const { id } = await file(alice, { content: ten });
      const answer = await content(id, { Range: range });
      expect([answer.status, answer.headers['content-range']]).toEqual([status, contentRange]);
      if (text === null) expect(answer.body.error.code).toBe('RANGE_NOT_SATISFIABLE');
      else expect(answer.text).toBe(text);
    });

    it('a download with If-Range is partial only while the content is the same', async () => {
      const { id } = await file(alice, { content: ten });
      const part = { Range: 'bytes=0-3' };
      expect((await content(id, { ...part, 'If-Range': `"${sha256(ten)}"` })).text).toBe('0123');
      expect((await content(id, { ...part, 'If-Range': '"another"' })).text).toBe(ten);
    });

    it('a download of an empty file works', async () => {
      const { id } = await file(alice, { content: '' });
      expect((await alice.get(`/raw-files/${id}`)).body.size).toBe(0);
      const { status, headers, text } = await content(id);
      expect([status, headers['content-length'], text]).toEqual([200, '0', '']);
      expect((await content(id, { Range: 'bytes=0-' })).status).toBe(416);
    });

    it('downloads of files return the uploaded bytes', async () => {
      const bytes = randomBytes(3 * MB);
      const { id } = await file(alice, { content: bytes, type: 'application/octet-stream' });
      expect((await content(id)).bytes.equals(bytes)).toBe(true);
      const middle = await content(id, { Range: `bytes=${MB}-${2 * MB}` });
      expect(middle.bytes.equals(bytes.subarray(MB, 2 * MB + 1))).toBe(true);
    });
  });

  describe('GET /raw-files', () => {
    let carol: TestUser;
    let ids: Record<string, string>;

    beforeAll(async () => {
      carol = await world.user();
      const [red, blue] = [await tagId(carol, 'red'), await tagId(carol, 'blue')];
      const made = {
        text: await file(carol, { fields: { tag_ids: red } }),
        table: await file(carol, {
          filename: 't.csv',
          type: 'text/csv',
          fields: { tag_ids: `${red},${blue}` },
        }),
        paper: await file(carol, { filename: 'p.pdf', type: 'application/pdf', fields: { tag_ids: blue } }),
        bare: await file(carol, {
          filename: 'x.bin',
          type: 'application/octet-stream',
          content: Buffer.from([0, 1]),
        }),
      };
      await node(carol);
      ids = { red, blue, ...Object.fromEntries(Object.entries(made).map(([name, { id }]) => [name, id])) };
    });

    const listed = async (query: string): Promise<string[]> => {
      const { status, body } = await carol.get(`/raw-files?${query}`);
      expect([status, body.total]).toEqual([200, body.files.length]);
      const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
      return (body.files as { id: string }[]).map(({ id }) => names[id] as string).sort();
    };

    it('lists of files filter by type, content type and any of the tags', async () => {
      expect(await listed('')).toEqual(['bare', 'paper', 'table', 'text']);
      expect(await listed('data_type=document')).toEqual(['paper']);
      expect(await listed('data_type=other')).toEqual(['bare']);
      expect(await listed('content_type=Text/CSV')).toEqual(['table']);
      expect(await listed(`tag_id=${ids.red}`)).toEqual(['table', 'text']);
      expect(await listed(`tag_ids=${ids.red},${ids.blue}`)).toEqual(['paper', 'table', 'text']);
      expect(await listed(`tag_id=${ids.red}&tag_ids=${ids.blue}`)).toEqual(['table']);
      expect(await listed('tag_id=none')).toEqual([]);
      expect(await listed(`tag_ids=${alice.id}`)).toEqual([]);
    });

    it('lists of files come page by page, with limit and offset taking precedence', async () => {
      const page = async (query: string) => {
        const { files, ...rest } = (await carol.get(`/raw-files?${query}`)).body;
        return { count: files.length, ...rest };
      };
      expect(await page('page=2&per_page=3')).toEqual({
        count: 1,
        total: 4,
        page: 2,
        per_page: 3,
        limit: 3,
        offset: 3,
      });
      expect(await page('limit=2&offset=2&page=9&per_page=9')).toEqual({
        count: 2,
        total: 4,
        page: 2,
        per_page: 2,
        limit: 2,
        offset: 2,
      });
      for (const size of ['limit=1000', 'limit=3000000000', 'per_page=3000000000'])
        expect(await page(size)).toMatchObject({ limit: 100, per_page: 100, count: 4 });
      expect(await page('offset=3000000000')).toMatchObject({ offset: 3_000_000_000, count: 0, total: 4 });
      for (const wrong of ['limit=0', 'page=0', 'per_page=x', 'offset=-1', 'data_type=poem']) {
        expect(codeOf(await carol.get(`/raw-files?${wrong}`))).toEqual([400, 'VALIDATION_ERROR']);
      }
    });
  });

  it('a write of a file as it was read keeps everything, and stale versions are refused', async () => {
    const made = await file(alice, { fields: { metadata: '{"a":1}' } });
    const read = await alice.get(`/raw-files/${made.id}`);
    const { body, headers } = read;
    const same = await alice.put(`/raw-files/${made.id}`, body);
    expect([same.status, same.headers.etag, same.body]).toEqual([200, versionTag(read), body]);
    const ifMatch = { headers: { 'If-Match': headers.etag as string } };
    expect((await alice.put(`/raw-files/${made.id}`, { filename: 'b' }, ifMatch)).status).toBe(200);
    expect((await alice.put(`/raw-files/${made.id}`, { filename: 'c' }, ifMatch)).status).toBe(412);
    expect((await alice.delete(`/raw-files/${made.id}`, undefined, ifMatch)).status).toBe(412);
  });

  it('a repeated upload with one Idempotency-Key has one effect, and another file under the same key is refused', async () => {
    const headers = { 'Idempotency-Key': 'letter-1' };
    const first = await upload(alice, '/raw-files', { headers, content: 'once' });
    const before = onDisk ? storedIn(world) : [];
    const again = await upload(alice, '/raw-files', { headers, content: 'once' });
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    for (const other of [{ content: 'twice' }, { content: 'once', fields: { format: 'md' } }]) {
      expect(codeOf(await upload(alice, '/raw-files', { headers, ...other }))).toEqual([
        422,
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    }
    if (onDisk) expect(storedIn(world)).toEqual(before);
    expect((await content(first.body.id)).text).toBe('once');
  });
});
