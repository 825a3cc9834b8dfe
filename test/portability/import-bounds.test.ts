import { jest } from '@jest/globals';
import { BlobIntake } from '../../src/graph/files/application/blob-intake.js';
import { Users } from '../../src/identity/index.js';
import { ArchiveRowsQueries } from '../../src/portability/infrastructure/archive-rows.queries.js';
import { UnfinishedImports } from '../../src/portability/application/unfinished-imports.js';
import { file } from '../support/worlds/files.js';
import { codeOf } from '../support/worlds/nodes.js';
import { miscounted } from '../support/counted.js';
import { onPostgres } from '../support/database.js';
import { until } from '../support/until.js';
import { type TestUser, World } from '../support/world.js';
import { type Entries, exported, imports, rowsOf, unzipped, zipped } from './archives.js';

const URI = 'https://schemas.example/raced';
const note = (title: string, value = title): object => ({ title, value, node_type: 'NOTE', tags: ['shelf'] });

describe('bounds', () => {
  let world: World;
  let archive: Buffer;
  beforeAll(async () => {
    world = await World.startHere({ IMPORT_IDS: '20' });
    const alice = await world.user();
    await file(alice, { content: 'a file' });
    for (let n = 0; n < 9; n++) await alice.post('/nodes', note(`note ${n}`));
    archive = (await alice.get('/export')).bytes;
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  it('imports of one process hold a limited number of ids together, and refuse the import beyond it (rule 12.3d)', async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    let waiting = 0;
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { take } = BlobIntake.prototype;
    jest.spyOn(BlobIntake.prototype, 'take').mockImplementation(async function (this: BlobIntake, ...given) {
      waiting++;
      await gate;
      return take.apply(this, given);
    });
    const first = imports(bob, archive);
    await until(() => waiting === 1, 'the first import stores its file');
    const second = imports(carol, archive);
    await Promise.race([second, until(() => waiting === 2, 'the second import stores its file')]);
    open();
    expect((await first).status).toBe(201);
    const refused = await second;
    expect(codeOf(refused)).toEqual([503, 'TOO_MUCH_UNDER_WAY']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await imports(carol, archive)).status).toBe(201);
  });

  it('imports of one process give their ids back when they are refused (rule 12.3d)', async () => {
    const bob = await world.user();
    const damaged = await zipped((await unzipped(archive)).set('data/files.ndjson', Buffer.from('{}')));
    for (let n = 0; n < 4; n++) expect(codeOf(await imports(bob, damaged))).toEqual([400, 'INVALID_ARCHIVE']);
    expect((await imports(bob, archive)).status).toBe(201);
  });

  it('imports of one process are 400 when one alone has more ids than the process may hold (rule 12.3d)', async () => {
    const bob = await world.user();
    for (let n = 0; n < 21; n++) await bob.post('/nodes', note(`many ${n}`));
    const { bytes } = await bob.get('/export');
    expect(codeOf(await imports(await world.user(), bytes))).toEqual([400, 'INVALID_ARCHIVE']);
  });
});

describe('quotas (rule 9.8)', () => {
  let world: World;
  let stored: jest.SpiedFunction<BlobIntake['take']>;
  beforeAll(async () => {
    const limits =
      'nodes=3, relationships=1, tags=2, all_tags=4, schemas=1, exposure_profiles=1, graph_bytes=20KiB, file_bytes=10';
    const none =
      'nodes=none, relationships=none, tags=none, all_tags=none, schemas=none, exposure_profiles=none, graph_bytes=none, file_bytes=none';
    world = await World.startHere({ QUOTAS_FREE: limits, QUOTAS_PRO: none });
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    stored = jest.spyOn(BlobIntake.prototype, 'take');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await miscounted(world)).toEqual([]);
  });

  const larger = async (user: TestUser): Promise<TestUser> => {
    await world.nest.get(Users).setTier(user.id, 'pro');
    return user;
  };
  const nodes = async (user: TestUser, count: number): Promise<string[]> => {
    const made: string[] = [];
    for (let n = 0; n < count; n++) made.push((await user.post('/nodes', note(`note ${n}`))).body.id);
    return made;
  };

  it.each<[quota: string, limit: number, fill: (user: TestUser) => Promise<unknown>]>([
    ['nodes', 3, (user) => nodes(user, 3)],
    [
      'relationships',
      1,
      async (user) => {
        const [from, to] = await nodes(user, 2);
        for (const relationship_type of ['one', 'two'])
          await user.post('/relationships', { from_node_id: from, to_node_id: to, relationship_type });
      },
    ],
    [
      'all_tags',
      4,
      async (user) => {
        for (const name of ['a', 'b', 'c', 'd', 'e']) {
          const { body } = await user.post('/tags', { name });
          await user.delete(`/tags/${body.id}`);
        }
      },
    ],
    ['tags', 2, (user) => user.post('/nodes', { ...note('tagged'), tags: ['a', 'b', 'c'] })],
    [
      'exposure_profiles',
      1,
      async (user) => {
        for (const name of ['one', 'two']) await user.post('/exposure-profiles', { name });
      },
    ],
    ['graph_bytes', 20 * 1024, (user) => user.post('/nodes', note('long', 'x'.repeat(30_000)))],
    ['file_bytes', 10, (user) => file(user, { content: 'more than ten bytes' })],
  ])(
    'an import beyond a quota of %s is refused before its files are stored, and leaves nothing',
    async (quota, limit, fill) => {
      const alice = await larger(await world.user());
      await fill(alice);
      // One small file, so that there is something to store.
      await file(alice, { content: 'small' });
      const archive = (await alice.get('/export')).bytes;
      stored.mockClear();
      const bob = await world.user();
      const { status, body } = await imports(bob, archive);
      expect([status, body.error?.code, body.error?.details?.quota, body.error?.details?.limit]).toEqual([
        403,
        'QUOTA_EXCEEDED',
        quota,
        limit,
      ]);
      expect(stored).not.toHaveBeenCalled();
      expect((await imports(await larger(bob), archive)).status).toBe(201);
      const counted = async (user: TestUser) => (await user.get('/auth/me')).body.quotas[quota].used;
      expect(await counted(bob)).toBe(await counted(alice));
    },
  );

  it('an import beyond a quota of bytes is refused also where only the database can tell the sum, and leaves nothing', async () => {
    const alice = await larger(await world.user());
    // Each number takes more room in the database than in its text.
    const metadata = { properties: { list: Array.from({ length: 2_500 }, () => 1) } };
    await alice.post('/nodes', { ...note('numbers'), metadata });
    const archive = (await alice.get('/export')).bytes;
    const bob = await world.user();
    const { status, body } = await imports(bob, archive);
    expect([status, body.error?.code, body.error?.details?.quota]).toEqual([
      403,
      'QUOTA_EXCEEDED',
      'graph_bytes',
    ]);
    expect((await bob.get('/nodes')).body.nodes).toEqual([]);
    expect((await imports(await larger(bob), archive)).status).toBe(201);
  });
});

