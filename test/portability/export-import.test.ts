import { createHash, randomInt, randomUUID } from 'node:crypto';
import { importedId } from '../../src/portability/domain/archived-ids.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { applied, proposer } from '../support/worlds/proposals.js';
import {
  compared,
  type Entries,
  exported,
  importedBy,
  imports,
  rowChangesOf,
  rowsOf,
  withEntry,
  zipped,
} from './archives.js';
import { type FullAccount, fullAccount } from './full-account.js';

describe('GET /export and POST /import', () => {
  let world: World;
  let alice: FullAccount;
  let archive: Entries;

  beforeAll(async () => {
    world = await World.start();
    alice = await fullAccount(world, 'alicemark');
    archive = await exported(alice.user);
  });
  afterAll(() => world.stop());

  const changed = (name: string, change: (text: string) => string | Buffer): Promise<Buffer> =>
    withEntry(archive, name, change);
  const withRow: ReturnType<typeof rowChangesOf> = (...change) => rowChangesOf(archive)(...change);
  const restored = async (): Promise<TestUser> => {
    const user = await world.user();
    const answer = await imports(user, await zipped(archive));
    expect({ status: answer.status, text: answer.body.error }).toEqual({ status: 201 });
    return user;
  };

  it('an archive has everything of its user, and says nothing secret', () => {
    expect(rowsOf(archive, 'data/nodes.ndjson')).toHaveLength(9);
    for (const table of [
      'relationships',
      'exposure_profiles',
      'files',
      'embeddings',
      'sessions',
      'contributions',
    ])
      expect([table, rowsOf(archive, `data/${table}.ndjson`).length > 0]).toEqual([table, true]);
    for (const name of [
      'authorizations',
      'shares',
      'follows',
      'blocked_users',
      'proposals',
      'groups',
      'apps',
      'api_keys',
      'other_changes',
    ])
      expect([name, rowsOf(archive, `listed/${name}.ndjson`).length > 0]).toEqual([name, true]);
    const content = archive.get(`files/${createHash('sha256').update('alicemark in a file').digest('hex')}`);
    expect(content?.toString()).toBe('alicemark in a file');
    const text = [...archive.values()].map(String).join('\n');
    expect(text).not.toMatch(/password|key_hash|"secret|\$argon2/);
  });

  it('an archive is the same each time, but for its manifest', async () => {
    expect(compared(await exported(alice.user))).toEqual(compared(archive));
  });

  it('an archive of an account with merged nodes comes back whole, merged contributions included', async () => {
    const user = await world.user();
    const ids: string[] = [];
    for (const title of ['source', 'target']) {
      const made = await user.post('/nodes', { title, node_type: 'note', tags: ['a'] });
      ids.push(made.body.id);
    }
    const [source, target] = ids;
    const app = await proposer(world, user, 'all');
    const canonical_data = { target_node_id: target, source_node_ids: [source] };
    expect((await applied(user, app, { type: 'MERGE_NODES', canonical_data })).status).toBe(200);
    const before = await exported(user);
    expect(rowsOf(before, 'data/contributions.ndjson').some(({ came_from }) => came_from.length > 0)).toBe(
      true,
    );
    const heir = await world.user();
    const answer = await imports(heir, await zipped(before));
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    expect(compared(await exported(heir))).toEqual(compared(importedBy(heir, before)));
  });

  it('an archive restored into another account gives an archive that is equal but for ids (rule 12.3)', async () => {
    const bob = await restored();
    const second = await exported(bob);
    expect(compared(second)).toEqual(compared(importedBy(bob, archive)));
    const again = await world.user();
    expect((await imports(again, await zipped(second))).status).toBe(201);
    expect(compared(await exported(again))).toEqual(compared(importedBy(again, second)));
  });

  it('a restored archive reads as before, and can be written on', async () => {
    const bob = await restored();
    const shown = async (client: Client, path: string) => (await client.get(path)).body;
    const own = (id: string | undefined): string => importedId(bob.id, id as string);
    for (const path of [
      '/nodes?limit=100&include_tags=true',
      '/tags',
      '/relationships',
      '/nodes/history?limit=1000',
      '/exposure-profiles',
      '/sessions',
      `/nodes/${alice.nodes[0]}/ledger`,
    ]) {
      const there = path.replace(alice.nodes[0] as string, own(alice.nodes[0]));
      const [before, after] = [await shown(alice.user, path), await shown(bob, there)];
      expect([path, withoutIds(after)]).toEqual([path, withoutIds(before)]);
    }
    const { body: search } = await bob.post('/nodes/search/vector', { embedding: [0.1, 0.2, 0.3] });
    expect(search.total).toBe(1);
    const file = await bob.get(`/raw-files/${own(alice.file)}/download`);
    expect(file.text).toBe('alicemark in a file');
    expect((await bob.put(`/nodes/${own(alice.nodes[0])}`, { title: 'on' })).status).toBe(200);
    expect((await bob.post(`/nodes/${own(alice.nodes[3])}/restore`)).status).toBe(200);
    const app = await world.app();
    const client = await bob.lets(app);
    const sync = await client.get('/sync');
    expect(sync.status).toBe(200);
    const next = await client.get(`/sync?cursor=${encodeURIComponent(sync.body.cursor)}`);
    expect(next.body.changes).toEqual([]);
    expect((await alice.user.get(`/nodes/${alice.nodes[0]}`)).body.title).toBe('alicemark new title');
  });

  it('an archive brings vectors back as of the texts that they were made of (rule 3.16c)', async () => {
    const user = await world.user();
    const { body } = await user.post('/nodes', { title: 'a', node_type: 'note', tags: ['health', 'note'] });
    await user.put(`/nodes/${body.id}/embedding`, { embedding: [1, 0] });
    await user.put(`/nodes/${body.id}`, { title: 'b', tags: ['note'] });
    await user.put(`/nodes/${body.id}`, { value: 'c' });
    const heir = await world.user();
    expect((await imports(heir, await zipped(await exported(user)))).status).toBe(201);
    const tags = { discover: { allow_all: true }, read: { allow_all: true } };
    const rest = {
      schema_permissions: { read: { allow_all: true } },
      tag_filters: { exclude_any: ['health'] },
    };
    const requested = { tags: { discover: true, read: true }, schemas: { read: { allow_all: true } } };
    for (const owner of [user, heir]) {
      const client = await owner.lets(await world.app({ requested }), { tag_permissions: tags, ...rest });
      expect((await client.get('/nodes')).body.total).toBe(1);
      const search = { embedding: [1, 0], min_score: 0 };
      expect((await owner.post('/nodes/search/vector', search)).body.total).toBe(1);
      expect((await client.post('/nodes/search/vector', search)).body.total).toBe(0);
    }
  });

  it('an archive brings no permission back', async () => {
    const bob = await restored();
    expect((await alice.app.as(bob).get('/nodes')).status).toBe(403);
    expect((await bob.get('/authorizations')).body.total).toBe(0);
    expect((await bob.get('/proposals')).body.total).toBe(0);
    expect((await bob.get('/sharing/outgoing')).body.total).toBe(0);
    expect((await alice.friend.get('/nodes?access=shared')).text).not.toContain(bob.id);
  });

  it('an archive is taken by an empty account only', async () => {
    const bytes = await zipped(archive);
    const { status, body } = await imports(alice.user, bytes);
    expect([status, body.error.code]).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
    const carol = await world.user();
    await carol.post('/tags', { name: 'mine' });
    expect((await imports(carol, bytes)).body.error.code).toBe('ACCOUNT_NOT_EMPTY');
  });

  it('an archive takes an Idempotency-Key, and is imported once', async () => {
    const carol = await world.user();
    const bytes = await zipped(archive);
    const headers = { 'Content-Type': 'application/zip', 'Idempotency-Key': 'once' };
    const one = await carol.post('/import', bytes, { headers });
    expect(one.status).toBe(201);
    expect(rowsOf(await exported(carol), 'data/nodes.ndjson')).toHaveLength(9);
  });

  it('an archive taken in the middle of writing is of one moment: nothing in it refers to what is not there', async () => {
    const busy = await world.user();
    let isWriting = true;
    const writing = (async () => {
      for (let i = 0; isWriting; i++) {
        const { body } = await busy.post('/nodes', { title: `n ${i}`, node_type: 'note', tags: [`t ${i}`] });
        await busy.put(`/nodes/${body.id}`, { title: `m ${i}` });
      }
    })();
    for (let i = 0; i < 4; i++) {
      const { bytes } = await busy.get('/export');
      const target = await world.user();
      expect((await imports(target, bytes)).body).toMatchObject({ imported: { relationships: 0 } });
    }
    isWriting = false;
    await writing;
  });

  const someNode = (row: { deleted_at: unknown }) => row.deleted_at === null;
  const tagged = (row: { deleted_at: unknown; tag_ids: string[] }) => someNode(row) && row.tag_ids.length > 0;
  const NOBODY = '00000000-0000-4000-8000-00000000dead';
  /** The archive with other tags of one node, in its row and in the log. */
  const withTags = (tagsOf: (ids: string[]) => string[]): Promise<Buffer> => {
    const { id, tag_ids } = rowsOf(archive, 'data/nodes.ndjson').find(tagged);
    const others = tagsOf(tag_ids);
    // eslint-disable-next-line @typescript-eslint/no-explicit-any
    const changedRow = (row: any): object =>
      row.id === id
        ? { ...row, tag_ids: others }
        : row.entity === 'node' && row.entity_id === id
          ? { ...row, tag_ids: others, snapshot: { ...row.snapshot, tag_ids: others } }
          : row;
    return zipped(
      [...archive].map(([name, bytes]): [string, Buffer | string] =>
        ['data/nodes.ndjson', 'data/changes.ndjson'].includes(name)
          ? [
              name,
              rowsOf(archive, name)
                .map(changedRow)
                .map((row) => `${JSON.stringify(row)}\n`)
                .join(''),
            ]
          : [name, bytes],
      ),
    );
  };
  /** A text that no index compresses. */
  const incompressible = (characters: number): string =>
    Array.from({ length: characters }, () => String.fromCodePoint(0x20000 + randomInt(0xa000))).join('');
  const hostile: [name: string, archive: () => Promise<Buffer> | Buffer, code?: string][] = [
    ['no zip at all', () => Buffer.from('no zip at all')],
    ['nothing', () => Buffer.alloc(0)],
    ['itself once more behind it', async () => Buffer.concat([await zipped(archive), await zipped(archive)])],
    ['bytes behind its end', async () => Buffer.concat([await zipped(archive), Buffer.from('more')])],
    ['a comment behind its end', async () => withComment(await zipped(archive))],
    ['a zip cut off', async () => (await zipped(archive)).subarray(0, -500)],
    ['a zip without a manifest', () => zipped([...archive].filter(([name]) => name !== 'manifest.json'))],
    ['another format', () => changed('manifest.json', () => '{"format":"other","version":1}')],
    [
      'a path out of it',
      () => renamed(zipped([...archive, ['data/xx/xx/xx', 'x']]), 'data/xx/xx/xx', '../../../../x'),
    ],
    [
      'an absolute path',
      () => renamed(zipped([...archive, ['xtc/passwd', 'x']]), 'xtc/passwd', '/etc/passw'),
    ],
    ['an unknown entry', () => zipped([...archive, ['data/users.ndjson', '{}']])],
    ['an entry twice', () => zipped([...archive, ['data/tags.ndjson', '']])],
    ['a file that no row stands for', () => zipped([...archive, [`files/${'0'.repeat(64)}`, 'x']])],
    ['a row without its file', () => zipped([...archive].filter(([name]) => !name.startsWith('files/')))],
    [
      'another file than is meant',
      () =>
        zipped(
          [...archive].map(([name, bytes]): [string, Buffer] => [
            name,
            name.startsWith('files/') ? Buffer.from('other') : bytes,
          ]),
        ),
    ],
    ['a file of another size', () => withRow('files', (row) => (row.size_bytes = 1))],
    ['unreadable JSON', () => changed('data/nodes.ndjson', (text) => `${text}{`)],
    [
      'no UTF-8',
      () =>
        changed('data/nodes.ndjson', (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])),
    ],
    ['a list in place of a row', () => changed('data/nodes.ndjson', () => '[]')],
    ['a title that is too long', () => withRow('nodes', (row) => (row.title = 'x'.repeat(1001)))],
    ['NUL', () => withRow('nodes', (row) => (row.value = 'a\0b'))],
    ['NUL in metadata', () => withRow('nodes', (row) => (row.metadata = { a: '\0' }))],
    ['a lone surrogate', () => withRow('nodes', (row) => (row.value = '\ud800'))],
    [
      'a forbidden key',
      () =>
        changed('data/nodes.ndjson', (text) => text.replace('"metadata":{', '"metadata":{"__proto__":{},')),
    ],
    [
      'metadata that is too large',
      () => withRow('nodes', (row) => (row.metadata = { a: 'x'.repeat(300_000) })),
    ],
    [
      'bottomless nesting',
      () =>
        changed('data/nodes.ndjson', (text) =>
          text.replace('"metadata":{', `"metadata":{"a":${'['.repeat(5000)}${']'.repeat(5000)},`),
        ),
    ],
    ['a time that is none', () => withRow('nodes', (row) => (row.created_at = 'yesterday'))],
    ['a tag that is not there', () => withRow('nodes', (row) => (row.tag_ids = [NOBODY]), someNode)],
    [
      "somebody else's tag",
      async () => {
        const { body } = await alice.friend.post('/tags', { name: `t${world.number()}` });
        return withRow('nodes', (row) => (row.tag_ids = [body.id]), someNode);
      },
    ],
    ['an edge to nothing', () => withRow('relationships', (row) => (row.to_node_id = NOBODY))],
    ['a merge into nothing', () => withRow('nodes', (row) => (row.merged_into = NOBODY))],
    ['a parent that is not there', () => withRow('tags', (row) => (row.parent_tag_id = NOBODY))],
    [
      'two tags of one name',
      () =>
        withRow(
          'tags',
          (row) => (row.name = 'ALICEMARK'),
          (row) => row.name === 'alicemark parent',
        ),
    ],
    [
      'a version after which none would fit',
      () => withRow('exposure_profiles', (row) => (row.version = 2_147_483_647)),
    ],
    ['a version that the log does not know', () => withRow('nodes', (row) => (row.version += 1), someNode)],
    ['a gap in the log', () => withRow('changes', (row) => (row.sequence += 1))],
    [
      'a change of nothing',
      () =>
        withRow(
          'changes',
          (row) => {
            row.entity_id = NOBODY;
            row.snapshot.id = NOBODY;
          },
          (row) => row.entity === 'node',
        ),
    ],
    ['an authorization in the log', () => withRow('changes', (row) => (row.entity = 'authorization'))],
    [
      'what was omitted, told',
      () =>
        withRow(
          'changes',
          (row) => (row.snapshot = {}),
          (row) => row.entity === 'omitted',
        ),
    ],
    [
      'a snapshot that is no node',
      () =>
        withRow(
          'changes',
          (row) => (row.snapshot.title = 5),
          (row) => row.entity === 'node',
        ),
    ],
    [
      'changed fields that are none',
      () =>
        withRow(
          'changes',
          (row) => (row.changed_fields = { tag_ids: { old: 1, new: 2 } }),
          (row) => row.entity === 'node',
        ),
    ],
    ['a contribution to nothing', () => withRow('contributions', (row) => (row.sequence = 99_999))],
    ['rules that are none', () => withRow('exposure_profiles', (row) => (row.rules = {}))],
    ['rules with more than rules', () => withRow('exposure_profiles', (row) => (row.rules.extra = 1))],
    [
      'a transformation that is none',
      () => withRow('exposure_profiles', (row) => (row.rules.transformations = [{ type: 'x' }])),
    ],
    [
      'a schema for an app',
      () =>
        withRow('schemas', (row) => {
          row.scope = 'private';
          row.private_to = 'app';
        }),
    ],
    [
      'rules stricter than the log has them',
      () => withRow('exposure_profiles', (row) => (row.rules.allowed_node_types = ['nothing'])),
    ],
    [
      'a profile at rest that the log has awake',
      () => withRow('exposure_profiles', (row) => (row.is_active = !row.is_active)),
    ],
    [
      'a tag whose end is only in its row',
      () =>
        withRow(
          'tags',
          (row) => (row.deleted_at = row.updated_at),
          (row) => row.name === 'alicemark',
        ),
    ],
    [
      'a tag of another name than in the log',
      () =>
        withRow(
          'tags',
          (row) => (row.name = 'other'),
          (row) => row.name === 'alicemark',
        ),
    ],
    [
      'a node without the tags that the log gives it',
      () => withRow('nodes', (row) => (row.tag_ids = []), tagged),
    ],
    [
      'a node of another type than in the log',
      () => withRow('nodes', (row) => (row.node_type = 'x'), tagged),
    ],
    ...Object.entries({
      title: 'other',
      value: 'other',
      meaning_level: 'DATA',
      graph_view: 'neutral',
      importance_score: 0.123,
      metadata: { other: true },
      agent_metadata: { agent_name: 'other' },
      last_modified_by_agent_id: NOBODY,
    }).map(([field, value]): [string, () => Promise<Buffer>] => [
      `a node of another ${field} than in the log`,
      () => withRow('nodes', (row) => (row[field] = value), tagged),
    ]),
    [
      'a node that is deleted in its row only',
      () => withRow('nodes', (row) => (row.deleted_at = row.updated_at), tagged),
    ],
    ['a URI of the system', () => withRow('schemas', (row) => (row.schema_uri = 'System:File'))],
    ['a URI with a space', () => withRow('schemas', (row) => (row.schema_uri = 'a b'))],
    ['a schema of an app', () => withRow('schemas', (row) => (row.created_by_app_id = alice.app.id))],
    ['a JSON Schema that is none', () => withRow('schemas', (row) => (row.json_schema = { type: 5 }))],
    [
      'a JSON Schema that is too deep',
      () =>
        withRow('schemas', (row) => {
          for (let i = 0; i < 20; i++) row.json_schema = { properties: { a: row.json_schema } };
        }),
    ],
    [
      "a version of somebody else's schema",
      () => withRow('schema_versions', (row) => (row.record.owner_id = NOBODY)),
    ],
    ['a version of no time', () => withRow('schema_versions', (row) => (row.record.updated_at = 'now'))],
    ['a type that a browser would run', () => withRow('files', (row) => (row.media_type = 'text/html'))],
    ['a type with a line break', () => withRow('files', (row) => (row.media_type = 'text/plain\r\nX: y'))],
    ['a vector that is too long', () => withRow('embeddings', (row) => (row.unit = '[1,1,1]'))],
    ['a node with one tag twice', () => withTags((ids) => [...ids, ...ids])],
    ['a node with hundreds of tags', () => withTags(() => Array.from({ length: 300 }, () => randomUUID()))],
    ['a node with a thousand tags', () => withTags(() => Array.from({ length: 1000 }, () => randomUUID()))],
    [
      'a name of a model that is too long for its index',
      () => withRow('embeddings', (row) => (row.model = incompressible(1000))),
    ],
    ['an entry with a comment', () => zipped(archive, { fileComment: 'x' })],
    ['a vector of another length', () => withRow('embeddings', (row) => (row.dimensions = 2))],
  ];

  it.each(hostile)('an archive is refused, and nothing stays, when it is or has %s', async (_, make) => {
    const mallory = await world.user();
    const { status, body, text } = await imports(mallory, await make());
    expect({ status, code: body?.error?.code, text }).toMatchObject({ status: 400, code: 'INVALID_ARCHIVE' });
    const left = await exported(mallory);
    expect(compared(left).filter(([, content]) => content !== '')).toEqual([]);
  });

  it('an archive takes along how relevant a tag is, also what was taken before it had bounds', async () => {
    const carol = await world.user();
    const link = { relevance_score: 7, is_auto_generated: true, created_at: '2026-01-01T00:00:00.000Z' };
    const relevant = withRow('nodes', (row) => (row.tag_links = { [row.tag_ids[0]]: link }), tagged);
    const answer = await imports(carol, await relevant);
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    const links = rowsOf(await exported(carol), 'data/nodes.ndjson').flatMap((row) =>
      Object.values(row.tag_links),
    );
    expect(links).toContainEqual(link);
  });

  it('an archive takes a schema along whose URI is taken and looks like a pattern', async () => {
    const [dan, eve] = [await world.user(), await world.user()];
    const schema_uri = "urn:x:$&$'$`$1";
    const schema = { name: 'odd', schema_uri, json_schema: {}, description: `"${schema_uri}" \\` };
    expect((await dan.post('/schemas', schema)).status).toBe(201);
    const before = await exported(dan);
    expect((await imports(eve, await zipped(before))).status).toBe(201);
    expect(compared(await exported(eve))).toEqual(compared(importedBy(eve, before)));
    const { body } = await eve.get('/schemas?owner=user&limit=100');
    const own = body.schemas.find((one: { owner_id: string | null }) => one.owner_id === eve.id);
    expect(own.schema_uri.startsWith(`${schema_uri}-`)).toBe(true);
    expect(own.description).toBe(schema.description);
  });

  it('an archive that unpacks to more than the plan allows is refused before it is unpacked', async () => {
    const mallory = await world.user();
    const bomb = await zipped([...archive, [`files/${'0'.repeat(64)}`, Buffer.alloc(11 * 1_048_576)]]);
    const { status, body } = await imports(mallory, bomb);
    expect([status, body.error.code]).toEqual([400, 'INVALID_ARCHIVE']);
    const lying = Buffer.from(await zipped([['manifest.json', archive.get('manifest.json') as Buffer]]));
    const size = lying.readUInt32LE(lying.lastIndexOf('PK\x01\x02') + 24);
    lying.writeUInt32LE(size - 1, lying.lastIndexOf('PK\x01\x02') + 24);
    expect((await imports(mallory, lying)).body.error.code).toBe('INVALID_ARCHIVE');
  });

  it('an archive with a file that the plan does not take is refused by its name, with what can be done', async () => {
    const user = await world.user();
    const bytes = Buffer.alloc(11 * 1_048_576, 7);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const [row, ...others] = rowsOf(archive, 'data/files.ndjson');
    const entries = new Map(archive);
    const rows = [{ ...row, sha256, size_bytes: bytes.length }, ...others];
    entries.set('data/files.ndjson', Buffer.from(`${rows.map((each) => JSON.stringify(each)).join('\n')}\n`));
    entries.set(`files/${sha256}`, bytes);
    const { status, body } = await imports(user, await zipped(entries));
    expect([status, body.error.code]).toEqual([400, 'INVALID_ARCHIVE']);
    expect(body.error.message).toBe(
      `files/${sha256}: the file "letter.txt" has 11534336 bytes, more than the 10485760 bytes of your plan; ` +
        'a larger plan takes it, or the operator with the import command',
    );
    expect((await user.get('/nodes')).body.total).toBe(0);
  });

  it('an archive is a zip by its content type, and not larger than the plan allows', async () => {
    const user = await world.user();
    expect((await user.post('/import', {})).status).toBe(415);
    const { status, body } = await user.post('/import', Buffer.alloc(0), {
      headers: { 'Content-Type': 'application/zip', 'Content-Length': String(2 ** 40) },
    });
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

/** Things in the order of their texts: some lists end with the order of ids. */
const withoutIds = (body: object): unknown =>
  JSON.parse(JSON.stringify(body).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id'), (_, value) =>
    Array.isArray(value) ? value.map((each) => JSON.stringify(each)).sort() : value,
  );

/** Bytes behind the end that the end counts as its own. */
function withComment(zip: Buffer): Buffer {
  const bytes = Buffer.concat([zip, Buffer.from('more')]);
  bytes.writeUInt16LE(4, zip.length - 2);
  return bytes;
}

/** Another name for an entry, of the same length, in the bytes: libraries refuse to write such. */
async function renamed(zip: Promise<Buffer>, from: string, to: string): Promise<Buffer> {
  const bytes = Buffer.from(await zip);
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) bytes.write(to, at);
  return bytes;
}
