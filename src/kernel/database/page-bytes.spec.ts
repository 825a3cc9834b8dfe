import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { openEmbedded, type EmbeddedDatabase } from '../../libs/embedded-postgres/embedded.js';
import { contentBytes, PART_BYTES, sizeOf, withinPageBytes } from './page-bytes.js';
import { type Sql, sql } from './sql.js';

const MIGRATION = new URL('../../../migrations/1764595000000-content-before.sql', import.meta.url);

describe('withinPageBytes', () => {
  let database: EmbeddedDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await openEmbedded('memory://');
    pool = new pg.Pool(database.poolConfig);
    await pool.query(await readFile(MIGRATION, 'utf8'));
    await pool.query('CREATE TABLE things (id int PRIMARY KEY, title text, doc jsonb)');
  });
  afterAll(async () => {
    await pool.end();
    await database.close();
  });

  /** Documents of 190,000 bytes as text, which the table stores compressed and out of line. */
  const large = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`k${n}`, (n * 7919) % 9999]));
  const fill = async (things: readonly object[]): Promise<void> => {
    await pool.query('TRUNCATE things');
    const rows = things.map((doc, id) => ({ id, title: 'title', doc }));
    await pool.query(
      'INSERT INTO things SELECT * FROM jsonb_to_recordset($1) AS r (id int, title text, doc jsonb)',
      [JSON.stringify(rows)],
    );
  };
  const page = (atLeast?: number): Sql =>
    withinPageBytes({
      from: sql`things AS t`,
      columns: sql`t.id`,
      order: sql`t.id`,
      bytes: contentBytes('t', { texts: ['title'], documents: ['doc'] }),
      names: sql`page.id`,
      ...(atLeast === undefined ? {} : { atLeast }),
    });
  const idsOf = async (statement: Sql): Promise<number[]> =>
    (await pool.query<{ id: number }>(statement.text, statement.values)).rows.map(({ id }) => id);
  const blocksReadBy = async (statement: Sql): Promise<number> => {
    const text = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${statement.text}`;
    const { rows } = await pool.query(text, statement.values);
    return rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'] as number;
  };

  it('rows within the bytes of a page end with the row that brings them to their bytes', async () => {
    const bytes = JSON.stringify(large).length;
    await fill(Array.from({ length: 6 }, () => large));
    const ids = await idsOf(page());
    expect(ids).toEqual(ids.map((_, place) => place));
    expect(ids.length).toBeLessThan(6);
    expect(ids.length * bytes * 1.5).toBeGreaterThan(PART_BYTES);
    expect((ids.length - 1) * bytes).toBeLessThan(PART_BYTES);
  });

  it('rows within the bytes of a page are all of them where they are small, and at least the first however large it is', async () => {
    await fill(Array.from({ length: 200 }, (_, n) => ({ n })));
    expect(await idsOf(page())).toHaveLength(200);
    await fill([{ text: 'x'.repeat(PART_BYTES + 1) }, {}, {}]);
    expect(await idsOf(page())).toEqual([0]);
    expect((await idsOf(page(2))).sort()).toEqual([0, 1]);
  });

  it('an object or array in an item counts 64 bytes, whatever its text is (rule 4.7b)', () => {
    expect(sizeOf([[], {}]) - sizeOf([])).toBe(2 * (64 + ','.length));
    expect(sizeOf({ a: {} }) - sizeOf({ a: 1 })).toBe(64 - sizeOf(1));
  });

  it('rows within the bytes of a page do not unpack the documents of the rows that have no room (rule 11.9e)', async () => {
    await fill(Array.from({ length: 5 }, () => large));
    const few = await blocksReadBy(page());
    await fill(Array.from({ length: 40 }, () => large));
    expect(await blocksReadBy(page())).toBeLessThan(2 * few);
  });
});
