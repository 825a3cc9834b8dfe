import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
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
    const statement = {
      get runningMs() {
        return database.runningMs;
      },
      cancel: (): void => {
        cancelled++;
        database.cancel();
      },
    };
    return new GivingWay(pool, statement, limitMs);
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

  describe('beside maintenance that takes long', () => {
    let warn: jest.SpiedFunction<typeof process.emitWarning>;
    let maintained: Promise<void>;
    beforeAll(() =>
      pool.query(`CREATE TABLE pace (rows int); INSERT INTO pace VALUES (1);
        CREATE FUNCTION paced(n int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
          $$ BEGIN PERFORM count(*) FROM generate_series(1, (SELECT rows FROM public.pace)); RETURN n; END $$;
        CREATE TABLE slow (n int); CREATE INDEX ON slow (paced(n))`),
    );
    beforeEach(async () => {
      warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      await pool.query(`UPDATE pace SET rows = 1; INSERT INTO slow SELECT generate_series(1, 60)`);
      // Sleeps for each row that is looked at: far longer than a read may keep others waiting, all together.
      await pool.query('UPDATE pace SET rows = 60000');
      maintained = database.checkpoint();
      // Its first two statements look for what is to be done.
      const isAnalyzing = `SELECT 1 FROM pg_stat_user_tables WHERE relname = 'slow'`;
      for (let i = 0; i < 3; i++) await pool.query(isAnalyzing);
    });
    afterEach(() => warn.mockRestore());

    it('a read that waits for it, with others behind it, does not end it', async () => {
      const long = reads(60_000).read(SHORT);
      const behind = pool.query(SHORT);
      expect(await long).toEqual([{ one: 1 }]);
      await behind;
      await maintained;
      expect(warn).not.toHaveBeenCalled();
    });

    it('a statement that is cancelled while it waits for it ends as soon as it begins', async () => {
      const client = await pool.connect();
      const endless = client.query(ENDLESS);
      const refused = expect(endless).rejects.toMatchObject({ code: '57014' });
      setImmediate(() => database.cancel());
      await refused;
      client.release();
      await maintained;
      expect(warn).not.toHaveBeenCalled();
    });
  });
});
