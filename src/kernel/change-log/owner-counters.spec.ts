import { jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { Config } from '../../config/config.js';
import { newId } from '../ids.js';
import { Database } from '../database/database.js';
import { migrate } from '../database/migrations.js';
import { OwnerCounters } from './owner-counters.js';

describe('OwnerCounters', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sequences-'));
  let database: Database;
  let sequences: OwnerCounters;
  let asked: { mock: { calls: unknown[] } };

  beforeAll(async () => {
    database = await Database.open(new Config({ DATA_DIR: directory }), []);
    await migrate(database);
  });
  beforeEach(() => {
    sequences = new OwnerCounters(database);
    asked = jest.spyOn(database, 'readCommitted');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await database.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const raise = (id: string) =>
    database.writeAlone({
      text: `INSERT INTO sequences AS s (id, policy) VALUES ($1, 1) ON CONFLICT (id) DO UPDATE SET policy = s.policy + 1`,
      values: [id],
    });
  const policy = async (id: string) => (await sequences.current([id])).get(id)?.policy;

  it('counters of an embedded database on disk are read once while nothing is committed, and anew after each commit', async () => {
    const id = newId();
    expect(await policy(id)).toBeUndefined();
    for (let count = 1; count <= 20; count++) {
      await raise(id);
      expect([await policy(id), await policy(id), await policy(id)]).toEqual([count, count, count]);
    }
    expect(asked.mock.calls).toHaveLength(21);
  });

  it('counters of an embedded database on disk are read anew while others write, and never as they were before a commit that was acknowledged', async () => {
    const ids = Array.from({ length: 4 }, newId);
    const floor = new Map(ids.map((id) => [id, 0]));
    const write = async (id: string) => {
      for (let count = 1; count <= 25; count++) {
        await raise(id);
        floor.set(id, count);
      }
    };
    const read = async (id: string) => {
      while ((floor.get(id) as number) < 25) {
        const least = floor.get(id) as number;
        expect((await policy(id)) ?? 0).toBeGreaterThanOrEqual(least);
        await new Promise(setImmediate);
      }
    };
    await Promise.all(ids.flatMap((id) => [write(id), read(id), read(id)]));
  });

  it('counters of an embedded database on disk are those that are committed while a transaction is open, which nobody waits for', async () => {
    const id = newId();
    await raise(id);
    expect(await policy(id)).toBe(1);
    const runner = database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    await client.query('BEGIN');
    await client.query('UPDATE sequences SET policy = 2 WHERE id = $1', [id]);
    expect(await policy(id)).toBe(1);
    await client.query('COMMIT');
    await runner.release();
    expect(await policy(id)).toBe(2);
  });

  it('counters of an embedded database on disk are asked of the database in memory each time', async () => {
    const inMemory = await Database.open(new Config({ DATABASE_URL: 'memory://' }), []);
    try {
      await inMemory.writeAlone({ text: 'CREATE TABLE sequences (id uuid, changes bigint, policy bigint)' });
      const spied = jest.spyOn(inMemory, 'readCommitted');
      const own = new OwnerCounters(inMemory);
      await own.current([newId()]);
      await own.current([newId()]);
      expect(spied).toHaveBeenCalledTimes(2);
    } finally {
      await inMemory.close();
    }
  });
});
