import { ConcurrentChange } from '../../src/kernel/change-log/concurrent-change.js';
import { sql } from '../../src/kernel/database/sql.js';
import { newId } from '../../src/kernel/ids.js';
import { MARKED, NODES_LIMIT, type SinkWorld } from './sink-world.js';

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const sequencesOf = async (world: SinkWorld, owner: string): Promise<number[]> =>
  (await world.changes(owner)).map(({ sequence }) => sequence);

/** Fails unless the work fails and leaves no row and no counter of the owners behind. */
async function writesNothing(
  world: SinkWorld,
  owners: readonly string[],
  { work, error }: { work: () => Promise<unknown>; error: unknown },
): Promise<void> {
  const state = async () => ({
    rows: [await world.count('sequences'), await world.count('changes'), await world.count('followed')],
    counters: await Promise.all(owners.map((owner) => world.counters(owner))),
  });
  const before = await state();
  await expect(world.units.run(work)).rejects.toEqual(error);
  expect(await state()).toEqual(before);
}

/** The promises of ChangeSink, by the title of their test. */
export const CONTRACT = {
  'numbers are without gaps at every moment, also when units of several owners commit and fail at once':
    async (world: SinkWorld) => {
      const owners = [await world.owner(), await world.owner(), newId()];
      const work = Array.from({ length: 60 }, (_, index) =>
        world.units
          .run(async () => {
            const [one, other] = [owners[index % 3], owners[(index + 1) % 3]] as [string, string];
            if (index % 2 === 0) world.create(one, 1 + (index % 4));
            else [one, other].forEach((owner) => world.change(owner));
            if (index % 5 === 0) throw new Error('rolled back');
          })
          .catch((error: Error) => expect(error.message).toBe('rolled back')),
      );
      let isDone = false;
      void Promise.allSettled(work).then(() => (isDone = true));
      const reading = async (): Promise<void> => {
        while (!isDone)
          expect(
            await world.database.read(
              sql`SELECT FROM changes WHERE owner_id = ANY(${owners}::uuid[])
                GROUP BY owner_id HAVING count(*) <> max(sequence)`,
            ),
          ).toEqual([]);
      };
      for (const outcome of await Promise.allSettled([...work, reading()]))
        if (outcome.status === 'rejected') throw outcome.reason;
      const numbers = await Promise.all(owners.map((owner) => sequencesOf(world, owner)));
      for (const own of numbers) expect(own).toEqual(numbersTo(own.length));
      expect(numbers.flat()).toHaveLength(96);
      for (const owner of owners) {
        const last = (await world.counters(owner))?.changes;
        expect(last).toBe((await sequencesOf(world, owner)).length);
      }
    },

  'no change is older than the one before it, whatever the clocks say': async (world: SinkWorld) => {
    for (const count of [1, 2]) {
      const owner = await world.owner();
      for (const time of [5_000, 3_000, 9_000, 1_000]) {
        const units = world.unitsAt({ now: () => new Date(time) });
        await units.run(async () => void world.create(owner, count));
      }
      const times = (await world.changes(owner)).map(({ at }) => at.getTime());
      const expected = [5_000, 5_000, 9_000, 9_000].flatMap((time) =>
        Array.from({ length: count }, () => time),
      );
      expect(times).toEqual(expected);
    }
  },

  'each change has its deferred row and the row of its follower': async (world: SinkWorld) => {
    const [owner, other] = [await world.owner(), newId()];
    const ids: string[] = [];
    for (const count of [1, 3])
      await world.units.run(async () => void ids.push(...world.create(owner, count)));
    await world.units.run(async () => {
      for (const each of [owner, other]) ids.push(...world.create(each, 1));
    });
    const changes = [...(await world.changes(owner)), ...(await world.changes(other))];
    expect(changes.map(({ id }) => id)).toEqual(ids);
    expect(changes.map(({ rows, followed }) => [rows, followed])).toEqual(ids.map(() => [1, 1]));
  },

  'facts, snapshot and changed fields are the same in a change alone and among others': async (
    world: SinkWorld,
  ) => {
    const owner = newId();
    const given = {
      entityId: newId(),
      facts: { tagIds: [newId()], schemaId: newId(), nodeType: 'NOTE', createdAt: new Date(7_000) },
      changedFields: { title: { old: null, new: 'ä"\\' } },
      reason: 'because',
    };
    for (const count of [1, 2])
      await world.units.run(async () => numbersTo(count).forEach(() => void world.change(owner, given)));
    const rows = await world.database
      .read(sql`SELECT entity_id, tag_ids, schema_id, node_type, node_created_at,
      snapshot, changed_fields, reason, changed_by_type FROM changes WHERE owner_id = ${owner} ORDER BY sequence`);
    const stored = {
      entity_id: given.entityId,
      tag_ids: given.facts.tagIds,
      schema_id: given.facts.schemaId,
      node_type: 'NOTE',
      node_created_at: given.facts.createdAt,
      snapshot: { title: 'a' },
      changed_fields: given.changedFields,
      reason: 'because',
      changed_by_type: 'system',
    };
    expect(rows).toEqual([stored, stored, stored]);
  },

  'changes of several MiB are numbered like short ones': async (world: SinkWorld) => {
    const owner = await world.owner();
    const snapshot = { text: 'x'.repeat(1_500_000) };
    await world.units.run(async () => void world.create(owner, 4, { snapshot }));
    const changes = await world.changes(owner);
    expect(changes.map(({ sequence, rows, followed }) => [sequence, rows, followed])).toEqual(
      numbersTo(4).map((number) => [number, 1, 1]),
    );
  },

  'a unit beyond a quota is refused and writes nothing': async (world: SinkWorld) => {
    for (const count of [1, 2]) {
      const [owner, other] = [await world.owner(), newId()];
      const node = { entity: 'node' };
      await world.units.run(async () => void world.create(owner, NODES_LIMIT, node));
      const refusal = expect.objectContaining({ code: 'QUOTA_EXCEEDED' });
      await writesNothing(world, [owner], {
        work: async () => world.create(owner, count, node),
        error: refusal,
      });
      await writesNothing(world, [owner, other], {
        work: async () => {
          world.change(other);
          world.create(owner, count, node);
        },
        error: refusal,
      });
      await world.units.run(async () => void world.change(owner, { ...node, action: 'deleted' }));
      await world.units.run(async () => void world.create(owner, 1, node));
      expect((await world.counters(owner))?.nodes).toBe(NODES_LIMIT);
    }
  },

  'a unit that expects a counter is written only if nobody has moved it or holds its lock': async (
    world: SinkWorld,
  ) => {
    const owner = await world.owner();
    const lock = `lock ${owner}`;
    const expecting = (changes: number, count: number) => async () => {
      world.log.requireUnchanged({ ownerId: owner, changes, lock });
      world.create(owner, count);
    };
    await world.units.run(expecting(0, 2));
    const error = expect.any(ConcurrentChange);
    for (const count of [1, 2]) await writesNothing(world, [owner], { work: expecting(0, count), error });
    await world.units.run(expecting(2, 1));
    expect(await sequencesOf(world, owner)).toEqual([1, 2, 3]);
  },

  'a failure in the middle leaves nothing, and its numbers go to the next unit': async (world: SinkWorld) => {
    const owners = [newId(), newId()].sort() as [string, string];
    const last = newId();
    const failing: (() => Promise<unknown>)[] = [
      async () => {
        world.create(owners[0], 1);
        world.change(owners[0]);
        world.change(owners[1], { action: null as never });
      },
      async () => {
        world.create(owners[0], 2);
        world.change(owners[0], { entityId: 'no id' });
      },
    ];
    for (const work of failing)
      await writesNothing(world, owners, {
        work,
        error: expect.objectContaining({ code: expect.any(String) }),
      });
    await world.units.run(async () =>
      owners.forEach((owner) => void world.change(owner, { entityId: last })),
    );
    for (const owner of owners) expect(await sequencesOf(world, owner)).toEqual([1]);
  },

  'a request that is done anew after a deadlock has its effects once': async (world: SinkWorld) => {
    const owner = await world.owner();
    let attempts = 0;
    const work = () =>
      world.units.run(async () => {
        world.create(owner, 1);
        world.log.bumpPolicyVersion(owner);
        world.log.count(owner, { apps: 2 });
      });
    await world.units.runRequest(work, {
      onBegin: () => Promise.resolve(),
      beforeCommit: async () => {
        if (++attempts === 1) throw Object.assign(new Error('deadlock'), { code: '40P01' });
      },
    });
    expect(attempts).toBe(2);
    expect((await world.changes(owner)).map(({ rows, followed }) => [rows, followed])).toEqual([[1, 1]]);
    expect(await world.counters(owner)).toEqual({ changes: 1, policy: 1, nodes: 0, apps: 2 });
  },

  'policy versions and amounts are counted without a change, amounts of closed accounts are not': async (
    world: SinkWorld,
  ) => {
    const [owner, closed] = [newId(), await world.owner()];
    await world.units.run(async () => world.log.bumpPolicyVersion(owner));
    await world.units.run(async () => {
      world.log.count(owner, { apps: 1 });
      world.log.bumpPolicyVersion(owner);
    });
    expect(await world.counters(owner)).toEqual({ changes: 0, policy: 2, nodes: 0, apps: 1 });
    await world.units.run(() =>
      world.database.write(sql`UPDATE sequences SET is_closed = true WHERE id = ${closed}`),
    );
    await world.units.run(async () => world.log.count(closed, { apps: 1 }));
    expect((await world.counters(closed))?.apps).toBe(0);
    await writesNothing(world, [closed], {
      work: async () => world.create(closed, 1),
      error: expect.objectContaining({ code: 'NOT_FOUND' }),
    });
  },

  'changes of many owners at once are numbered, followed, dated and limited like those of one': async (
    world: SinkWorld,
  ) => {
    const known = await Promise.all(numbersTo(30).map(() => world.owner()));
    const owners = [...known, ...numbersTo(30).map(newId)];
    const marked = { reason: MARKED };
    for (const time of [9_000, 5_000])
      await world.unitsAt({ now: () => new Date(time) }).run(async () =>
        owners.forEach((owner, index) => {
          if (index % 3 > 0) world.change(owner, { ...marked, version: index });
          if (index % 3 < 2) world.log.bumpPolicyVersion(owner);
        }),
      );
    for (const [index, owner] of owners.entries()) {
      const [changes, policy] = [index % 3 > 0 ? 2 : 0, index % 3 < 2 ? 2 : 0];
      expect(await world.counters(owner)).toEqual({ changes, policy, nodes: 0, apps: 0 });
      const rows = await world.changes(owner);
      expect(rows.map(({ sequence, at, followed }) => [sequence, at.getTime(), followed])).toEqual(
        numbersTo(changes).map((sequence) => [sequence, 9_000, 1]),
      );
    }
    const full = owners[40] as string;
    await world.units.run(async () => void world.create(full, NODES_LIMIT, { entity: 'node' }));
    await writesNothing(world, owners, {
      work: async () => owners.forEach((owner) => world.change(owner, { ...marked, entity: 'node' })),
      error: expect.objectContaining({ code: 'QUOTA_EXCEEDED' }),
    });
    await world.units.run(() =>
      world.database.write(sql`UPDATE sequences SET is_closed = true WHERE id = ${full}`),
    );
    await writesNothing(world, owners, {
      work: async () => owners.forEach((owner) => world.change(owner, marked)),
      error: expect.objectContaining({ code: 'NOT_FOUND' }),
    });
  },
};
