import { jest } from '@jest/globals';
import pg from 'pg';
import { until } from '../../../test/support/until.js';
import { send } from './cached-row-description.js';
import { type EmbeddedDatabase, openEmbedded } from '../../libs/embedded-postgres/embedded.js';

interface Connection {
  stream: object;
  describe(what: object): void;
}

describe('send', () => {
  let database: EmbeddedDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await openEmbedded('memory://');
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    pool = new pg.Pool(database.poolConfig);
    await pool.query('DROP TABLE IF EXISTS people');
    await pool.query('CREATE TABLE people (id int PRIMARY KEY, name text, born timestamptz, nicks text[])');
    await pool.query(
      `INSERT INTO people VALUES (1, 'a', '2020-01-01T00:00:00Z', '{x,y}'), (2, NULL, NULL, NULL)`,
    );
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await pool.end();
  });

  const all = { name: 'all', text: 'SELECT * FROM people WHERE id >= $1 ORDER BY id' };
  const PEOPLE = [
    { id: 1, name: 'a', born: new Date('2020-01-01T00:00:00Z'), nicks: ['x', 'y'] },
    { id: 2, name: null, born: null, nicks: null },
  ];
  /** A counter of the descriptions requested since. */
  async function asked(): Promise<() => number> {
    const client = (await pool.connect()) as pg.PoolClient & { connection: Connection };
    const spy = jest.spyOn(client.connection, 'describe');
    client.release();
    return () => spy.mock.calls.length;
  }

  it('a named statement is described once, and gives the same rows each time', async () => {
    const times = await asked();
    for (let i = 0; i < 3; i++) expect((await send(pool, { ...all, values: [0] })).rows).toEqual(PEOPLE);
    expect((await send(pool, { ...all, values: [9] })).rows).toEqual([]);
    const client = await pool.connect();
    expect(await send(client, { ...all, values: [2] })).toMatchObject({
      command: 'SELECT',
      rowCount: 1,
      rows: [PEOPLE[1]],
    });
    client.release();
    expect(times()).toBe(1);
  });

  it('a named statement is read in slices where its rows are long, and at once where they are not', async () => {
    const client = (await pool.connect()) as pg.PoolClient & { connection: Connection };
    const stream = { pause: jest.fn(), resume: jest.fn() };
    Object.assign(client.connection.stream, stream);
    await send(client, { ...all, values: [0] });
    expect(stream.pause).not.toHaveBeenCalled();
    const text = `SELECT jsonb_build_object('list', array_agg(m)) AS long, n FROM generate_series(1, 50) n,
      generate_series(1, 20000) m GROUP BY n ORDER BY n`;
    const { rows } = await send<{ n: number }>(client, { name: 'long', text });
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
    expect(stream.pause).toHaveBeenCalled();
    await until(() => stream.resume.mock.calls.length === stream.pause.mock.calls.length, 'resumed');
    client.release();
  });

  it('a named statement gives rows that have nothing in common', async () => {
    const [first] = (await send<{ nicks: string[] }>(pool, { ...all, values: [0] })).rows;
    first?.nicks.push('z');
    expect((await send(pool, { ...all, values: [0] })).rows).toEqual(PEOPLE);
  });

  it('a named statement is described for each connection by itself', async () => {
    await send(pool, { ...all, values: [0] });
    await pool.end();
    pool = new pg.Pool(database.poolConfig);
    const times = await asked();
    expect((await send(pool, { ...all, values: [0] })).rows).toEqual(PEOPLE);
    expect(times()).toBe(1);
  });

  it('a named statement is refused when its columns are others now, and never misread', async () => {
    await send(pool, { ...all, values: [0] });
    await pool.query('ALTER TABLE people DROP COLUMN name, ADD COLUMN age int');
    await expect(send(pool, { ...all, values: [0] })).rejects.toThrow('must not change result type');
  });

  it('a named statement is refused when its rows have another width, as behind a pooler, and described anew', async () => {
    const client = await pool.connect();
    const wider = async (): Promise<void> => {
      await client.query('DEALLOCATE "all"; ALTER TABLE people ADD COLUMN age int');
      await client.query(`PREPARE "all" (int) AS ${all.text}`);
    };
    await send(client, { ...all, values: [0] });
    await wider();
    await expect(send(client, { ...all, values: [0] })).rejects.toThrow('columns of all are others now');
    const [first] = (await send(client, { ...all, values: [0] })).rows;
    expect(first).toEqual({ ...PEOPLE[0], age: null });
    client.release();
  });

  it('a named statement goes on after it has failed, at the first time and later', async () => {
    const client = await pool.connect();
    const divide = { name: 'divide', text: 'SELECT 6 / $1::int AS part' };
    for (const [by, part] of [[0], [2, 3], [0], [3, 2]]) {
      const answer = send(client, { ...divide, values: [by] });
      if (by === 0) await expect(answer).rejects.toMatchObject({ code: '22012' });
      else expect((await answer).rows).toEqual([{ part }]);
    }
    client.release();
    const unreadable = {
      toPostgres: () => {
        throw new Error('no value');
      },
    };
    await expect(send(pool, { ...divide, values: [unreadable] })).rejects.toThrow('no value');
    expect((await send(pool, { ...divide, values: [1] })).rows).toEqual([{ part: 6 }]);
  });

  it('a named statement may return no rows', async () => {
    const add = { name: 'add', text: 'INSERT INTO people (id) VALUES ($1)' };
    for (const id of [3, 4])
      expect(await send(pool, { ...add, values: [id] })).toMatchObject({
        command: 'INSERT',
        rowCount: 1,
        rows: [],
      });
  });

  it('a named statement stands beside others, and keeps its text', async () => {
    const names = { name: 'names', text: 'SELECT name FROM people ORDER BY id' };
    const client = await pool.connect();
    for (let i = 0; i < 2; i++) {
      const answers = [
        send(client, { ...all, values: [1] }),
        send(client, names),
        send(client, { ...all, values: [2] }),
      ];
      const rows = (await Promise.all(answers)).map((answer) => answer.rows);
      expect(rows).toEqual([PEOPLE, [{ name: 'a' }, { name: null }], [PEOPLE[1]]]);
    }
    await expect(send(client, { ...names, text: 'SELECT 1' })).rejects.toThrow('must be unique');
    client.release();
  });

  it('a named statement is given up after its time-out', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const client = (await pool.connect()) as pg.PoolClient & { connection: { sync(): void } };
    // Without sync the server never reports that it is ready again.
    jest.spyOn(client.connection, 'sync').mockImplementation(() => undefined);
    const answer = send(client, { ...all, values: [0], query_timeout: 75_000 });
    const refused = expect(answer).rejects.toThrow('Query read timeout');
    await jest.advanceTimersByTimeAsync(75_000);
    await refused;
    jest.useRealTimers();
    client.release(true);
  });

  it('a named statement names who has asked in the trace of its error', async () => {
    async function whoAsks() {
      await send(pool, { name: 'wrong', text: 'SELECT nothing' });
    }
    const error = await whoAsks().catch((error: Error) => error);
    expect((error as Error).stack).toContain('whoAsks');
  });
});
