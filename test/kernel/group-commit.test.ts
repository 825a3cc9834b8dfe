import { jest } from '@jest/globals';
import { newId } from '../../src/kernel/ids.js';
import { type Database } from '../../src/kernel/database/database.js';
import { migrate } from '../../src/kernel/database/migrations.js';
import { isUniqueViolation } from '../../src/kernel/database/violations.js';
import { freshDatabase } from '../support/database.js';
import { SharedRows } from './shared-rows.js';

describe('group commit', () => {
  let rows: SharedRows;
  let database: Database;
  let drop: () => Promise<void>;
  let sent: string[];
  let alone: Database['writeAlone'];

  beforeAll(async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    rows = await SharedRows.on(fresh.url);
    database = rows.database;
    await migrate(database);
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

  const shared = () => sent.filter((name) => name.startsWith('changes:shared')).length;

  it('units of work that are one new row and its change share statements, numbered as if each had come after the other', async () => {
    const ids = await rows.owners(5);
    const made = Array.from({ length: 200 }, (_, index) => ({
      owner: ids[index % 5] as string,
      id: newId(),
    }));
    await Promise.all(made.map(({ owner, id }) => rows.write(owner, id)));
    for (const owner of ids) {
      const logged = await rows.log(owner);
      const own = made.filter((one) => one.owner === owner).map(({ id }) => id);
      expect(logged.map(({ id }) => id)).toEqual(own);
      expect(logged.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1));
      expect(logged.every(({ made: count }) => count === 1)).toBe(true);
      const times = logged.map(({ at }) => at.getTime());
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
    expect(sent.length).toBeLessThan(20);
    expect(shared()).toBe(sent.length);
  });

  it('units of work that are one new row and its change do not fail with another one that the database refuses', async () => {
    const ids = await rows.owners(4);
    const taken = ids[0] as string;
    const all = ids.flatMap((owner) => [rows.write(owner), rows.write(owner)]);
    const wrong = rows.write(taken, taken);
    const outcomes = await Promise.allSettled([...all, wrong]);
    expect(outcomes.map(({ status }) => status)).toEqual([...all.map(() => 'fulfilled'), 'rejected']);
    expect(isUniqueViolation((outcomes.at(-1) as PromiseRejectedResult).reason)).toBe(true);
    for (const owner of ids) expect((await rows.log(owner)).map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(sent).toHaveLength(1 + 9);
  });

  it('units of work that are one new row and its change fail together when nobody knows how their statement ended, and are not written again', async () => {
    const [owner] = await rows.owners(1);
    jest.spyOn(database, 'writeAlone').mockImplementation(async (statement) => {
      sent.push(statement.name as string);
      await alone(statement);
      throw new Error('Connection terminated unexpectedly');
    });
    const outcomes = await Promise.allSettled([rows.write(owner as string), rows.write(owner as string)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(sent).toHaveLength(1);
    expect(await rows.log(owner as string)).toHaveLength(2);
  });

  it('units of work that are one new row and its change go alone when the row is long', async () => {
    const [owner] = await rows.owners(1);
    await rows.write(owner as string, newId(), { text: 'x'.repeat(20_000) });
    expect([sent.length, shared()]).toEqual([1, 0]);
    expect(await rows.log(owner as string)).toHaveLength(1);
  });

  it('units of work that are one new row and its change go on while one statement hangs, but those of its owners keep their order', async () => {
    const [slow, quick] = (await rows.owners(2)) as [string, string];
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    jest.spyOn(database, 'writeAlone').mockImplementationOnce(async (statement) => {
      await held;
      return alone(statement);
    });
    const order: string[] = [];
    const first = rows.write(slow).then(() => order.push('first'));
    await new Promise(process.nextTick);
    const second = rows.write(slow).then(() => order.push('second'));
    await rows.write(quick);
    expect(order).toEqual([]);
    go();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});
