import { jest } from '@jest/globals';
import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { ChangeFollowers } from '../../src/kernel/changes/change-followers.js';
import { ChangeLog } from '../../src/kernel/changes/change-log.js';
import { ChangeWriter } from '../../src/kernel/changes/change-writer.js';
import { CommittedChanges } from '../../src/kernel/changes/committed-changes.js';
import { Clock } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/persistence/database.js';
import { migrate } from '../../src/kernel/persistence/migrations.js';
import { sql } from '../../src/kernel/persistence/sql.js';
import { UnitOfWork } from '../../src/kernel/persistence/unit-of-work.js';
import { isUniqueViolation } from '../../src/kernel/persistence/violations.js';
import { freshDatabase } from '../support/database.js';

const INSERT = `INSERT INTO sequences (id) SELECT id FROM jsonb_to_recordset($rows) AS r (owner_id uuid, id uuid)
  WHERE owner_id IN (SELECT owner_id FROM counted)`;

describe('units of work that are one new row and its change', () => {
  const changes = new ChangeLog();
  let url: string;
  let database: Database;
  let units: UnitOfWork;
  let drop: () => Promise<void>;
  let sent: string[];
  let alone: Database['writeAlone'];

  beforeAll(async () => {
    const fresh = await freshDatabase();
    ({ url, drop } = fresh);
    database = await Database.open(new Config({ DATABASE_URL: url }), []);
    await migrate(database);
    const writer = new ChangeWriter(new Clock(), new ChangeFollowers());
    units = new UnitOfWork(database, writer, new CommittedChanges());
  });
  beforeEach(() => {
    sent = [];
    alone = database.writeAlone.bind(database);
    jest.spyOn(database, 'writeAlone').mockImplementation((statement) => {
      sent.push(statement.name as string);
      return alone(statement);
    });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await database.close();
    await drop();
  });

  const owners = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, newId);
    await units.run(() => database.write(sql`INSERT INTO sequences (id) SELECT unnest(${ids}::uuid[])`));
    return ids;
  };
  const write = (ownerId: string, id = newId(), more: object = {}, at = { database, units }): Promise<void> =>
    at.units.run(async () => {
      at.database.writeLater({
        name: 'later',
        statement: sql`INSERT INTO sequences (id) VALUES (${id})`,
        shared: { text: INSERT, row: { owner_id: ownerId, id, ...more } },
      });
      changes.append({
        ownerId,
        entity: 'later',
        entityId: id,
        action: 'created',
        version: 1,
        snapshot: null,
      });
    });
  const log = (ownerId: string) =>
    database.read<{ id: string; sequence: number; at: Date; made: number }>(
      sql`SELECT entity_id AS id, sequence, changed_at AS at,
          (SELECT count(*)::int FROM sequences s WHERE s.id = entity_id) AS made
        FROM changes WHERE owner_id = ${ownerId} ORDER BY sequence`,
    );
  const shared = () => sent.filter((name) => name.startsWith('changes:shared')).length;

  it('share statements, numbered as if each had come after the other', async () => {
    const ids = await owners(5);
    const made = Array.from({ length: 200 }, (_, index) => ({
      owner: ids[index % 5] as string,
      id: newId(),
    }));
    await Promise.all(made.map(({ owner, id }) => write(owner, id)));
    for (const owner of ids) {
      const rows = await log(owner);
      const own = made.filter((one) => one.owner === owner).map(({ id }) => id);
      expect(rows.map(({ id }) => id)).toEqual(own);
      expect(rows.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1));
      expect(rows.every(({ made: count }) => count === 1)).toBe(true);
      const times = rows.map(({ at }) => at.getTime());
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    expect(sent.length).toBeLessThan(20);
    expect(shared()).toBe(sent.length);
  });

  it('do not fail with another one that the database refuses', async () => {
    const ids = await owners(4);
    const taken = ids[0] as string;
    const all = ids.flatMap((owner) => [write(owner), write(owner)]);
    const wrong = write(taken, taken);
    const outcomes = await Promise.allSettled([...all, wrong]);
    expect(outcomes.map(({ status }) => status)).toEqual([...all.map(() => 'fulfilled'), 'rejected']);
    expect(isUniqueViolation((outcomes.at(-1) as PromiseRejectedResult).reason)).toBe(true);
    for (const owner of ids) expect((await log(owner)).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(sent).toHaveLength(1 + 9);
  });

  it('fail together when nobody knows how their statement ended, and are not written again', async () => {
    const [owner] = await owners(1);
    jest.spyOn(database, 'writeAlone').mockImplementation(async (statement) => {
      sent.push(statement.name as string);
      await alone(statement);
      throw new Error('Connection terminated unexpectedly');
    });
    const outcomes = await Promise.allSettled([write(owner as string), write(owner as string)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sent).toHaveLength(1);
    expect(await log(owner as string)).toHaveLength(2);
  });

  it('go alone when the row is long', async () => {
    const [owner] = await owners(1);
    await write(owner as string, newId(), { text: 'x'.repeat(20_000) });
    expect([sent.length, shared()]).toEqual([1, 0]);
    expect(await log(owner as string)).toHaveLength(1);
  });

  it('go on while one statement hangs, but those of its owners keep their order', async () => {
    const [slow, quick] = (await owners(2)) as [string, string];
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    jest.spyOn(database, 'writeAlone').mockImplementationOnce(async (statement) => {
      await held;
      return alone(statement);
    });
    const order: string[] = [];
    const first = write(slow).then(() => order.push('first'));
    await new Promise(process.nextTick);
    const second = write(slow).then(() => order.push('second'));
    await write(quick);
    expect(order).toEqual([]);
    go();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });

  // The embedded database has one connection.
  (process.env.TEST_DATABASE_URL ? it : it.skip)(
    'wait for whoever holds the counter of their owner, and others do not',
    async () => {
      const [held, free] = (await owners(2)) as [string, string];
      const other = new pg.Client(url);
      await other.connect();
      try {
        await other.query('BEGIN');
        await other.query('UPDATE sequences SET changes = changes + 1 WHERE id = $1', [held]);
        let isWritten = false;
        const waiting = write(held).then(() => (isWritten = true));
        await write(free);
        expect([isWritten, (await log(free)).length]).toEqual([false, 1]);
        await other.query('COMMIT');
        await waiting;
        expect((await log(held)).map(({ sequence }) => sequence)).toEqual([2]);
      } finally {
        await other.end();
      }
    },
  );

  (process.env.TEST_DATABASE_URL ? it : it.skip)(
    'of several processes are numbered without gaps and without doubles',
    async () => {
      const ids = await owners(3);
      const other = await Database.open(new Config({ DATABASE_URL: url }), []);
      const writer = new ChangeWriter(new Clock(), new ChangeFollowers());
      const process = { database: other, units: new UnitOfWork(other, writer, new CommittedChanges()) };
      const there = (id: string) => write(id, newId(), {}, process);
      try {
        for (let round = 0; round < 20; round++)
          await Promise.all(ids.flatMap((id) => [write(id), there(id), write(id), there(id)]));
      } finally {
        await other.close();
      }
      for (const id of ids) {
        const rows = await log(id);
        expect(rows.map(({ sequence }) => sequence)).toEqual(
          Array.from({ length: 80 }, (_, index) => index + 1),
        );
        const times = rows.map(({ at }) => at.getTime());
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }
    },
  );
});