describe('an import with a bad row', () => {
  let world: World;
  let entries: Entries;
  beforeAll(async () => {
    world = await World.startHere();
    const alice = await world.user();
    await file(alice, { content: 'a file' });
    await alice.post('/nodes', note('tagged'));
    entries = await unzipped((await alice.get('/export')).bytes);
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  const levels = (count: number): string => `{"id":${'['.repeat(count)}${']'.repeat(count)}}`;
  it.each([
    ['of many levels', 'nodes', levels(4_000_000), 'must have at most 100 levels'],
    ['of many values', 'tags', `{"id":[${'{},'.repeat(1_000_000)}{}]}`, 'must have at most 1000000 values'],
    ['of many names', 'changes', `{${'"a":0,'.repeat(300_000)}"a":0}`, 'must have at most 300000 names'],
    ['without its fields', 'changes', '{}', 'must have the fields sequence'],
    ['with a value of the wrong kind', 'tags', null, 'name is not what it may be'],
  ])('%s is refused at that row, before its files are stored', async (_, table, row, message) => {
    const stored = jest.spyOn(BlobIntake.prototype, 'take');
    const entry = `data/${table}.ndjson`;
    const [first = ''] = (entries.get(entry) as Buffer).toString().split('\n');
    const bad = row ?? JSON.stringify({ ...(JSON.parse(first) as object), name: 7 });
    const archive = await zipped(new Map(entries).set(entry, Buffer.from(`${bad}\n${bad}\n`)));
    const { status, body } = await imports(await world.user(), archive);
    expect([status, body.error.code]).toEqual([400, 'INVALID_ARCHIVE']);
    expect(body.error.message).toContain(`${entry}:1: ${message}`);
    expect(stored).not.toHaveBeenCalled();
  });
});

describe('races', () => {
  let world: World;
  let archive: Buffer;
  const schema = { schema_uri: URI, name: 'Raced', scope: 'public', json_schema: { type: 'object' } };
  beforeAll(async () => {
    world = await World.startHere();
    const alice = await world.user();
    expect((await alice.post('/schemas', schema)).status).toBe(201);
    await alice.post('/nodes', note('of alice'));
    archive = (await alice.get('/export')).bytes;
    const gone = { password: 'correct horse battery' };
    expect((await alice.send('DELETE', '/auth/me', gone)).status).toBe(204);
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  /** Does something once the URIs were looked up, and before the schemas are there. */
  const afterLooking = (action: () => Promise<void>): void => {
    let isNext = false;
    const once = async (): Promise<void> => {
      if (!isNext) return;
      isNext = false;
      await action();
    };
    const { takenSchemaUris } = ArchiveRowsQueries.prototype;
    jest.spyOn(ArchiveRowsQueries.prototype, 'takenSchemaUris').mockImplementation(async function (
      this: ArchiveRowsQueries,
      ...given
    ) {
      const taken = await takenSchemaUris.apply(this, given);
      isNext = true;
      if (onPostgres) await once();
      return taken;
    });
    const { slice } = UnfinishedImports.prototype;
    jest.spyOn(UnfinishedImports.prototype, 'slice').mockImplementation(async function <T>(
      this: UnfinishedImports,
      work: () => Promise<T>,
    ): Promise<T> {
      const value = (await slice.call(this, work)) as T;
      await once();
      return value;
    });
  };

  it('an import whose schema URI is taken while it runs is 409 SCHEMA_URI_EXISTS, leaves nothing, and can be sent again (rule 12.3e)', async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    afterLooking(async () => {
      expect((await carol.post('/schemas', schema)).status).toBe(201);
    });
    expect(codeOf(await imports(bob, archive))).toEqual([409, 'SCHEMA_URI_EXISTS']);
    jest.restoreAllMocks();
    expect((await bob.get('/nodes')).body.nodes).toEqual([]);
    expect((await bob.get('/tags')).body.tags).toEqual([]);
    expect((await imports(bob, archive)).status).toBe(201);
    const own = rowsOf(await exported(bob), 'data/schemas.ndjson');
    expect(own).toMatchObject([{ schema_uri: URI }]);
    expect((await carol.get(`/schemas?search=Raced`)).body.total).toBe(2);
  });
});
