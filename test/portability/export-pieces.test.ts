import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { YieldingReads } from '../../src/kernel/database/yielding-reads.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { ArchiveRowsQueries } from '../../src/portability/infrastructure/archive-rows.queries.js';
import { onPostgres } from '../support/database.js';
import { type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { exported, rowsOf } from './archives.js';

/** More than are remembered at a time. */
const MANY = 5_001;
const HALF_A_MIB = 512 * 1024;

describe('memory', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => jest.restoreAllMocks());

  it('an export of many and large rows has each row of a long table once, in its order', async () => {
    const alice = await world.user();
    const { id } = (await alice.get('/auth/me')).body;
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(() =>
      database.write(
        sql`INSERT INTO tags (owner_id, id, name, name_key, version, created_at, updated_at)
          SELECT ${id}::uuid, gen_random_uuid(), 'tag ' || n, 'tag ' || n, 1, now(), now() FROM generate_series(1, ${MANY}::int) AS n`,
      ),
    );
    const ids = rowsOf(await exported(alice), 'data/tags.ndjson').map((row) => row.id as string);
    expect(ids).toHaveLength(MANY);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it('an export of many and large rows holds half a MiB and one row at a time at most, however large the rows are (rule 11.9e)', async () => {
    const alice = await world.user();
    const value = 'ä'.repeat(90_000);
    for (let batch = 0; batch < 2; batch++) {
      const nodes = Array.from({ length: 20 }, (_, n) => ({
        title: `large ${batch} ${n}`,
        value,
        node_type: 'NOTE',
        tags: ['large'],
      }));
      expect((await alice.post('/nodes/batch', { nodes })).status).toBeLessThan(300);
    }
    const pieces: number[] = [];
    const { lines } = ArchiveRowsQueries.prototype;
    jest.spyOn(ArchiveRowsQueries.prototype, 'lines').mockImplementation(async function* (
      this: ArchiveRowsQueries,
      ...given
    ) {
      for await (const piece of lines.apply(this, given)) {
        pieces.push(piece.reduce((sum, line) => sum + Buffer.byteLength(line), 0));
        yield piece;
      }
    });
    expect(rowsOf(await exported(alice), 'data/nodes.ndjson')).toHaveLength(40);
    expect(Math.max(...pieces)).toBeLessThan(HALF_A_MIB + 200_000);
  });

  it('an export of many and large rows asks for less when a piece gives way, and goes on with single rows if need be (rule 11.9e)', async () => {
    if (onPostgres) return;
    const alice = await world.user();
    const nodes = Array.from({ length: 20 }, (_, n) => ({ title: `n ${n}`, node_type: 'NOTE', tags: ['t'] }));
    expect((await alice.post('/nodes/batch', { nodes })).status).toBeLessThan(300);
    const before = await exported(alice);
    const snapshot = jest.spyOn(Database.prototype, 'snapshot');
    const { readPiece } = YieldingReads.prototype;
    let gaveWay = 0;
    jest.spyOn(YieldingReads.prototype, 'readPiece').mockImplementation(function (
      this: YieldingReads,
      caller,
      statement,
      isSmallest,
    ) {
      if (isSmallest) return readPiece.call(this, caller, statement, isSmallest);
      gaveWay++;
      return Promise.resolve({ rows: null, tookMs: 150 });
    });
    const after = await exported(alice);
    for (const table of ['data/nodes.ndjson', 'data/changes.ndjson'])
      expect(after.get(table)).toEqual(before.get(table));
    expect(gaveWay).toBeGreaterThan(0);
    expect(snapshot).not.toHaveBeenCalled();
  });
});
