import { jest } from '@jest/globals';
import { openTransaction } from '../../../kernel/database/transaction.js';
import { SnapshotCache } from './snapshot-cache.js';

interface Answer {
  name: string;
  changes: number;
}

const answered = (name: string, changes: number) => () => Promise.resolve({ name, changes });
const never = () => Promise.reject(new Error('must not be asked'));

/** An answer that resolves on demand. */
function waiting() {
  let settle!: { give: (answer: Answer) => void; fail: (error: Error) => void };
  const coming = new Promise<Answer>((give, fail) => (settle = { give, fail }));
  return { make: () => coming, ...settle };
}

describe('SnapshotCache', () => {
  let kept: SnapshotCache<Answer>;
  beforeEach(() => (kept = new SnapshotCache<Answer>({ max: 10 })));

  it('kept answers hold as long as the counter stands, and for their own key', async () => {
    await kept.of('a', 1, answered('first', 1));
    expect(await kept.of('a', 1, never)).toEqual({ name: 'first', changes: 1 });
    expect(await kept.of('b', 1, answered('other', 1))).toMatchObject({ name: 'other' });
    expect(await kept.of('a', 2, answered('second', 2))).toMatchObject({ name: 'second' });
    // A guard that looked before the change does not receive the later answer: its decision is the older
    // one.
    expect(await kept.of('a', 1, answered('before', 1))).toMatchObject({ name: 'before' });
  });

  it('a long question takes no more room than a short one', async () => {
    const keys: string[] = [];
    const sizeCalculation = (_: Answer, key: string) => keys.push(key);
    const measured = new SnapshotCache<Answer>({ maxSize: 100, sizeCalculation });
    for (const question of ['a', 'a'.repeat(8_000), `${'a'.repeat(8_000)}b`])
      await measured.of(question, 1, answered(question, 1));
    expect(new Set(keys).size).toBe(3);
    expect(new Set(keys.map(({ length }) => length))).toEqual(new Set([43]));
  });

  it('kept answers are made from the last one', async () => {
    const make = jest.fn((last: Answer | undefined) =>
      Promise.resolve({ name: `${last?.name}+`, changes: 2 }),
    );
    await kept.of('a', 1, answered('first', 1));
    expect(await kept.of('a', 2, make)).toMatchObject({ name: 'first+' });
  });

  it('kept answers are shared by who asks at the same time', async () => {
    const first = waiting();
    const both = [kept.of('a', 1, first.make), kept.of('a', 1, never)];
    first.give({ name: 'first', changes: 1 });
    expect(await Promise.all(both)).toMatchObject([{ name: 'first' }, { name: 'first' }]);
  });

  it('kept answers are not shared with who has seen a change that they began before', async () => {
    const [early, late] = [waiting(), waiting()];
    const both = [kept.of('a', 1, early.make), kept.of('a', 2, late.make)];
    early.give({ name: 'early', changes: 1 });
    late.give({ name: 'late', changes: 2 });
    expect(await Promise.all(both)).toMatchObject([{ name: 'early' }, { name: 'late' }]);
    expect(await kept.of('a', 2, never)).toMatchObject({ name: 'late' });
  });

  it('kept answers fail for who asked, and others ask themselves', async () => {
    const first = waiting();
    const both = Promise.allSettled([kept.of('a', 1, first.make), kept.of('a', 1, answered('own', 1))]);
    first.fail(new Error('broken'));
    expect(await both).toMatchObject([{ status: 'rejected' }, { value: { name: 'own' } }]);
  });

  it('kept answers are neither taken nor left by a unit of work, which sees what is not committed', async () => {
    await kept.of('a', 1, answered('committed', 1));
    const inside = <T>(work: () => Promise<T>) => openTransaction.run({ transaction: {} as never }, work);
    expect(await inside(() => kept.of('a', 1, answered('mine', 1)))).toMatchObject({ name: 'mine' });
    expect(await kept.of('a', 1, never)).toMatchObject({ name: 'committed' });
    await inside(() => kept.of('b', 1, answered('mine', 1)));
    expect(await kept.of('b', 1, answered('committed', 1))).toMatchObject({ name: 'committed' });
  });
});
