import { jest } from '@jest/globals';
import { Config } from '../../src/config/config.js';
import { ChangeFollowers } from '../../src/kernel/change-log/change-followers.js';
import { CommittedChanges } from '../../src/kernel/change-log/committed-changes.js';
import { ChangeLog } from '../../src/kernel/change-log/change-log.js';
import { BatchedChangeSink } from '../../src/kernel/write-batching/batched-change-sink.js';
import { Clock } from '../../src/kernel/clock.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/database/database.js';
import { migrate } from '../../src/kernel/database/migrations.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { freshDatabase } from '../support/database.js';

describe('transactions', () => {
  let database: Database;
  let units: UnitOfWork;
  let drop: () => Promise<void>;

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

  const insert = (id: string) => database.write(sql`INSERT INTO sequences (id) VALUES (${id})`);
  const exists = async (id: string) =>
    (await database.read(sql`SELECT 1 FROM sequences WHERE id = ${id}`)).length === 1;

  it('a unit of work does not call a rollback a commit when somebody swallowed an error in it', async () => {
    const id = newId();
    const swallowing = units.run(async () => {
      await insert(id);
      await database.write(sql`SELECT 1 / 0`).catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('swallowed');
    expect(await exists(id)).toBe(false);
  });

  it('a unit of work refuses statements after its end', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const id = newId();
    const late = await units.run(async () => ({ insert: ended.then(() => insert(id)) }));
    end();
    await expect(late.insert).rejects.toThrow('has ended');
    expect(await exists(id)).toBe(false);
  });

  it('a unit of work is done again after a deadlock, and returns its connection either way', async () => {
    const [one, two] = [newId(), newId()];
    await units.run(async () => {
      await insert(one);
      await insert(two);
    });
    let attempts = 0;
    const crossing = async () => {
      await units.run(async () => {
        attempts++;
        if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        await database.write(sql`UPDATE sequences SET changes = changes + 1 WHERE id = ANY(${[one, two]})`);
      });
    };
    await crossing();
    expect(attempts).toBe(2);
    for (let i = 0; i < 30; i++) {
      await units.run(() => database.write(sql`SELECT 1 / 0`)).catch(() => undefined);
    }
    expect(await exists(one)).toBe(true);
  });

  it('a unit of work rolls back a savepoint that fails, with its changes and locks, and keeps the rest', async () => {
    const [kept, lost, last] = [newId(), newId(), newId()];
    const changes = new ChangeLog();
    const change = (ownerId: string, entityId: string) =>
      changes.append({ ownerId, entity: 'test', entityId, action: 'created', version: 1, snapshot: null });
    const done: string[] = [];
    await units.run(async () => {
      await insert(kept);
      change(kept, kept);
      const failing = units.savepoint(async () => {
        await insert(lost);
        change(kept, lost);
        change(last, lost);
        changes.bumpPolicyVersion(lost);
        units.afterCommit(() => done.push('lost'));
        await database.write(sql`SELECT 1 / 0`);
      });
      await expect(failing).rejects.toThrow();
      change(kept, last);
      await units.savepoint(async () => void (await insert(last)));
    });
    expect([await exists(kept), await exists(lost), await exists(last)]).toEqual([true, false, true]);
    const logged = await database.read(
      sql`SELECT entity_id, sequence FROM changes WHERE entity = 'test' ORDER BY 2`,
    );
    expect(logged).toEqual([
      { entity_id: kept, sequence: 1 },
      { entity_id: last, sequence: 2 },
    ]);
    expect(done).toEqual([]);
  });

  describe('single statements', () => {
    it('a single statement needs neither BEGIN nor COMMIT, and a second one is refused', async () => {
      const [one, two] = [newId(), newId()];
      const single = units.autocommit(async () => {
        await insert(one);
        await insert(two);
      });
      await expect(single).rejects.toThrow('second statement');
      expect([await exists(one), await exists(two)]).toEqual([true, false]);
    });

    it('a single-statement unit inside another unit is a part of it, and is taken back with it', async () => {
      const id = newId();
      const failing = units.run(async () => {
        await units.autocommit(() => insert(id));
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect(await exists(id)).toBe(false);
    });

    it('a single statement is tried again after a deadlock', async () => {
      const id = newId();
      let attempts = 0;
      await units.autocommit(async () => {
        if (attempts++ === 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        await insert(id);
      });
      expect([attempts, await exists(id)]).toEqual([2, true]);
    });
  });

  describe('the end of a unit', () => {
    const changes = new ChangeLog();
    const later = (id: string, policy = 0) =>
      database.defer({
        name: 'later',
        statement: sql`INSERT INTO sequences (id, policy) VALUES (${id}, ${policy})`,
      });
    const change = (ownerId: string, entityId = newId()) =>
      changes.append({ ownerId, entity: 'later', entityId, action: 'created', version: 1, snapshot: null });
    const logged = async (ownerId: string) =>
      (await database.read(sql`SELECT 1 FROM changes WHERE owner_id = ${ownerId}`)).length;

    it('writes left for later are one statement with the change log, one change or many, and a transaction of its own', async () => {
      for (const count of [1, 3]) {
        const [owner, id] = [newId(), newId()];
        const connect = jest.spyOn(database.dataSource, 'createQueryRunner');
        const alone = jest.spyOn(database, 'writeAlone');
        await units.run(async () => {
          later(id);
          for (let i = 0; i < count; i++) change(owner);
        });
        expect([await exists(id), await logged(owner)]).toEqual([true, count]);
        expect([connect.mock.calls.length, alone.mock.calls.length]).toEqual([0, 1]);
        connect.mockRestore();
        alone.mockRestore();
      }
    });

    it('writes left for later are seen by the next statement of the unit, and by nobody when it fails', async () => {
      const [seen, lost, owner] = [newId(), newId(), newId()];
      await units.run(async () => {
        later(seen);
        expect(await exists(seen)).toBe(true);
      });
      const failing = units.run(async () => {
        later(lost);
        change(owner);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect([await exists(seen), await exists(lost), await logged(owner)]).toEqual([true, false, 0]);
    });

    it('deferred writes take the change log with them when they fail, also after other statements', async () => {
      const [taken, owner] = [newId(), newId()];
      await units.run(() => insert(taken));
      for (const hasBegun of [false, true]) {
        const failing = units.run(async () => {
          if (hasBegun) await exists(taken);
          later(taken);
          change(owner);
        });
        await expect(failing).rejects.toMatchObject({ code: '23505' });
      }
      expect(await logged(owner)).toBe(0);
      await units.run(async () => change(owner));
      const [row] = await database.read(sql`SELECT changes FROM sequences WHERE id = ${owner}`);
      expect(row).toEqual({ changes: 1 });
    });

    it('deferred writes keep their order, and go with the part of a unit that fails', async () => {
      const [one, two, lost, owner] = [newId(), newId(), newId(), newId()];
      await units.run(async () => {
        later(one);
        later(two);
        const failing = units.savepoint(async () => {
          later(lost);
          throw new Error('no');
        });
        await expect(failing).rejects.toThrow('no');
        await units.savepoint(async () => later(owner, 7));
        change(owner);
        changes.bumpPolicyVersion(owner);
      });
      expect([await exists(one), await exists(two), await exists(lost)]).toEqual([true, true, false]);
      const [row] = await database.read(sql`SELECT changes, policy FROM sequences WHERE id = ${owner}`);
      expect(row).toEqual({ changes: 1, policy: 8 });
    });

    it('deferred writes need a unit of work that is open', async () => {
      expect(() => later(newId())).toThrow('needs a unit of work');
    });
  });

  describe('whole requests', () => {
    const known = async (id: string) =>
      (await database.readCommitted(sql`SELECT 1 FROM sequences WHERE id = ${id}`)).length === 1;
    const nothing = () => Promise.resolve();

    it('a unit of work of a whole request begins with the first unit inside and ends with all of them', async () => {
      const [first, one, two, last] = [newId(), newId(), newId(), newId()];
      const enclosed = units.runRequest(
        async () => {
          expect(units.isOpen).toBe(false);
          expect(await exists(first)).toBe(false);
          await units.run(() => insert(one));
          expect([units.isOpen, await exists(first), await exists(one)]).toEqual([true, true, true]);
          await units.run(() => insert(two));
          return 'done';
        },
        {
          onBegin: async () => void (await insert(first)),
          beforeCommit: async () => void (await insert(last)),
        },
      );
      expect(await enclosed).toBe('done');
      for (const id of [first, one, two, last]) expect(await known(id)).toBe(true);
    });

    it('a unit of work of a whole request rolls back a first unit that fails, and begins with the next', async () => {
      const [failed, made] = [newId(), newId()];
      const first = jest.fn(nothing);
      await units.runRequest(
        async () => {
          const failing = units.run(async () => {
            await insert(failed);
            throw new Error('lost');
          });
          await expect(failing).rejects.toThrow('lost');
          expect(units.isOpen).toBe(false);
          await units.run(() => insert(made));
        },
        { onBegin: first, beforeCommit: nothing },
      );
      expect([await known(failed), await known(made), first.mock.calls.length]).toEqual([false, true, 2]);
    });

    it('a unit of work that encloses a whole request does nothing when it may not begin, whatever becomes of the refusal', async () => {
      const id = newId();
      const refused = units.runRequest(() => units.run(() => insert(id)).catch(() => 'swallowed'), {
        onBegin: () => Promise.reject(new Error('no')),
        beforeCommit: nothing,
      });
      await expect(refused).rejects.toThrow('no');
      expect(await known(id)).toBe(false);
    });

    it('a unit of work of a whole request rolls everything back if its end fails, and does everything anew after a deadlock', async () => {
      const id = newId();
      let attempts = 0;
      const enclosed = () =>
        units.runRequest(() => units.run(() => insert(id)), {
          onBegin: nothing,
          beforeCommit: () => {
            attempts++;
            const code = attempts === 1 ? '40P01' : undefined;
            return attempts > 2 ? nothing() : Promise.reject(Object.assign(new Error('failed'), { code }));
          },
        });
      await expect(enclosed()).rejects.toThrow('failed');
      expect([attempts, await known(id)]).toEqual([2, false]);
      await enclosed();
      expect(await known(id)).toBe(true);
    });
  });
});
