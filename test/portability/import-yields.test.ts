import { jest } from '@jest/globals';
import { RestoredRowsQueries } from '../../src/portability/infrastructure/restored-rows.queries.js';
import { ExportService } from '../../src/portability/index.js';
import { type User, Users } from '../../src/identity/index.js';
import { UnfinishedImports } from '../../src/portability/application/unfinished-imports.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { IdempotentRequests } from '../../src/kernel/http/idempotent-requests.js';
import { Database } from '../../src/kernel/database/database.js';
import { requestContext } from '../../src/kernel/request-context.js';
import { codeOf } from '../support/worlds/nodes.js';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';
import { compared, exported, importedBy, imports, unzipped, zipped } from './archives.js';

const EMPTY = { nodes: 0, relationships: 0, tags: 0, schemas: 0, exposure_profiles: 0 };

describe('fairness', () => {
  let world: World;
  let archive: Buffer;
  let alice: TestUser;
  let bob: TestUser;
  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
    const schema = {
      schema_uri: 'https://schemas.example/open',
      name: 'Open to all',
      scope: 'public',
      json_schema: { type: 'object' },
    };
    expect((await alice.post('/schemas', schema)).status).toBe(201);
    for (let n = 0; n < 3; n++) await alice.post('/nodes', note(`note ${n}`));
    archive = (await alice.get('/export')).bytes;
    bob = await world.user();
    await bob.post('/nodes', note('of another person'));
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  const note = (title: string): object => ({ title, value: title, node_type: 'NOTE', tags: ['shelf'] });

  /** Does something once the rows of a table are there, while the others are not. */
  const after = (table: string, action: () => Promise<void>): void => {
    const { insert } = RestoredRowsQueries.prototype;
    let isNext = false;
    jest.spyOn(RestoredRowsQueries.prototype, 'insert').mockImplementation(async function (
      this: RestoredRowsQueries,
      ...given
    ) {
      const bytes = await insert.apply(this, given);
      isNext = given[0].table === table;
      return bytes;
    });
    const { slice } = UnfinishedImports.prototype;
    jest.spyOn(UnfinishedImports.prototype, 'slice').mockImplementation(async function <T>(
      this: UnfinishedImports,
      work: () => Promise<T>,
    ): Promise<T> {
      const value = (await slice.call(this, work)) as T;
      if (isNext) {
        isNext = false;
        await action();
      }
      return value;
    });
  };
  const fails = (): Promise<never> => Promise.reject(new Error('planted'));
  const used = async (user: TestUser): Promise<object> => {
    const { quotas } = (await user.get('/auth/me')).body;
    return Object.fromEntries(Object.keys(EMPTY).map((name) => [name, quotas?.[name]?.used ?? 0]));
  };

  it('another person can read and write between the rows of an import (rule 11.9e)', async () => {
    const carol = await world.user();
    let answered = 0;
    after('nodes', async () => {
      expect((await bob.get('/nodes')).body.nodes).toHaveLength(1 + answered);
      expect((await bob.post('/nodes', note('meanwhile'))).status).toBe(201);
      answered++;
    });
    expect((await imports(carol, archive)).status).toBe(201);
    expect(answered).toBe(onPostgres ? 0 : 1);
    jest.restoreAllMocks();
    expect(compared(await exported(carol))).toEqual(compared(importedBy(carol, await unzipped(archive))));
  });

  it('an unfinished import is shown to nobody: its owner is refused for a while, its public schemas are hidden (rule 12.3b)', async () => {
    const carol = await world.user();
    const seen: unknown[] = [];
    const schemas = async (): Promise<number> =>
      (await bob.get('/schemas?search=Open')).body.schemas.filter(
        ({ name }: { name: string }) => name === 'Open to all',
      ).length as number;
    const before = await schemas();
    after('nodes', async () => {
      const reads = await carol.get('/nodes');
      const writes = await carol.post('/nodes', note('in between'));
      seen.push(codeOf(reads), reads.headers['retry-after'] !== undefined, writes.status, await schemas());
    });
    expect((await imports(carol, archive)).status).toBe(201);
    if (!onPostgres) expect(seen).toEqual([[503, 'SERVICE_UNAVAILABLE'], true, 503, before]);
    expect(await schemas()).toBe(before + 1);
    expect((await carol.get('/nodes')).body.nodes).toHaveLength(3);
    expect((await carol.post('/nodes', note('afterwards'))).status).toBe(201);
  });

  it('an import whose last table is refused leaves nothing behind, and can be sent again (rule 12.3b)', async () => {
    const carol = await world.user();
    const entries = new Map(await unzipped(archive));
    const changes = entries.get('data/changes.ndjson') as Buffer;
    entries.set('data/changes.ndjson', Buffer.from(changes.toString().split('\n').slice(0, -2).join('\n')));
    const before = await used(carol);
    expect(codeOf(await imports(carol, await zipped(entries)))).toEqual([400, 'INVALID_ARCHIVE']);
    expect(await used(carol)).toEqual(before);
    expect((await carol.get('/nodes')).body.nodes).toEqual([]);
    expect((await imports(carol, archive)).status).toBe(201);
  });

  it('the import of a dead process is taken back by the next one, before its owner is shown any of it (rule 12.3b)', async () => {
    if (onPostgres) return;
    const carol = await world.user();
    const unfinished = world.nest.get(UnfinishedImports);
    after('changes', fails);
    // Simulates a process that is gone, together with its memory.
    jest.spyOn(unfinished, 'takeBack').mockImplementation(async () => {
      world.nest.get(Database).release(carol.id);
      Reflect.get(unfinished, 'underWay').clear();
    });
    expect((await imports(carol, archive)).status).toBe(500);
    jest.restoreAllMocks();
    const begun = unfinished.onApplicationBootstrap();
    await begun;
    expect(codeOf(await carol.get('/nodes'))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await unfinished.resumed;
    expect((await carol.get('/nodes')).body.nodes).toEqual([]);
    expect((await imports(carol, archive)).status).toBe(201);
    expect((await carol.get('/nodes')).body.nodes).toHaveLength(3);
  });

  it('an unfinished import is in no export, whatever caller exports (rule 12.3b)', async () => {
    if (onPostgres) return;
    const carol = await world.user();
    const user = await world.nest.get(Users).find(carol.id);
    const exports = world.nest.get(ExportService);
    const outcomes: string[] = [];
    const exportNow = (): Promise<void> =>
      exports
        .sendToOperator(user as User, async (content) => void content.resume())
        .then(
          () => void outcomes.push('begun'),
          ({ code }: { code: string }) => void outcomes.push(code),
        );
    // The operator's command reads for nobody.
    after('nodes', () => requestContext.run({ ...requestContext.current(), requestId: '' }, exportNow));
    expect((await imports(carol, archive)).status).toBe(201);
    expect(outcomes).toEqual(['SERVICE_UNAVAILABLE']);
    await exportNow();
    expect(outcomes.at(-1)).toBe('begun');
  });

  it('an import with an Idempotency-Key lets another person read in between, and is answered twice alike (rule 11.9e)', async () => {
    const carol = await world.user();
    let answered = 0;
    after('nodes', async () => {
      expect((await bob.get('/nodes')).status).toBe(200);
      answered++;
    });
    const headers = { 'Content-Type': 'application/zip', 'Idempotency-Key': 'once' };
    expect((await carol.post('/import', archive, { headers })).status).toBe(201);
    expect(answered).toBe(onPostgres ? 0 : 1);
  });

  it('an import whose Idempotency-Key cannot be stored in the end is taken back by the next sweep (rule 12.3b)', async () => {
    const carol = await world.user();
    const save = jest.spyOn(IdempotentRequests.prototype as unknown as { save: typeof fails }, 'save');
    save.mockImplementation(fails);
    const headers = { 'Content-Type': 'application/zip', 'Idempotency-Key': 'lost' };
    expect((await carol.post('/import', archive, { headers })).status).toBe(500);
    jest.restoreAllMocks();
    if (!onPostgres) expect(codeOf(await carol.get('/nodes'))).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await world.nest.get(Housekeeping).sweep();
    expect((await carol.get('/nodes')).body.nodes).toEqual([]);
    expect((await imports(carol, archive)).status).toBe(201);
  });

  it('a committed import whose answer was lost is not taken back (rule 12.3b)', async () => {
    const carol = await world.user();
    expect((await imports(carol, archive)).status).toBe(201);
    await world.nest.get(UnfinishedImports).takeBack(carol.id);
    expect((await carol.get('/nodes')).body.nodes).toHaveLength(3);
  });
});
