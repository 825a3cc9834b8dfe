import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openEmbedded, type EmbeddedDatabase } from './embedded.js';
import { GivingWay } from './giving-way.js';

/** Longer than any test. */
const ENDLESS = { text: 'SELECT count(*) FROM generate_series(1, 1000000000000)' };
/** Endless until somebody makes it short. */
const LONG = { text: 'SELECT count(*)::int AS count FROM generate_series(1, (SELECT rows FROM work))' };
const SHORTEN = { text: 'UPDATE work SET rows = 5' };
const SHORT = { text: 'SELECT 1 AS one' };

describe('reads of requests on the embedded database', () => {
  let database: EmbeddedDatabase;
  let pool: pg.Pool;
  /** By the reads themselves, not by the limit that holds for every statement. */
  let cancelled = 0;
  const reads = (limitMs: number): GivingWay => {
    cancelled = 0;
    const cancel = (): void => {
      cancelled++;
      database.cancel();
    };
    return new GivingWay(pool, cancel, limitMs);
  };
  beforeAll(async () => {
    database = await openEmbedded('memory://');
    pool = new pg.Pool(database.poolConfig);
    await pool.query('CREATE TABLE work AS SELECT 1000000000000 AS rows');
  });
  afterAll(async () => {
    await pool.end();
    await database.close();
  });

  it('a long read lets another statement pass and begins anew afterwards (rule 11.9e)', async () => {
    const long = reads(60_000).read(LONG);
    await pool.query(SHORTEN);
    expect(await long).toEqual([{ count: 5 }]);
    expect(cancelled).toBeGreaterThan(0);
  });

  it('a read that has no quiet moment within its time is refused as by a server', async () => {
    let isOver = false;
    const refused = expect(reads(500).read(ENDLESS)).rejects.toMatchObject({ code: '57014' });
    const others = async (): Promise<void> => {
      while (!isOver) await pool.query(SHORT);
    };
    const busy = [others(), others()];
    await refused;
    isOver = true;
    await Promise.all(busy);
    expect(cancelled).toBeGreaterThan(0);
  });
});
