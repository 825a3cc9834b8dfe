import { Config } from '../../src/config/config.js';
import { type Change, ChangeLog } from '../../src/kernel/changes/change-log.js';
import { ChangeFollowers } from '../../src/kernel/changes/change-followers.js';
import { CommittedChanges } from '../../src/kernel/changes/committed-changes.js';
import { ChangeWriter } from '../../src/kernel/changes/change-writer.js';
import { Sequences } from '../../src/kernel/changes/sequences.js';
import { Clock } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/persistence/database.js';
import { migrate } from '../../src/kernel/persistence/migrations.js';
import { sql } from '../../src/kernel/persistence/sql.js';
import { UnitOfWork } from '../../src/kernel/persistence/unit-of-work.js';
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
    const writer = new ChangeWriter(new Clock(), new ChangeFollowers(), new Config({}));
    units = new UnitOfWork(database, writer, new CommittedChanges());
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

  it('numbers the changes of an owner from 1 without gaps, one or many at a time', async () => {
    const owner = newId();
    await units.run(async () => log.append(change(owner)));
    await units.run(async () => [1, 2, 3].forEach(() => log.append(change(owner))));
    expect(await sequencesOf(owner)).toEqual([1, 2, 3, 4]);
  });

  it('keeps facts, snapshot and changed fields alike whether written alone or with others', async () => {
    const owner = newId();
    const given = change(owner, { changedFields: { title: { old: null, new: 'ä"\\' } }, reason: 'because' });
    await units.run(async () => log.append(given));
    await units.run(async () => {
      log.append(given);
      log.append(given);
    });
    const rows =
      await database.read(sql`SELECT entity_id, tag_ids, schema_id, node_type, node_created_at, snapshot,
      changed_fields, reason, changed_by_type FROM changes WHERE owner_id = ${owner} ORDER BY sequence`);
    expect(rows).toHaveLength(3);
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[2]).toEqual(rows[0]);
    expect(rows[0]).toMatchObject({
      tag_ids: given.facts?.tagIds,
      node_created_at: given.facts?.createdAt,
      snapshot: { title: 'a' },
      changed_fields: { title: { old: null, new: 'ä"\\' } },
      reason: 'because',
      changed_by_type: 'system',
    });
  });

  it('the change log never lets a change be older than the one numbered before it, whatever the clocks of its writers say', async () => {
    const owner = newId();
    const times = [5_000, 3_000, 9_000, 1_000].map((time) => new Date(time));
    for (const now of times) {
      const slow = new UnitOfWork(
        database,
        new ChangeWriter({ now: () => now }, new ChangeFollowers(), new Config({})),
        new CommittedChanges(),
      );
      await slow.run(async () => log.append(change(owner)));
    }
    const rows = await database.read<{ changed_at: Date }>(
      sql`SELECT changed_at FROM changes WHERE owner_id = ${owner} ORDER BY sequence`,
    );
    expect(rows.map(({ changed_at }) => changed_at.getTime())).toEqual([5_000, 5_000, 9_000, 9_000]);
  });

  describe('that others follow', () => {
    const followers = new ChangeFollowers();
    let followed: UnitOfWork;

    beforeAll(async () => {
      await units.run(() =>
        database.write(sql`CREATE TABLE IF NOT EXISTS titles (owner_id uuid, sequence bigint, title text)`),
      );
      const statement = `titled AS (INSERT INTO titles SELECT $1, counted.changes - $2 + r.position, r.title
        FROM counted, jsonb_to_recordset($said) AS r (position bigint, title text))`;
      followers.register({
        follow: (recorded) => {
          const said = recorded.flatMap(({ change: { snapshot, entity } }, index) =>
            entity === 'node' ? [{ position: index + 1, title: (snapshot as { title: string }).title }] : [],
          );
          return said.length === 0 ? null : { name: 'titles', statement, said };
        },
      });
      followed = new UnitOfWork(
        database,
        new ChangeWriter(new Clock(), followers, new Config({})),
        new CommittedChanges(),
      );
    });

    const titlesOf = async (owner: string) =>
      (
        await database.read<{ title: string }>(
          sql`SELECT t.sequence || ' ' || t.title AS title FROM titles AS t JOIN changes AS c ON c.owner_id = t.owner_id
          AND c.sequence = t.sequence AND c.snapshot ->> 'title' = t.title WHERE t.owner_id = ${owner} ORDER BY t.sequence`,
        )
      ).map(({ title }) => title);
    const titled = (owner: string, title: string) => change(owner, { snapshot: { title } });

    it('gives them the numbers of the changes, one or many, and says nothing of what does not concern them', async () => {
      const owner = newId();
      await followed.run(async () => log.append(titled(owner, 'a')));
      await followed.run(async () => log.append(change(owner, { entity: 'tag' })));
      await followed.run(async () => {
        log.append(titled(owner, 'b'));
        log.append(change(owner, { entity: 'tag' }));
        log.append(titled(owner, 'c'));
      });
      expect(await titlesOf(owner)).toEqual(['1 a', '3 b', '5 c']);
    });

    it('writes nothing of theirs for a unit that fails', async () => {
      const owner = newId();
      const failing = followed.run(async () => {
        log.append(titled(owner, 'lost'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await followed.run(async () => log.append(titled(owner, 'kept')));
      expect(await titlesOf(owner)).toEqual(['1 kept']);
    });

    it('fails the unit when theirs cannot be written', async () => {
      const owner = newId();
      const broken = new ChangeFollowers();
      const statement = 'broken AS (INSERT INTO titles SELECT $1, 1 / ($said ->> 0)::int, NULL)';
      broken.register({ follow: () => ({ name: 'broken', statement, said: [0] }) });
      const unit = new UnitOfWork(
        database,
        new ChangeWriter(new Clock(), broken, new Config({})),
        new CommittedChanges(),
      );
      await expect(unit.run(async () => log.append(titled(owner, 'x')))).rejects.toThrow();
      expect(await sequencesOf(owner)).toEqual([]);
    });
  });

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

  it('stays contiguous when many units of several owners commit and fail at once', async () => {
    const owners = [newId(), newId(), newId()];
    const work = Array.from({ length: 90 }, (_, index) =>
      units
        .run(async () => {
          log.append(change(owners[index % 3] as string));
          log.append(change(owners[(index + 1) % 3] as string));
          if (index % 5 === 0) throw new Error('rolled back');
        })
        .catch(() => undefined),
    );
    await Promise.all(work);
    for (const owner of owners) {
      const numbers = await sequencesOf(owner);
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
      expect(numbers).toHaveLength(48);
    }
  });

  it('shows counters as they stand after the commit to everybody who asks afterwards', async () => {
    const sequences = new Sequences(database);
    const [owner, other] = [newId(), newId()];
    await units.run(async () => {
      log.append(change(owner));
      log.touchPolicy(owner);
    });
    const asked = await Promise.all([sequences.current([owner]), sequences.current([owner, other])]);
    for (const stamps of asked) expect(stamps.get(owner)).toEqual({ changes: 1, policy: 1 });
    expect(asked[1]?.has(other)).toBe(false);
    await units.run(async () => log.touchPolicy(owner));
    expect((await sequences.current([owner])).get(owner)).toEqual({ changes: 1, policy: 2 });
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
