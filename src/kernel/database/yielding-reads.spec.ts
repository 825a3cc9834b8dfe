import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { openEmbedded, type EmbeddedDatabase } from '../../libs/embedded-postgres/embedded.js';
import { YieldingReads } from './yielding-reads.js';
import { UsedTime } from './used-time.js';

/** Runs longer than any test. */
const ENDLESS = { text: 'SELECT count(*) FROM generate_series(1, 1000000000000)' };
/** Endless until the table `work` shortens it. */
const LONG = { text: 'SELECT count(*)::int AS count FROM generate_series(1, (SELECT rows FROM work))' };
const SHORTEN = { text: 'UPDATE work SET rows = 5' };
const LENGTHEN = { text: 'UPDATE work SET rows = 1000000000000' };
/** Longer than a slice, and not endless. */
const LONGISH = { text: 'SELECT count(*)::int AS count FROM generate_series(1, 4000000)' };
const SHORT = { text: 'SELECT 1 AS one' };

describe('reads of requests on the embedded database', () => {
  let database: EmbeddedDatabase;
  let pool: pg.Pool;
  /** Cancellations by the reads themselves, not by the limit of every statement. */
  let cancelled = 0;
  const reads = (limitMs: number, used = new UsedTime()): YieldingReads => {
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
    return new YieldingReads(pool, statement, limitMs, used);
  };
  /** Keeps callers waiting for the connection while the work runs. */
  const beside = async <T>(others: () => Promise<unknown>, work: () => Promise<T>): Promise<T> => {
    let isOver = false;
    const busy = [1, 2].map(async () => {
      while (!isOver) await others();
    });
    try {
      return await work();
    } finally {
      isOver = true;
      await Promise.all(busy);
    }
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
    const long = reads(60_000).read('alice', LONG);
    await pool.query(SHORTEN);
    expect(await long).toEqual([{ count: 5 }]);
    expect(cancelled).toBeGreaterThan(0);
  });

  it('a long read after a piece that ran to its end gives way as soon as any other (rule 11.9e)', async () => {
    await pool.query(LENGTHEN);
    const ofAll = reads(600_000);
    await ofAll.readPiece('alice', LONGISH, true);
    const long = ofAll.read('bob', LONG);
    await pool.query(SHORTEN);
    expect(await long).toEqual([{ count: 5 }]);
    expect(cancelled).toBeGreaterThan(0);
  });

  it('a read that has neither a quiet moment nor a slice that is long enough is refused as by a server', async () => {
    await beside(
      () => pool.query(SHORT),
      () => expect(reads(500).read('alice', ENDLESS)).rejects.toMatchObject({ code: '57014' }),
    );
    expect(cancelled).toBeGreaterThan(0);
  });

  describe('busy database', () => {
    beforeEach(() => {
      cancelled = 0;
      return pool.query(LENGTHEN);
    });
    /** Statements of other callers; they shorten the read from its second attempt on. */
    const shortening = () => pool.query(cancelled > 0 ? SHORTEN : SHORT);

    it('a read that gave way begins anew although others wait (rule 11.9e)', async () => {
      const read = await beside(shortening, () => reads(60_000).read('alice', LONG));
      expect(read).toEqual([{ count: 5 }]);
      expect(cancelled).toBeGreaterThan(0);
    });

    it('a read of somebody who has used much of it lately does not, and another person’s does (rule 11.9e)', async () => {
      const used = new UsedTime();
      used.add('alice', 60_000);
      await beside(shortening, () =>
        expect(reads(1_000, used).read('alice', LONG)).rejects.toMatchObject({ code: '57014' }),
      );
      expect(cancelled).toBeGreaterThan(0);
      await pool.query(LENGTHEN);
      const bobs = reads(60_000, used);
      expect(await beside(shortening, () => bobs.read('bob', LONG))).toEqual([{ count: 5 }]);
      expect(cancelled).toBeGreaterThan(0);
    });

    it('a piece that gives way is not begun anew, and the smallest one runs to its end (rule 11.9e)', async () => {
      await beside(
        () => pool.query(SHORT),
        async () => {
          const pieces = reads(60_000);
          expect(await pieces.readPiece('alice', ENDLESS, false)).toMatchObject({ rows: null });
          const before = cancelled;
          expect(before).toBeGreaterThan(0);
          expect((await pieces.readPiece('alice', LONGISH, true)).rows).toEqual([{ count: 4_000_000 }]);
          expect(cancelled).toBe(before);
        },
      );
    });
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
      // Sleeps for each row that is read: far longer, in total, than a read may delay other callers.
      await pool.query('UPDATE pace SET rows = 60000');
      maintained = database.checkpoint();
      // Its first two statements look for due tables.
      const isAnalyzing = `SELECT 1 FROM pg_stat_user_tables WHERE relname = 'slow'`;
      for (let i = 0; i < 3; i++) await pool.query(isAnalyzing);
    });
    afterEach(() => warn.mockRestore());

    it('a read that waits for it, with others behind it, does not end it', async () => {
      const long = reads(60_000).read('alice', SHORT);
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
