import { Clock } from '../../../src/kernel/clock.js';
import { type Client } from '../../support/client.js';
import { allSchemas, allTags, everything, readOnly, someTags } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import {
  file,
  fileNode,
  follow,
  multipartOf,
  MULTIPART,
  RAW_FILE,
  storedIn,
  upload,
} from '../../support/worlds/files.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const onDisk = !process.env.S3_BUCKET;
const DENIED = [403, 'PERMISSION_DENIED'];
const GONE = [404, 'NODE_NOT_FOUND'];

describe('files and apps', () => {
  let world: World;
  let alice: TestUser;
  let work: string;
  let secret: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  let open: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  let hidden: any;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user('alice');
    [work, secret] = [await tagId(alice, 'work'), await tagId(alice, 'secret')];
    open = await fileNode(alice, ['work', 'secret'], { filename: 'call plumber-01.txt', content: 'open' });
    hidden = await fileNode(alice, ['secret'], { filename: 'hidden.txt', content: 'hidden' });
  });
  afterAll(() => world.stop());

  const reader = (rest: Record<string, unknown> = {}): Promise<Client> =>
    letsIn(world, alice, profile({ discover: [work], read: [work] }, rest));

  describe('uploading', () => {
    const nothingStored = async (work: () => Promise<void>): Promise<void> => {
      const before = onDisk ? storedIn(world) : [];
      await work();
      if (onDisk) expect(storedIn(world)).toEqual(before);
    };

    it('an upload by an app needs the right to create and the right to write the raw-file schema, before its body is read', () =>
      nothingStored(async () => {
        const freeform = { read: allSchemas.read, write: { schema_ids: ['__freeform__'], allow_all: false } };
        const refused = [
          await letsIn(world, alice, profile({ read: 'all', edit: 'all' })),
          await alice.lets(
            await world.app({ requested: { tags: { create: true }, schemas: freeform } }),
            profile({ create: 'all' }, { schema_permissions: freeform }),
          ),
        ];
        for (const app of refused) {
          for (const path of ['/nodes/upload', '/raw-files']) {
            expect(codeOf(await upload(app, path))).toEqual(DENIED);
            expect(codeOf(await app.post(path, 'no multipart', { headers: MULTIPART }))).toEqual(DENIED);
          }
        }
      }));

    it('an upload by an app needs create for all of its tags, and create for everything if it has none', () =>
      nothingStored(async () => {
        const app = await letsIn(
          world,
          alice,
          profile({ create: [work], discover: [work, secret], read: [work] }),
        );
        for (const tags of [[], ['secret'], ['work', 'secret'], ['work', 'new']]) {
          expect(
            codeOf(await upload(app, '/nodes/upload', { fields: { tags: JSON.stringify(tags) } })),
          ).toEqual(DENIED);
        }
        for (const tag_ids of ['', secret, `${work},${secret}`]) {
          expect(codeOf(await upload(app, '/raw-files', { fields: { tag_ids } }))).toEqual(DENIED);
        }
      }));

    it('an upload by an app with few tags has those tags, and history names the app as its author', async () => {
      const app = await letsIn(world, alice, profile({ create: [work], read: [work] }));
      const made = await file(app, { fields: { tag_ids: work } });
      expect(made.tag_ids).toEqual([work]);
      expect((await app.get(`/raw-files/${made.id}/download`)).text).toBe('Dear all');
    });

    it('an upload by an app that may create but not read is shown to it this once', async () => {
      const app = await letsIn(world, alice, profile({ create: [work] }));
      const made = await file(app, { fields: { tag_ids: work } });
      expect(made.size).toBe(8);
      for (const path of [
        `/raw-files/${made.id}`,
        `/raw-files/${made.id}/download`,
        `/nodes/${made.id}/download`,
      ]) {
        expect(codeOf(await app.get(path))).toEqual(GONE);
      }
    });

    it('an upload by an app that loses its authorization meanwhile is refused at its end', () =>
      nothingStored(async () => {
        const app = await world.app();
        const { authorization } = await alice.authorizes(app);
        const [head, tail] = [
          multipartOf([], { end: '' }),
          multipartOf([{ name: 'file', filename: 'a', content: 'b' }]),
        ];
        const answer = await slowly(world.origin, app.as(alice).credentials, [head, tail], async () => {
          await alice.delete(`/authorizations/${authorization.id}`);
        });
        expect(answer).toBe(403);
      }));
  });

  describe('downloading', () => {
    it('the content of a file is readable with its node, and otherwise absent, byte for byte', async () => {
      const app = await reader();
      expect((await app.get(`/raw-files/${open.id}/download`)).text).toBe('open');
      const nobody = '00000000-0000-7000-8000-000000000000';
      for (const path of ['/raw-files/:id', '/raw-files/:id/download', '/nodes/:id/download']) {
        const [one, other] = [
          await app.get(path.replace(':id', hidden.id)),
          await app.get(path.replace(':id', nobody)),
        ];
        expect(codeOf(one)).toEqual(GONE);
        expect(cut(one.body)).toEqual(cut(other.body));
      }
      const strangers = await world.user();
      expect(codeOf(await strangers.get(`/raw-files/${open.id}/download`))).toEqual(GONE);
    });

    it('the content of a file needs only files.read, the tag and the schema', async () => {
      const requested = {
        tags: {},
        files: { read: true },
        schemas: { read: { schema_ids: [RAW_FILE], allow_all: false } },
      };
      const app = await alice.lets(await world.app({ requested }), profile({ read: [work] }));
      expect((await app.get(`/raw-files/${open.id}/download`)).text).toBe('open');
      const plain = await node(alice, { tags: ['work'] });
      expect(codeOf(await app.get(`/nodes/${plain.id}/download`))).toEqual(GONE);
    });

    it.each(['summary', 'minimal'])(
      'the content of a file is refused at detail %s, while the record is shown',
      async (max_detail_level) => {
        const app = await reader({ max_detail_level });
        for (const path of [`/raw-files/${open.id}/download`, `/nodes/${open.id}/download`]) {
          expect(codeOf(await app.get(path))).toEqual(DENIED);
        }
        const { body } = await app.get(`/raw-files/${open.id}`);
        if (max_detail_level === 'minimal') {
          expect(Object.keys(body).sort()).toEqual([
            'created_at',
            'data_type',
            'id',
            'structure_type',
            'updated_at',
          ]);
        } else {
          expect(body).toMatchObject({ filename: 'call plumber-01.txt', size: 4, tag_ids: [work] });
          expect(body).not.toHaveProperty('metadata');
        }
      },
    );
  });

  describe('/raw-files/:file_id', () => {
    it('the record of a file lacks tags that the app may not know', async () => {
      const app = await reader();
      expect((await app.get(`/raw-files/${open.id}`)).body.tag_ids).toEqual([work]);
      expect(
        (await app.get('/raw-files')).body.files.map((one: { tag_ids: string[] }) => one.tag_ids),
      ).toContainEqual([work]);
      expect((await app.get(`/raw-files?tag_id=${secret}`)).body).toMatchObject({ files: [], total: 0 });
    });

    it('the record of a file is transformed like the node, wherever its name appears', async () => {
      const truncate = { type: 'truncate', config: { field: 'title', max: 5 } };
      const app = await reader({ transformations: [truncate] });
      const shown = (await app.get(`/nodes/${open.id}`)).body.title as string;
      expect(shown).not.toContain('plumber');
      const record = (await app.get(`/raw-files/${open.id}`)).body;
      expect([record.filename, record.metadata.filename]).toEqual([shown, shown]);
      const { headers } = await app.get(`/raw-files/${open.id}/download`);
      expect(JSON.stringify(headers)).not.toContain('plumber');
    });

    it('the record of a file has no name where the title is masked', async () => {
      const app = await reader({ transformations: [{ type: 'field_mask', config: { paths: ['title'] } }] });
      const record = (await app.get(`/raw-files/${open.id}`)).body;
      expect(record.filename).toBeNull();
      expect(record.metadata).not.toHaveProperty('filename');
      expect((await app.get(`/raw-files/${open.id}/download`)).headers['content-disposition']).toBe(
        'attachment',
      );
    });

    it('the record of a file hides masked facts, and filters by them find nothing', async () => {
      const paths = ['metadata.mime_type', 'metadata.data_type', 'metadata.size_bytes'];
      const app = await reader({ transformations: [{ type: 'field_mask', config: { paths } }] });
      expect((await app.get(`/raw-files/${open.id}`)).body).toMatchObject({
        content_type: null,
        data_type: 'other',
        size: null,
        format: 'txt',
      });
      expect((await app.get('/raw-files?content_type=text/plain')).body.total).toBe(0);
      expect((await app.get('/raw-files?data_type=text')).body.total).toBe(0);
      const all = (await app.get('/raw-files')).body.total;
      expect((await app.get('/raw-files?data_type=other')).body.total).toBe(all);
      expect((await app.get(`/raw-files/${open.id}/download`)).headers['content-type']).toBe(
        'application/octet-stream',
      );
    });

    it('the record of a file is not found by its content type at detail minimal, which does not show it', async () => {
      const app = await reader({ max_detail_level: 'minimal' });
      expect((await app.get('/raw-files?content_type=text/plain')).body).toMatchObject({
        files: [],
        total: 0,
      });
      expect((await app.get('/raw-files?data_type=text')).body.total).toBeGreaterThan(0);
    });

    it('a write of the record as it was read destroys nothing', async () => {
      const kept = await file(alice, {
        filename: 'a@b.org.txt',
        fields: { tag_ids: work, metadata: '{"to":"c@d.org"}' },
      });
      const app = await letsIn(
        world,
        alice,
        profile({ read: [work], edit: [work] }, { transformations: ['pii_redaction'] }),
      );
      const { body } = await app.get(`/raw-files/${kept.id}`);
      expect(JSON.stringify(body)).not.toContain('c@d.org');
      expect((await app.put(`/raw-files/${kept.id}`, body)).status).toBe(200);
      expect((await alice.get(`/raw-files/${kept.id}`)).body).toEqual(kept);
    });

    it.each([
      ['masked', { type: 'field_mask', config: { paths: ['title'], strategy: 'null' } }],
      ['taken away', { type: 'field_mask', config: { paths: ['title'] } }],
      ['empty', { type: 'truncate', config: { field: 'title', max: 0 } }],
      ['longer than allowed', 'pii_redaction'],
    ])('a write of the record as it was read keeps a name that is %s', async (_, transformation) => {
      const filename = `${'a@b.org '.repeat(124)}.txt`;
      const kept = await file(alice, { filename, fields: { tag_ids: work } });
      const transformations = [transformation as object];
      const app = await letsIn(world, alice, profile({ read: [work], edit: [work] }, { transformations }));
      const path = `/raw-files/${kept.id}`;
      const { body: shown } = await app.get(path);
      expect(shown.filename).not.toBe(filename);
      const answer = await app.put(path, shown);
      expect([answer.status, answer.body]).toEqual([200, shown]);
      expect((await alice.get(path)).body).toEqual(kept);
      for (const wrong of [7, 'x'.repeat(1_001)]) {
        const refused = await app.put(path, { filename: wrong });
        expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ field: 'filename' }]]);
      }
      expect((await app.put(path, { filename: 'new.txt' })).status).toBe(200);
      expect((await alice.get(path)).body.filename).toBe('new.txt');
    });
  });

  describe('a change of a file by an app', () => {
    it('needs edit, a deletion needs delete, and tags need a grant for the tag', async () => {
      const mine = await fileNode(alice, ['work', 'secret']);
      const app = await reader();
      expect(codeOf(await app.put(`/raw-files/${mine.id}`, { filename: 'x' }))).toEqual(DENIED);
      expect(codeOf(await app.delete(`/raw-files/${mine.id}`))).toEqual(DENIED);
      expect(codeOf(await app.post(`/raw-files/${mine.id}/tags`, { tag_id: work }))).toEqual(DENIED);
      const editor = await letsIn(world, alice, profile({ read: [work], edit: [work] }));
      expect(codeOf(await editor.post(`/raw-files/${mine.id}/tags`, { tag_id: secret }))).toEqual([
        404,
        'NOT_FOUND',
      ]);
      expect(codeOf(await editor.delete(`/raw-files/${mine.id}/tags/${secret}`))).toEqual([404, 'NOT_FOUND']);
      expect((await editor.put(`/raw-files/${mine.id}`, { filename: 'x' })).body.filename).toBe('x');
      expect((await editor.delete(`/raw-files/${mine.id}`)).status).toBe(200);
    });
  });

  describe('signed links', () => {
    const linkOf = async (client: Client, id = open.id as string): Promise<string> => {
      const { status, body } = await client.get(`/nodes/${id}/download`);
      expect([status, Object.keys(body)]).toEqual([200, ['download_url', 'expires_at']]);
      return body.download_url as string;
    };
    const status = async (url: string): Promise<number> => (await follow(url)).status;

    it('a file link works without other credentials and with ranges, for an owner and for an app', async () => {
      for (const client of [alice, await reader()]) {
        const url = await linkOf(client);
        expect((await follow(url)).text).toBe('open');
        const part = await follow(url, { Range: 'bytes=1-2' });
        expect([part.status, part.text]).toEqual([206, 'pe']);
        expect(part.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
      }
    });

    it('a file link contains no secret', async () => {
      const app = await world.app();
      await alice.authorizes(app);
      const url = await linkOf(app.as(alice));
      expect(url).not.toContain(app.apiKey);
      expect(url).not.toContain(alice.token);
    });

    it('a file link ends with the authorization, even if the app is approved again (rule 6.4)', async () => {
      const app = await world.app();
      const { authorization, profile: granted } = await alice.authorizes(app);
      const url = await linkOf(app.as(alice));
      expect(await status(url)).toBe(200);
      const patched = await alice.patch(`/authorizations/${authorization.id}`, {
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      });
      expect(patched.status).toBe(200);
      expect(await status(url)).toBe(200);
      await alice.delete(`/authorizations/${authorization.id}`);
      expect(await status(url)).toBe(403);
      const again = { app_id: app.id, exposure_profile_id: granted.id };
      expect((await alice.post('/authorizations', again)).status).toBe(201);
      expect((await app.as(alice).get(`/nodes/${open.id}/download`)).status).toBe(200);
      expect(await status(url)).toBe(403);
      expect(await status(await linkOf(app.as(alice)))).toBe(200);
    });

    it('a file link ends after five minutes', async () => {
      const url = await linkOf(alice);
      const clock = world.nest.get(Clock);
      const now = clock.now.bind(clock);
      try {
        clock.now = () => new Date(now().getTime() + 4.9 * 60_000);
        expect(await status(url)).toBe(200);
        clock.now = () => new Date(now().getTime() + 5.1 * 60_000);
        expect(await status(url)).toBe(401);
      } finally {
        clock.now = now;
      }
    });

    it('a file link with any changed part is invalid', async () => {
      const url = new URL(await linkOf(await reader()));
      const other = await fileNode(alice, ['work']);
      const forged: URL[] = [];
      for (const [name, value] of url.searchParams) {
        for (const index of [0, Math.floor(value.length / 2), value.length - 1]) {
          const sign =
            value[index] === 'a'
              ? 'b'
              : value[index] === '1'
                ? '2'
                : value[index] === '.'
                  ? '-'
                  : value[index] === 'A'
                    ? 'B'
                    : '1';
          const copy = new URL(url);
          copy.searchParams.set(name, value.slice(0, index) + sign + value.slice(index + 1));
          if (copy.href !== url.href) forged.push(copy);
        }
        const without = new URL(url);
        without.searchParams.delete(name);
        forged.push(without);
      }
      const elsewhere = new URL(url);
      elsewhere.pathname = elsewhere.pathname.replace(open.id as string, other.id as string);
      const asOwner = new URL(url);
      asOwner.searchParams.set('caller', alice.id);
      for (const one of [...forged, elsewhere, asOwner])
        expect([one.href, await status(one.href)]).toEqual([one.href, 401]);
      const twice = await follow(`${url.href}&caller=${alice.id}`);
      expect(twice.status).toBe(400);
    });

    it('the link of an app ends when its authorization is revoked', async () => {
      const app = await world.app();
      const { authorization } = await alice.authorizes(app);
      const url = await linkOf(app.as(alice));
      expect(await status(url)).toBe(200);
      await alice.delete(`/authorizations/${authorization.id}`);
      expect(await status(url)).toBe(403);
    });

    it('the link of an app ends when its authorization expires', async () => {
      const app = await world.app();
      const { authorization } = await alice.authorizes(app);
      const url = await linkOf(app.as(alice));
      const clock = world.nest.get(Clock);
      const now = clock.now.bind(clock);
      await alice.patch(`/authorizations/${authorization.id}`, {
        expires_at: new Date(Date.now() + 60_000).toISOString(),
      });
      expect(await status(url)).toBe(200);
      try {
        clock.now = () => new Date(now().getTime() + 61_000);
        expect(await status(url)).toBe(403);
      } finally {
        clock.now = now;
      }
    });

    it('the link of an app follows the profile: other tags, less detail, deactivation', async () => {
      const app = await world.app();
      const { profile: made } = await alice.authorizes(app, {
        ...profile({ read: [work] }),
        tag_permissions: all(work),
      });
      const change = (body: object) => alice.put(`/exposure-profiles/${made.id}`, body);
      const url = await linkOf(app.as(alice));
      const steps: [object, number][] = [
        [{ max_detail_level: 'summary' }, 403],
        [{ max_detail_level: 'full' }, 200],
        [{ excluded_tag_ids: [secret] }, 404],
        [{ excluded_tag_ids: [] }, 200],
        [{ is_active: false }, 403],
        [{ is_active: true }, 200],
      ];
      for (const [body, expected] of steps) {
        expect((await change(body)).status).toBe(200);
        expect([body, await status(url)]).toEqual([body, expected]);
      }
    });

    it('the link of a key ends with the key, and with the app', async () => {
      const developer = await world.user();
      const made = (await developer.post('/apps', { name: 'linker', requested_permissions: everything }))
        .body;
      const { profile: transparent } = await alice.authorizes(await world.app());
      await alice.post('/authorizations', { app_id: made.id, exposure_profile_id: transparent.id });
      const by = (key: string) => world.api.with({ 'X-API-Key': key, 'X-User-ID': alice.id });
      const second = (await developer.post(`/apps/${made.id}/keys`, {})).body;
      const [url, other] = [await linkOf(by(second.api_key)), await linkOf(by(made.api_key))];
      await developer.delete(`/apps/${made.id}/keys/${second.id}`);
      expect([await status(url), await status(other)]).toEqual([401, 200]);
      await developer.patch(`/apps/${made.id}`, {
        requested_permissions: { ...readOnly, tags: {}, files: {} },
      });
      expect(await status(other)).toBe(404);
      await developer.delete(`/apps/${made.id}`);
      expect(await status(other)).toBe(401);
    });

    it('a file link follows the node when it is retagged out of view, deleted or restored', async () => {
      const mine = await fileNode(alice, ['work'], { content: 'mine' });
      const url = await linkOf(await reader(), mine.id as string);
      await alice.put(`/nodes/${mine.id}`, { tags: ['secret'] });
      expect(await status(url)).toBe(404);
      await alice.put(`/nodes/${mine.id}`, { tags: ['work'] });
      expect(await status(url)).toBe(200);
      await alice.delete(`/raw-files/${mine.id}`);
      expect(await status(url)).toBe(404);
      await alice.post(`/nodes/${mine.id}/restore`);
      expect((await follow(url)).text).toBe('mine');
    });
  });
});

const cut = (body: { error: object }) => ({ ...body.error, request_id: 0 });

/** All verbs that a transparent request asks for, on one tag. */
const all = (tag: string) => ({
  ...Object.fromEntries(['discover', 'propose', 'create', 'edit', 'delete'].map((verb) => [verb, allTags])),
  read: someTags(tag),
});

/** Sends an upload in two parts, with something happening in between. */
async function slowly(
  origin: string,
  credentials: Record<string, string>,
  [head, tail]: [Buffer, Buffer],
  meanwhile: () => Promise<void>,
): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { ...credentials, ...MULTIPART };
    const sent = request(
      `${origin}/api/v1/raw-files`,
      { method: 'POST', headers, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode as number);
      },
    );
    sent.on('error', reject);
    const half = Math.floor(tail.length / 2);
    sent.write(Buffer.concat([head, tail.subarray(0, half)]), () => {
      meanwhile().then(() => sent.end(tail.subarray(half)), reject);
    });
  });
}
