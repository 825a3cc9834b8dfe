import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { ArchiveRowsQueries } from '../../src/portability/infrastructure/archive-rows.queries.js';
import { Spool } from '../../src/kernel/spool/spool.js';
import { type Answer, type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { exported, imports, rowsOf } from './archives.js';

describe('fairness', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());

  const note = (title: string): object => ({
    title,
    value: title,
    node_type: 'NOTE',
    tags: [`tag of ${title}`],
  });
  const writes = async (user: Client, title: string): Promise<void> => {
    expect((await user.post('/nodes', note(title))).status).toBe(201);
  };
  /** Does something at the places of a copy that `isHere` names, each of which is a row on its way into the archive. */
  const during = (isHere: (row: string) => boolean, action: () => Promise<void>): void => {
    const { append } = Spool.prototype;
    jest.spyOn(Spool.prototype, 'append').mockImplementation(async function (this: Spool, bytes) {
      if (isHere(bytes.toString('utf8'))) await action();
      return append.call(this, bytes);
    });
  };
  const isManifest = (row: string): boolean => row.includes('exported_at');

  it('another person can read and write while an export copies rows (rule 11.9e)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await writes(alice, 'her own');
    let answered = 0;
    during(isManifest, async () => {
      await writes(bob, 'in between');
      expect((await bob.get('/nodes')).status).toBe(200);
      answered++;
    });
    expect(rowsOf(await exported(alice), 'data/nodes.ndjson')).toHaveLength(1);
    expect(answered).toBe(1);
  });

  it('an export holds the rows of one attempt only, however often its graph has changed (rule 11.9e)', async () => {
    const alice = await world.user();
    expect((await alice.post('/nodes', { ...note('long'), value: 'x'.repeat(20_000) })).status).toBe(201);
    const copied = async (): Promise<number> => {
      const flushed = jest.spyOn(Spool.prototype, 'flush');
      await exported(alice);
      const spool = flushed.mock.contexts.at(-1) as Spool;
      flushed.mockRestore();
      return spool.position;
    };
    const size = await copied();
    let left = 2;
    during(isManifest, async () => {
      if (left-- > 0)
        await alice.put('/tags/' + (await alice.get('/tags')).body.tags[0].id, { color: `#00000${left}` });
    });
    expect(await copied()).toBeLessThan(size + 20_000);
    expect(left).toBeLessThan(onPostgres ? 2 : 0);
  });

  it('an export is of one moment when its graph changes between two tables (rule 11.9e)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await writes(alice, 'before');
    let isFirst = true;
    // Tags are copied before nodes.
    during(
      (row) => isFirst && row.includes('"title":"before"'),
      async () => {
        isFirst = false;
        await writes(alice, 'meanwhile');
      },
    );
    const { status, bytes } = await alice.get('/export');
    expect(status).toBe(200);
    expect((await imports(bob, bytes)).status).toBe(201);
  });

  it('an export takes one snapshot on PostgreSQL, and none embedded (rule 11.9e)', async () => {
    const alice = await world.user();
    await writes(alice, 'before');
    const snapshot = jest.spyOn(world.nest.get(Database, { strict: false }), 'snapshot');
    expect(rowsOf(await exported(alice), 'data/nodes.ndjson')).toHaveLength(1);
    expect(snapshot).toHaveBeenCalledTimes(onPostgres ? 1 : 0);
  });

  it('a read that finds no time in the database is reported as such (rule 11.9e)', async () => {
    const alice = await world.user();
    await writes(alice, 'before');
    jest.spyOn(world.nest.get(ArchiveRowsQueries, { strict: false }), 'lines').mockImplementationOnce(() => {
      throw Object.assign(new Error('canceling statement'), { code: '57014' });
    });
    const { status, body, headers } = await alice.get('/export');
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '5']);
    expect(body.error.message).toContain('takes too long in the database');
  });

  it('an export ends although its graph is written to all the time, whose writers are refused in the end (rule 11.9e)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await writes(alice, 'before');
    const snapshot = jest.spyOn(Database.prototype, 'snapshot');
    const answers: Answer[] = [];
    during(isManifest, async () => {
      answers.push(await alice.post('/nodes', note(`change ${answers.length}`)));
      await writes(bob, 'in between');
    });
    const nodes = rowsOf(await exported(alice), 'data/nodes.ndjson');
    // Two attempts leave the graph open; the third one does not. A snapshot is of the moment at which it begins.
    expect(answers.map(({ status }) => status)).toEqual(onPostgres ? [201] : [201, 201, 503]);
    expect(nodes).toHaveLength(onPostgres ? 1 : 3);
    if (!onPostgres) expect(answers.at(-1)?.headers).toHaveProperty('retry-after');
    expect(snapshot).toHaveBeenCalledTimes(onPostgres ? 1 : 0);
    await writes(alice, 'after');
  });

  it('edits of rules are not refused during an export, which gives up rather than keep others waiting (rule 11.9e)', async () => {
    if (onPostgres) return;
    const [alice, bob] = [await world.user(), await world.user()];
    await writes(alice, 'before');
    const { id } = (await alice.post('/exposure-profiles', { name: 'rules' })).body;
    const edits: number[] = [];
    during(isManifest, async () => {
      const rules = { description: `edit ${edits.length}` };
      edits.push((await alice.put(`/exposure-profiles/${id}`, rules)).status);
      await writes(bob, 'in between');
    });
    const { status, body, headers } = await alice.get('/export');
    expect([status, body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(headers).toHaveProperty('retry-after');
    expect(edits).toEqual([200, 200, 200, 200, 200]);
    await writes(alice, 'after');
  });
});
