import { Config } from '../../src/config/config.js';
import { type Change } from '../../src/kernel/change-log/change.js';
import { ChangeLog } from '../../src/kernel/change-log/change-log.js';
import { ChangeFollowers } from '../../src/kernel/change-log/change-followers.js';
import { CommittedChanges } from '../../src/kernel/change-log/committed-changes.js';
import { BatchedChangeSink } from '../../src/kernel/write-batching/batched-change-sink.js';
import { OwnerCounters } from '../../src/kernel/change-log/owner-counters.js';
import { Clock } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/database/database.js';
import { migrate } from '../../src/kernel/database/migrations.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { freshDatabase } from '../support/database.js';

describe('the change log', () => {
  let database: Database;
  let units: UnitOfWork;
  let drop: () => Promise<void>;
  const log = new ChangeLog();

  beforeAll(async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    database = await Database.open(new Config({ DATABASE_URL: fresh.url }), []);
    await migrate(database);
    const sink = new BatchedChangeSink(new Clock(), new ChangeFollowers(), new Config({}));
    units = new UnitOfWork(database, sink, new CommittedChanges());
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  const change = (ownerId: string, over: Partial<Change> = {}): Change => ({
    ownerId,
    entity: 'node',
    entityId: newId(),
    action: 'created',
    version: 1,
    snapshot: { title: 'a' },
    facts: { tagIds: [newId()], schemaId: null, nodeType: 'NOTE', createdAt: new Date() },
    ...over,
  });
  const sequencesOf = async (owner: string): Promise<number[]> => {
    const rows = await database.read<{ sequence: number }>(
      sql`SELECT sequence FROM changes WHERE owner_id = ${owner} ORDER BY sequence`,
    );
    return rows.map(({ sequence }) => sequence);
  };

  it('writes nothing of a unit of work that fails, and its number is given to the next', async () => {
    const owner = newId();
    const failing = units.run(async () => {
      log.append(change(owner));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await units.run(async () => log.append(change(owner)));
    expect(await sequencesOf(owner)).toEqual([1]);
  });

  it('joins nested units into one transaction', async () => {
    const owner = newId();
    const failing = units.run(async () => {
      await units.run(async () => log.append(change(owner)));
      throw new Error('outer');
    });
    await expect(failing).rejects.toThrow('outer');
    expect(await sequencesOf(owner)).toEqual([]);
  });

  it('refuses a change and a write outside a unit of work', async () => {
    expect(() => log.append(change(newId()))).toThrow('unit of work');
    await expect(database.write(sql`DELETE FROM changes`)).rejects.toThrow('unit of work');
  });

  it('shows counters as they stand after the commit to everybody who asks afterwards', async () => {
    const counters = new OwnerCounters(database);
    const [owner, other] = [newId(), newId()];
    await units.run(async () => {
      log.append(change(owner));
      log.bumpPolicyVersion(owner);
    });
    const asked = await Promise.all([counters.current([owner]), counters.current([owner, other])]);
    for (const stamps of asked) expect(stamps.get(owner)).toEqual({ changes: 1, policy: 1 });
    expect(asked[1]?.has(other)).toBe(false);
    await units.run(async () => log.bumpPolicyVersion(owner));
    expect((await counters.current([owner])).get(owner)).toEqual({ changes: 1, policy: 2 });
  });

  it('runs what waits for the commit only after it, and never after a failure', async () => {
    const seen: string[] = [];
    await units.run(async () => {
      units.afterCommit(() => seen.push('first'));
      seen.push('work');
    });
    await units
      .run(async () => {
        units.afterCommit(() => seen.push('never'));
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(seen).toEqual(['work', 'first']);
  });
});
