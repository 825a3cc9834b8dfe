import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { requestContext } from '../../src/kernel/request-context.js';
import { World } from '../support/world.js';

const LIMIT = sql`SELECT current_setting('statement_timeout') AS "limit"`;

describe('read shares', () => {
  let world: World;
  let database: Database;
  beforeAll(async () => {
    world = await World.startHere();
    database = world.nest.get(Database);
  });
  afterAll(() => world.stop());

  const asked = <T>(userId: string, work: () => Promise<T>): Promise<T> =>
    requestContext.run(
      { requestId: 'asked', actor: { type: 'user', userId, appId: null }, changeReason: null },
      work,
    );

  it('a statement of a read ends after five seconds; writes, snapshots and work behind the answers have a minute', async () => {
    const limit = async () => (await database.read<{ limit: string }>(LIMIT))[0]?.limit;
    expect(await asked('alice', limit)).toBe('5s');
    expect(await asked('alice', () => world.nest.get(UnitOfWork).run(limit))).toBe('1min');
    expect(await asked('alice', () => database.snapshot(limit))).toBe('1min');
    const unlessLong = sql`SELECT pg_sleep(CASE current_setting('statement_timeout') WHEN '5s' THEN 60 ELSE 0 END)`;
    const isCut = expect(asked('alice', () => database.read(unlessLong))).rejects.toMatchObject({
      code: '57014',
    });
    expect(await database.read(unlessLong)).toHaveLength(1);
    await isCut;
    // A setting of one transaction ends with it.
    expect(await asked('alice', limit)).toBe('5s');
  });

  const count = sql`SELECT count(*) AS waiting FROM pg_locks WHERE locktype = 'advisory' AND objid = 25 AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const waiting = async () => (await database.read<{ waiting: number }>(count))[0]?.waiting ?? 0;
  const held = sql`SELECT pg_advisory_xact_lock_shared(25)`;
  /** Holds the lock for which `held` waits, until the returned function is called. */
  const locked = async (): Promise<() => Promise<void>> => {
    let open: () => void = () => undefined;
    const isOpened = new Promise<void>((resolve) => (open = resolve));
    let begin: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (begin = resolve));
    const holding = world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql`SELECT pg_advisory_xact_lock(25)`);
      begin();
      await isOpened;
    });
    await isLocked;
    return () => (open(), holding);
  };

  it('the reads of one person take at most half of the connections: others read while a hundred statements wait', async () => {
    // One of the person's places is only for requests that end access (rule 11.9d).
    const most = Math.floor(world.nest.get(Config).databasePool / 2) - 1;
    const unlock = await locked();
    const alices = Promise.allSettled(
      Array.from({ length: 100 }, () => asked('alice', () => database.read(held))),
    );
    let seen = 0;
    for (let i = 0; i < 500 && seen < most; i++) seen = await asked('bob', waiting);
    for (let i = 0; i < 20; i++) expect(await asked('bob', waiting)).toBe(most);
    await unlock();
    expect((await alices).filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('the reads of a few people leave two connections to people who have none', async () => {
    const bob = await world.user();
    // The lock has one more connection, which is no person's.
    const most = world.nest.get(Config).databasePool - 2;
    const unlock = await locked();
    const reads = ['alice', 'carol', 'dave', 'erin'].flatMap((name) =>
      Array.from({ length: 10 }, () => asked(name, () => database.read(held))),
    );
    // Some may be cut off after their five seconds.
    const ended = Promise.allSettled(reads);
    let seen = 0;
    for (let i = 0; i < 500 && seen < most; i++) seen = await asked('bob', waiting);
    expect(seen).toBe(most);
    for (let i = 0; i < 3; i++) {
      expect((await bob.get('/nodes')).status).toBe(200);
      expect(await asked('bob', waiting)).toBeLessThanOrEqual(most);
    }
    await unlock();
    await ended;
  });
});
