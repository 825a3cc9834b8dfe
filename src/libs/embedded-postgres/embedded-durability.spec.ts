import { jest } from '@jest/globals';
import fs from 'node:fs';
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as threads from 'node:worker_threads';
import pg from 'pg';
import type { EmbeddedDatabase } from './embedded.js';

const root = fs.mkdtempSync(join(tmpdir(), 'embedded-'));
const WATCHED = join(root, 'synced');
/** The paths that the database has synced, in order. */
const synced = (): string[] => fs.readFileSync(WATCHED, 'utf8').trim().split('\n');
let diskIsFull = false;
jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  default: fs,
  statfsSync: (path: string) => (diskIsFull ? { bavail: 1000, bsize: 4096 } : fs.statfsSync(path)),
}));
/** The database's own thread, with a disk that is watched and fails on demand. */
class Watched extends threads.Worker {
  constructor(file: URL, options: threads.WorkerOptions) {
    const env = { ...process.env, WATCHED_DISK: WATCHED };
    super(file, {
      ...options,
      env,
      execArgv: ['--import', pathToFileURL('test/support/watched-disk.mjs').href],
    });
  }
}
jest.unstable_mockModule('node:worker_threads', () => ({ ...threads, default: threads, Worker: Watched }));
const { openEmbedded } = await import('./embedded.js');

let directory: string;
let database: EmbeddedDatabase;
let pool: pg.Pool;

async function start(): Promise<void> {
  database = await openEmbedded(directory);
  pool = new pg.Pool(database.poolConfig);
  pool.on('error', () => undefined);
}

async function stop(): Promise<void> {
  await pool.end();
  await database.close();
}

const rows = async () => (await pool.query('SELECT n FROM t ORDER BY n')).rows.map(({ n }) => n as number);
const isLog = (path: string) => path.includes('pg_wal');

beforeAll(() => {
  directory = join(root, 'database');
});
afterAll(() => rm(root, { recursive: true }));

describe('the first start', () => {
  it('clears away what a killed first start left, and syncs every file before the cluster is in its place', async () => {
    await mkdir(join(directory, 'postgres.new', 'base'), { recursive: true });
    await writeFile(join(directory, 'postgres.new', 'PG_VERSION'), '18');
    const handle = await open(root);
    const sync = jest.spyOn(Object.getPrototypeOf(handle) as { sync(): Promise<void> }, 'sync');
    await handle.close();
    await start();
    expect((await readdir(directory)).sort()).toEqual(['lock', 'postgres']);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const entries = await readdir(join(directory, 'postgres'), { recursive: true });
    expect(sync.mock.calls.length).toBeGreaterThan(entries.length - 20);
    expect(entries.length).toBeGreaterThan(900);
    sync.mockRestore();
    await pool.query('CREATE TABLE t (n int)');
  });
});

describe('durability', () => {
  it('a commit is synced before the caller hears of it, each of them', async () => {
    for (let n = 1; n <= 5; n++) {
      const before = synced().filter(isLog).length;
      await pool.query('INSERT INTO t VALUES ($1)', [n]);
      expect(synced().filter(isLog).length).toBeGreaterThan(before);
    }
    expect((await pool.query('SHOW fsync')).rows).toEqual([{ fsync: 'on' }]);
  });

  it('a commit syncs the directory of the log when the log gets a new file', async () => {
    if (process.platform !== 'linux') return;
    const before = synced().length;
    await pool.query('SELECT pg_switch_wal()');
    await pool.query('INSERT INTO t VALUES (6)');
    expect(synced().slice(before)).toContain(join(directory, 'postgres', 'pg_wal'));
  });

  it('a commit is still there after a restart in good order', async () => {
    await stop();
    await start();
    expect(await rows()).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('a full disk', () => {
  it('ends writing before there is no room for the log, not reading, and is noticed when it has room again', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const write = (n: number) => pool.query('INSERT INTO t VALUES ($1)', [n]);
    diskIsFull = true;
    const refused = () => expect(write(-1)).rejects.toMatchObject({ code: '25006' });
    await eventually(refused);
    expect(await rows()).not.toHaveLength(0);
    const client = await pool.connect();
    client.release(true);
    await refused();
    await database.checkpoint();
    diskIsFull = false;
    await eventually(() => write(100));
    expect(warn.mock.calls.map(([text]) => String(text).includes('takes writes'))).toEqual([false, true]);
    warn.mockRestore();
    await pool.query('DELETE FROM t WHERE n NOT BETWEEN 1 AND 10');
  });
});

describe('faults', () => {
  it('a database that has to stop fails the statement, recovers by itself and has lost nothing, when the disk fails', async () => {
    await writeFile(`${WATCHED}.fails`, '');
    await expect(pool.query('INSERT INTO t VALUES (-1)')).rejects.toMatchObject({
      severity: 'PANIC',
      code: '58030',
    });
    const asked = performance.now();
    for (let i = 0; i < 3; i++) await expect(rows()).rejects.toMatchObject({ code: '57P03' });
    // Far below the statement timeout.
    expect(performance.now() - asked).toBeLessThan(45_000);
    await rm(`${WATCHED}.fails`);
    const found = await eventually(rows);
    expect(found.filter((n) => n > 0)).toEqual([1, 2, 3, 4, 5, 6]);
    await pool.query('INSERT INTO t VALUES (7)');
  });

  it('a database that has to stop does the same when an expression is too deep for the stack', async () => {
    await eventually(rows);
    const depth = 100_000;
    const client = await pool.connect();
    // An idle client gets an event when its connection is lost, like every client that is checked out.
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await client.query('INSERT INTO t VALUES (-2)');
    // Maintenance that runs meanwhile must not end the process either.
    const maintained = database.checkpoint();
    const deep = client.query('SELECT $1::jsonb', ['['.repeat(depth) + ']'.repeat(depth)]);
    await expect(deep).rejects.toThrow('stopped and has to recover');
    await expect(client.query('COMMIT')).rejects.toThrow();
    await expect(maintained).rejects.toThrow();
    client.release();
    const found = await eventually(rows);
    expect(found.filter((n) => n > 0)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(found).not.toContain(-2);
    await pool.query('INSERT INTO t VALUES (8)');
    await stop();
    await start();
    expect(await rows()).toContain(8);
    await stop();
  });
});

/** Retries for longer than the pause between two starts of a broken database, which is two seconds. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const patience = performance.now() + 10_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > patience) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
