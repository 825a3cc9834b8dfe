import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Config } from '../../../src/config/config.js';
import { BLOB_STORE, type BlobStore } from '../../../src/graph/files/application/blob-store.js';
import { BlobIntake } from '../../../src/graph/files/application/blob-intake.js';
import { FilesRepository } from '../../../src/graph/files/infrastructure/files.repository.js';
import { Apps, Users } from '../../../src/identity/index.js';
import { Clock } from '../../../src/kernel/clock.js';
import { Housekeeping } from '../../../src/kernel/housekeeping.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { unseenIn } from '../../../src/kernel/text/unseen-characters.js';
import { type Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import { type TestUser, World } from '../../support/world.js';
import {
  BOUNDARY,
  file,
  fileNode,
  MB,
  multipartOf,
  MULTIPART,
  type Part,
  storedIn,
  upload,
} from '../../support/worlds/files.js';
import { codeOf } from '../../support/worlds/nodes.js';

describe('hostile uploads', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user('alice');
  });
  afterAll(() => world.stop());

  const post = (body: Buffer | string, headers: Record<string, string> = MULTIPART) =>
    alice.post('/raw-files', body, { headers });
  const letter: Part = { name: 'file', filename: 'a.txt', type: 'text/plain', content: 'a' };

  describe('hostile file names', () => {
    it.each([
      ['../../etc/passwd'],
      ['/etc/passwd'],
      ['C:\\Windows\\System32\\config'],
      ['.'],
      ['..'],
      ['CON'],
      ['~/.ssh/id_rsa'],
      ['a'.repeat(300)],
      ['invoice\u202Efdp.exe'],
      ['\u2066hidden\u2069.txt'],
      ['🙂 żółć 文件.txt'],
      ['%2e%2e%2f%00.txt'],
      ['$(rm -rf /);`x`|&<>.txt'],
      ['a"b.txt'],
      ['line\r\nbreak: x.txt'],
      [' spaces . '],
    ])('the file name %j is only data', async (filename) => {
      const made = await file(alice, { filename });
      expect(made.filename).toBe(filename);
      expect((await alice.get(`/nodes/${made.id}`)).body).toMatchObject({
        title: filename,
        metadata: { filename },
      });
      const { status, headers, text } = await alice.get(`/raw-files/${made.id}/download`);
      expect([status, text]).toEqual([200, 'Dear all']);
      const disposition = headers['content-disposition'] as string;
      expect(disposition).toMatch(/^attachment/);
      // A name that reads as another one is not offered for saving.
      expect(unseenIn(decodeURIComponent(disposition))).toEqual([]);
      const root = join(world.nest.get(Config).dataDir, 'files', 'blobs');
      for (const path of storedIn(world)) {
        expect(path.slice(root.length)).toMatch(/^\/[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      }
    });

    it('file names with NUL are refused, because they cannot be stored', async () => {
      const before = storedIn(world);
      for (const disposition of [`; filename="a\0b"`, `; filename*=UTF-8''a%00b`]) {
        expect(codeOf(await post(multipartOf([{ ...letter, disposition }])))).toEqual([
          400,
          'VALIDATION_ERROR',
        ]);
      }
      expect(codeOf(await alice.put(`/raw-files/${(await file(alice)).id}`, { filename: 'a\0b' }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
      expect(storedIn(world).length).toBeLessThanOrEqual(before.length + 1);
    });
  });

  describe('hostile bodies of uploads', () => {
    const many = (count: number): Part[] =>
      Array.from({ length: count }, (_, index) => ({ name: `f${index}`, content: 'x' }));
    const bodies: [string, Buffer | string, Record<string, string>, number][] = [
      ['nothing', '', MULTIPART, 400],
      ['no multipart', 'hello', MULTIPART, 400],
      ['JSON', '{}', { 'Content-Type': 'application/json' }, 415],
      [
        'another multipart',
        multipartOf([letter]),
        { 'Content-Type': `multipart/mixed; boundary=${BOUNDARY}` },
        415,
      ],
      ['no boundary', multipartOf([letter]), { 'Content-Type': 'multipart/form-data' }, 400],
      [
        'another boundary',
        multipartOf([letter]),
        { 'Content-Type': 'multipart/form-data; boundary=other' },
        400,
      ],
      ['no end', multipartOf([letter], { end: '' }), MULTIPART, 400],
      ['an end in the middle of a file', multipartOf([letter]).subarray(0, -30), MULTIPART, 400],
      ['a field in place of the file', multipartOf([{ name: 'file', content: 'a' }]), MULTIPART, 400],
      ['the file under another name', multipartOf([{ ...letter, name: 'upload' }]), MULTIPART, 400],
      ['two files', multipartOf([letter, letter]), MULTIPART, 400],
      ['a file too many', multipartOf([letter, { ...letter, name: 'second' }]), MULTIPART, 400],
      [
        'a field twice',
        multipartOf([letter, ...many(1), { name: 'format', content: 'a' }, { name: 'format', content: 'b' }]),
        MULTIPART,
        400,
      ],
      ['too many fields', multipartOf([...many(40), letter]), MULTIPART, 400],
      ['a huge field', multipartOf([{ name: 'metadata', content: 'x'.repeat(MB) }, letter]), MULTIPART, 400],
      [
        'a huge field after the file',
        multipartOf([letter, { name: 'metadata', content: 'x'.repeat(MB) }]),
        MULTIPART,
        400,
      ],
      ['a long field name', multipartOf([{ name: 'n'.repeat(5000), content: 'x' }, letter]), MULTIPART, 400],
      [
        'nested field names',
        multipartOf([{ name: 'a[b][c][__proto__]', content: 'x' }, letter]),
        MULTIPART,
        400,
      ],
      [
        'huge part headers',
        multipartOf([{ ...letter, type: `text/plain; x=${'y'.repeat(100_000)}` }]),
        MULTIPART,
        400,
      ],
      [
        'metadata that is too deep',
        multipartOf([letter, { name: 'metadata', content: `${'{"a":'.repeat(60)}1${'}'.repeat(60)}` }]),
        MULTIPART,
        400,
      ],
      [
        'metadata that is too large',
        multipartOf([letter, { name: 'metadata', content: JSON.stringify({ a: 'x'.repeat(300_000) }) }]),
        MULTIPART,
        400,
      ],
    ];

    it.each(bodies)('a hostile body: %s', async (_, body, headers, status) => {
      const before = storedIn(world);
      const answer = await post(body, headers);
      expect(codeOf(answer)).toEqual([
        status,
        status === 415 ? 'UNSUPPORTED_MEDIA_TYPE' : 'VALIDATION_ERROR',
      ]);
      expect(storedIn(world)).toEqual(before);
    });
  });

  describe('content types of uploads', () => {
    const html = '<script>alert(1)</script>';
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
    it.each([
      ['page.html', 'text/html', html, 'text/plain', 'text', 'html'],
      ['page.xhtml', 'application/xhtml+xml', html, 'text/plain', 'text', 'xhtml'],
      [
        'image.svg',
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
        'text/plain',
        'text',
        'svg',
      ],
      ['run.js', 'text/javascript', 'alert(1)', 'text/plain', 'text', 'js'],
      ['page.html', 'text/html', png, 'image/png', 'image', 'html'],
      ['page.html', 'TEXT/HTML; charset=utf-7', html, 'text/plain', 'text', 'html'],
      ['photo.png', 'application/octet-stream', png, 'image/png', 'image', 'png'],
      ['photo', 'application/octet-stream', png, 'image/png', 'image', 'png'],
      ['notes.md', 'application/octet-stream', '# hello', 'text/markdown', 'text', 'md'],
      ['page.html', 'application/octet-stream', html, 'application/octet-stream', 'text', 'html'],
      ['data.json', 'application/json', '{}', 'application/json', 'text', 'json'],
      ['paper.pdf', 'application/pdf', '%PDF-1.7', 'application/pdf', 'document', 'pdf'],
      ['song.mp3', 'audio/mpeg', 'x', 'audio/mpeg', 'audio', 'mp3'],
      ['film.mp4', 'video/mp4', 'x', 'video/mp4', 'video', 'mp4'],
      [
        'thing.zzz',
        'application/octet-stream',
        Buffer.from([0, 1, 2]),
        'application/octet-stream',
        'other',
        'zzz',
      ],
    ])('%s sent as %s is served harmlessly', async (filename, type, content, served, data_type, format) => {
      const made = await fileNode(alice, [], { filename, type, content });
      expect(made.metadata).toMatchObject({ mime_type: served, data_type, format });
      const { headers } = await alice.get(`/raw-files/${made.id}/download`);
      expect(headers['content-type']).toBe(served);
      expect(headers['content-disposition']).toMatch(/^attachment/);
    });

    it.each(['json', 'csv', 'xml', 'yaml', 'tsv', 'parquet'])('a .%s file is structured', async (format) => {
      const made = await fileNode(alice, [], {
        filename: `a.${format.toUpperCase()}`,
        type: 'application/octet-stream',
      });
      expect(made.metadata).toMatchObject({ format, structure_type: 'structured' });
    });
  });

  describe('limits', () => {
    const sized = (client: Client, bytes: number) =>
      upload(client, '/raw-files', { content: Buffer.alloc(bytes, 'x') });

    it('an upload in the free plan has at most 10 MB, and a larger one leaves nothing behind', async () => {
      expect((await sized(alice, 10 * MB)).status).toBe(201);
      const before = storedIn(world);
      const answer = await sized(alice, 10 * MB + 1);
      expect(codeOf(answer)).toEqual([413, 'FILE_TOO_LARGE']);
      expect(answer.body.error.details).toEqual({ max_bytes: 10_485_760 });
      expect(storedIn(world)).toEqual(before);
    });

    it('sizes of uploads are those of the app for an app, and those of the user for a user', async () => {
      const bob = await world.user();
      const app = await world.app();
      const client = await bob.lets(app);
      await world.nest.get(Apps).setTier(app.id, 'pro');
      expect([(await sized(client, 11 * MB)).status, (await sized(bob, 11 * MB)).status]).toEqual([201, 413]);
      await world.nest.get(Users).setTier(bob.id, 'enterprise');
      await world.nest.get(Apps).setTier(app.id, 'free');
      expect([(await sized(client, 11 * MB)).status, (await sized(bob, 11 * MB)).status]).toEqual([413, 201]);
    });
  });

  describe('broken connections', () => {
    const aborted = (bytes: number): Promise<void> =>
      new Promise((resolve) => {
        const head = multipartOf([letter], { end: '' });
        const body = Buffer.concat([head.subarray(0, -2), Buffer.alloc(bytes, 'x')]);
        const headers = { ...alice.credentials, ...MULTIPART, 'Content-Length': String(100 * MB) };
        const sent = request(`${world.origin}/api/v1/raw-files`, { method: 'POST', headers, agent: false });
        sent.on('error', () => undefined);
        sent.on('close', () => resolve());
        sent.write(body, () => sent.destroy());
      });

    it('aborted uploads leave nothing behind', async () => {
      const before = storedIn(world);
      await Promise.all(Array.from({ length: 40 }, (_, index) => aborted(index * 20_000)));
      await until(() => storedIn(world).length === before.length, 'the drafts are gone');
      expect(storedIn(world)).toEqual(before);
      expect((await file(alice)).size).toBe(8);
    });
  });

  // In a world of its own: the other one may still be removing bytes of aborted uploads.
  describe('the sweep of blobs', () => {
    let world: World;
    let alice: TestUser;

    beforeAll(async () => {
      world = await World.startHere();
      alice = await world.user();
    });
    afterAll(() => world.stop());

    const sweepLater = async (): Promise<void> => {
      const clock = world.nest.get(Clock);
      const now = clock.now.bind(clock);
      clock.now = () => new Date(now().getTime() + 3 * 60 * 60_000);
      try {
        await world.nest.get(Housekeeping).sweep();
      } finally {
        clock.now = now;
      }
    };
    const put = async (key: string): Promise<void> => {
      await world.nest.get<BlobStore>(BLOB_STORE).write(
        key,
        (async function* () {
          yield Buffer.from('lost');
        })(),
      );
    };

    it('removes only old blobs without references', async () => {
      const kept = await fileNode(alice, ['kept'], { content: 'kept' });
      const deleted = await fileNode(alice, ['kept'], { content: 'deleted, and kept for a restore' });
      await alice.delete(`/nodes/${deleted.id}`);
      const before = storedIn(world);
      await put('11111111-1111-4111-8111-111111111111');
      await world.nest.get(Housekeeping).sweep();
      expect(storedIn(world).length).toBe(before.length + 1);
      await sweepLater();
      expect(storedIn(world)).toEqual(before);
      await alice.post(`/nodes/${deleted.id}/restore`);
      expect((await alice.get(`/raw-files/${deleted.id}/download`)).text).toBe(
        'deleted, and kept for a restore',
      );
      expect((await alice.get(`/raw-files/${kept.id}/download`)).text).toBe('kept');
    });

    it('loses no blob when it races with uploads of the same content', async () => {
      const app = await alice.lets(await world.app());
      const [units, files, intake] = [UnitOfWork, FilesRepository, BlobIntake].map((type) =>
        world.nest.get(type),
      ) as [UnitOfWork, FilesRepository, BlobIntake];
      for (let round = 0; round < 20; round++) {
        const content = `unused ${round}`;
        const lost = await intake.take(Readable.from([Buffer.from(content)]), MB);
        await units.run(() => files.adopt(alice.id, lost, new Date(0)));
        const sweeping = world.nest.get(Housekeeping).sweep();
        const made = await Promise.all(Array.from({ length: 4 }, () => file(app, { content })));
        await sweeping;
        await sweepLater();
        for (const { id } of made) expect((await app.get(`/raw-files/${id}/download`)).text).toBe(content);
      }
    });
  });

  it('readiness reports when files cannot be stored', async () => {
    expect((await world.api.get('//health/ready')).status).toBe(200);
    const store = world.nest.get<BlobStore>(BLOB_STORE);
    const check = store.check.bind(store);
    store.check = () => Promise.reject(new Error('no disk'));
    try {
      expect(codeOf(await world.api.get('//health/ready'))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    } finally {
      store.check = check;
    }
  });

  it('a damaged blob is not served as if it were complete', async () => {
    const { id } = await file(alice, { content: 'x'.repeat(200_000) });
    const store = world.nest.get<BlobStore>(BLOB_STORE);
    const read = store.read.bind(store);
    store.read = async () => Readable.from([Buffer.alloc(100_000, 'x'), Buffer.alloc(100_000, 'y')]);
    try {
      await expect(alice.get(`/raw-files/${id}/download`)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    } finally {
      store.read = read;
    }
  });
});
