import { jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedDatabase, openEmbedded } from './embedded.js';

describe('openEmbedded', () => {
  let database: EmbeddedDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await openEmbedded('memory://');
    pool = new pg.Pool(database.poolConfig);
    await pool.query(`CREATE EXTENSION vector;
      CREATE TABLE people (id int PRIMARY KEY, name text NOT NULL CONSTRAINT people_name UNIQUE, boss int REFERENCES people);
      CREATE TABLE counters (n int NOT NULL)`);
  });
  afterAll(async () => {
    await pool.end();
    await database.close();
  });
  beforeEach(() => pool.query('TRUNCATE people, counters'));

  const count = async () => (await pool.query('SELECT count(*)::int AS n FROM people')).rows[0].n as number;

  it('a named statement is prepared once', async () => {
    const text = 'INSERT INTO people VALUES ($1, $2) RETURNING id';
    for (let id = 1; id <= 3; id++) {
      const { rows, rowCount, command } = await pool.query({ name: 'add', text, values: [id, `p${id}`] });
      expect([rows, rowCount, command]).toEqual([[{ id }], 1, 'INSERT']);
    }
    const { rows } = await pool.query(
      `SELECT generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name = 'add'`,
    );
    expect(rows).toEqual([{ runs: '3' }]);
  });

  it('a named statement can be used after it has failed', async () => {
    const insert = { name: 'insert', text: 'INSERT INTO people VALUES ($1, $2)' };
    await pool.query({ ...insert, values: [1, 'a'] });
    await expect(pool.query({ ...insert, values: [1, 'b'] })).rejects.toMatchObject({ code: '23505' });
    await pool.query({ ...insert, values: [2, 'b'] });
    const broken = { name: 'broken', text: 'SELECT nothing FROM people WHERE id = $1', values: [1] };
    for (let i = 0; i < 2; i++) await expect(pool.query(broken)).rejects.toMatchObject({ code: '42703' });
    expect(await count()).toBe(2);
  });

  it('a text of several statements runs as one transaction and returns their results', async () => {
    const results = await pool.query(
      `INSERT INTO people VALUES (1, 'a'); SELECT 1 AS one; UPDATE people SET name = 'b'`,
    );
    expect(
      (results as unknown as pg.QueryResult[]).map(({ command, rowCount }) => [command, rowCount]),
    ).toEqual([
      ['INSERT', 1],
      ['SELECT', 1],
      ['UPDATE', 1],
    ]);
    await expect(pool.query(`INSERT INTO people VALUES (2, 'c'); SELECT 1 / 0`)).rejects.toMatchObject({
      code: '22012',
    });
    expect(await count()).toBe(1);
  });

  it('errors have code, constraint, table, column and detail', async () => {
    const failure = (text: string, ...values: unknown[]) => expect(pool.query(text, values)).rejects;
    await pool.query(`INSERT INTO people VALUES (1, 'a')`);
    await failure('INSERT INTO people VALUES ($1, $2)', 2, 'a').toMatchObject({
      code: '23505',
      constraint: 'people_name',
      table: 'people',
      schema: 'public',
      severity: 'ERROR',
      detail: 'Key (name)=(a) already exists.',
    });
    await failure('INSERT INTO people VALUES (3, $1, 7)', 'c').toMatchObject({
      code: '23503',
      constraint: 'people_boss_fkey',
    });
    await failure('INSERT INTO people VALUES (3, $1)', null).toMatchObject({ code: '23502', column: 'name' });
    await failure('SELECT $1::uuid', 'x').toMatchObject({ code: '22P02' });
    await failure('SELEC').toMatchObject({ code: '42601', position: '1' });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await expect(pool.query('SELECT $1::jsonb', [circular])).rejects.toThrow('circular');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('transactions are isolated from each other, and roll back', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO people VALUES (1, 'a')`);
    const outside = count();
    await client.query('SAVEPOINT before');
    await expect(client.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK TO before');
    await client.query('ROLLBACK');
    client.release();
    expect(await outside).toBe(0);
  });

  it('concurrent transactions lose no update of a counter', async () => {
    await pool.query('INSERT INTO counters VALUES (0)');
    const raise = async (): Promise<void> => {
      const client = await pool.connect();
      await client.query('BEGIN');
      const { n } = (await client.query('SELECT n FROM counters FOR UPDATE')).rows[0];
      await client.query({ name: 'raise', text: 'UPDATE counters SET n = $1', values: [n + 1] });
      await client.query(n % 5 === 0 ? 'COMMIT' : 'COMMIT AND CHAIN; ROLLBACK');
      client.release();
    };
    await Promise.all(Array.from({ length: 50 }, raise));
    expect((await pool.query('SELECT n FROM counters')).rows).toEqual([{ n: 50 }]);
  });

  it('a client that is thrown away leaves a clean session to the next one', async () => {
    const client = await pool.connect();
    await client.query(
      `SET search_path = pg_catalog; PREPARE left_over AS SELECT 1; CREATE TEMP TABLE scratch (n int)`,
    );
    await client.query(`BEGIN; INSERT INTO public.people VALUES (1, 'a')`);
    client.release(true);
    expect(await count()).toBe(0);
    const { rows } =
      await pool.query(`SELECT current_setting('search_path') AS path, to_regclass('scratch') AS scratch,
      (SELECT count(*)::int FROM pg_prepared_statements WHERE name = 'left_over') AS statements`);
    expect(rows).toEqual([{ path: 'public', scratch: null, statements: 0 }]);
  });

  it('a query that waits for the connection its own caller holds times out', async () => {
    const impatient = { ...database.poolConfig, connectionTimeoutMillis: 50 };
    await pool.end();
    pool = new pg.Pool(impatient);
    const client = await pool.connect();
    await expect(pool.query('SELECT 1')).rejects.toThrow('timeout exceeded when trying to connect');
    client.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('a second connection to the embedded database is refused', async () => {
    const second = new pg.Pool(database.poolConfig);
    await count();
    await expect(second.query('SELECT 1')).rejects.toThrow('one connection, and it is taken');
    await second.end();
    expect(await count()).toBe(0);
  });

  it('notifications are delivered to their listeners', async () => {
    const client = await pool.connect();
    const heard: unknown[] = [];
    client.on('notification', ({ channel, payload }) => heard.push([channel, payload]));
    await client.query('LISTEN news');
    await client.query('BEGIN');
    await client.query(`SELECT pg_notify('news', 'hello')`);
    expect(heard).toEqual([]);
    await client.query('COMMIT');
    expect(heard).toEqual([['news', 'hello']]);
    client.release(true);
  });

  it('the event loop does other work during a chain of statements', async () => {
    let others = 0;
    const other = setInterval(() => others++, 1);
    for (let i = 0; i < 500; i++) await pool.query('SELECT $1::int', [i]);
    clearInterval(other);
    expect(others).toBeGreaterThan(2);
  });

  it('a running statement leaves the event loop free, and can be cancelled (rule 11.9e)', async () => {
    const endless = pool.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
    const refused = expect(endless).rejects.toMatchObject({ code: '57014' });
    setTimeout(() => database.cancel());
    await refused;
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('a cancelled statement leaves its transaction to be rolled back', async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query(`INSERT INTO people VALUES (1, 'a')`);
    const endless = client.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
    setTimeout(() => database.cancel());
    await expect(endless).rejects.toMatchObject({ code: '57014' });
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK');
    client.release();
    expect(await count()).toBe(0);
  });

  it('vectors can be stored and searched by distance', async () => {
    await pool.query(`CREATE TABLE points (id int, at vector(3)); CREATE INDEX ON points USING hnsw (at vector_cosine_ops);
      INSERT INTO points SELECT n, ARRAY[n, 10 - n, 1]::vector FROM generate_series(1, 9) n`);
    const { rows } = await pool.query('SELECT id FROM points ORDER BY at <=> $1 LIMIT 2', ['[8,2,1]']);
    expect(rows).toEqual([{ id: 8 }, { id: 9 }]);
  });

  it('tables that changed are maintained between transactions', async () => {
    const state = `SELECT relname, n_dead_tup::int AS dead, last_vacuum IS NOT NULL AS vacuumed, last_analyze IS NOT NULL AS analyzed
      FROM pg_stat_user_tables WHERE relname IN ('people', 'counters', 'quiet', 'filled') ORDER BY relname`;
    await pool.query(
      `CREATE TABLE quiet (n int); CREATE TABLE filled (n int); INSERT INTO filled SELECT generate_series(1, 1100);
       INSERT INTO people SELECT n, n FROM generate_series(1, 1000) n`,
    );
    await pool.query(
      `UPDATE people SET name = 'x' || name; INSERT INTO counters SELECT generate_series(1, 100)`,
    );
    const client = await pool.connect();
    await client.query('BEGIN');
    let done = false;
    const maintained = database.checkpoint().then(() => (done = true));
    for (let i = 0; i < 20; i++) await client.query('SELECT 1');
    expect(done).toBe(false);
    await client.query('COMMIT');
    client.release();
    await maintained;
    expect((await pool.query(state)).rows).toEqual([
      { relname: 'counters', dead: 0, vacuumed: false, analyzed: true },
      { relname: 'filled', dead: 0, vacuumed: true, analyzed: true },
      { relname: 'people', dead: 0, vacuumed: true, analyzed: true },
      { relname: 'quiet', dead: 0, vacuumed: false, analyzed: false },
    ]);
  });
});

describe('time limits', () => {
  it('the time of a statement is limited outside of transactions only (rule 11.9d)', async () => {
    const own = await openEmbedded('memory://', 100);
    const client = new pg.Client(own.poolConfig);
    try {
      await client.connect();
      const endless = client.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
      await expect(endless).rejects.toMatchObject({ code: '57014' });
      await client.query('BEGIN');
      // Longer than the limit of a statement outside of a transaction.
      await client.query('SELECT count(*) FROM generate_series(1, 3000000)');
      await client.query('COMMIT');
    } finally {
      await client.end();
      await own.close();
    }
  });
});

describe('maintenance', () => {
  const LOG_SINCE_CHECKPOINT =
    'SELECT (pg_current_wal_insert_lsn() - redo_lsn)::int AS bytes FROM pg_control_checkpoint()';

  it('leaves no log behind, whatever a table says, and tells of one that refuses', async () => {
    const own = await openEmbedded('memory://');
    const client = new pg.Pool(own.poolConfig);
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    try {
      await client.query(`CREATE TABLE moods (mood text);
        CREATE FUNCTION picky(n int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS
          $$ BEGIN IF EXISTS (SELECT FROM public.moods) THEN RAISE 'not today'; END IF; RETURN n; END $$;
        CREATE TABLE a_moody (n int); CREATE INDEX ON a_moody (picky(n));
        CREATE TABLE patient (n int, words text);
        INSERT INTO a_moody SELECT generate_series(1, 100);
        INSERT INTO patient SELECT n, repeat('x', 100) FROM generate_series(1, 20000) n;
        INSERT INTO moods VALUES ('bad')`);
      await own.checkpoint();
      expect(warn.mock.calls).toEqual([[expect.stringContaining('not today')]]);
      const analyzed = `SELECT FROM pg_stat_user_tables WHERE relname = 'patient' AND last_analyze IS NOT NULL`;
      expect((await client.query(analyzed)).rowCount).toBe(1);
      const { rows } = await client.query(LOG_SINCE_CHECKPOINT);
      expect(rows[0].bytes).toBeLessThan(10_000);
    } finally {
      warn.mockRestore();
      await client.end();
      await own.close();
    }
  });
});

describe('a template', () => {
  it('gives independent databases, quickly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'template-'));
    const original = await openEmbedded('memory://');
    const run = async (database: EmbeddedDatabase, text: string) => {
      const pool = new pg.Pool(database.poolConfig);
      const { rows } = await pool.query(text);
      await pool.end();
      return rows as unknown[];
    };
    await run(original, `CREATE EXTENSION vector; CREATE TABLE t AS SELECT 'from the template' AS origin`);
    await writeFile(join(folder, 'template'), await original.snapshot());
    const copies = [1, 2].map(() => openEmbedded(`memory://${folder}/template`));
    const [first, second] = (await Promise.all(copies)) as [EmbeddedDatabase, EmbeddedDatabase];
    await run(first, `UPDATE t SET origin = 'first'`);
    await run(original, `DROP TABLE t`);
    expect(await run(second, 'SELECT origin FROM t')).toEqual([{ origin: 'from the template' }]);
    expect(await run(first, 'SELECT origin FROM t')).toEqual([{ origin: 'first' }]);
    await Promise.all([original, first, second].map((database) => database.close()));
    await rm(folder, { recursive: true });
  });
});
