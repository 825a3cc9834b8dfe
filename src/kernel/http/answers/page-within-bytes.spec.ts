import { jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { requestContext } from '../../request-context.js';
import { pageWithinBytes } from './page-within-bytes.js';

const TOTAL = 6;

function asPerson<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const actor = { type: 'user', userId, appId: null } as const;
  return requestContext.run({ requestId: randomUUID(), actor, changeReason: null }, work);
}

/** Lists whose rows arrive in parts; `most` is the highest number of pages presented at the same time. */
class Lists {
  showing = 0;
  most = 0;

  page(perPart: number, item = 'x', slices?: { isHalfSpent: boolean }) {
    return pageWithinBytes<number, string>({
      limit: TOTAL,
      offset: 0,
      read: async ({ limit, offset }) => {
        await setImmediate();
        const rows = Array.from({ length: Math.min(limit, perPart, TOTAL - offset) }, (_, i) => offset + i);
        return { rows, total: TOTAL };
      },
      show: async (rows) => {
        this.most = Math.max(this.most, ++this.showing);
        for (let turn = 0; turn < 20; turn++) await setImmediate();
        this.showing--;
        return rows.map((row) => `${item}${row}`);
      },
      isWhole: () => true,
      ...(slices ? { slices } : {}),
    });
  }
}

describe('pageWithinBytes', () => {
  it('a page is the same whether the database gives its rows at once or in parts', async () => {
    const whole = { items: ['x0', 'x1', 'x2', 'x3', 'x4', 'x5'], total: TOTAL, limit: TOTAL, offset: 0 };
    for (const perPart of [TOTAL, 4, 1]) expect(await new Lists().page(perPart)).toEqual(whole);
  });

  it('a page whose rows come in parts ends with the item that fills it', async () => {
    const { items, limit } = await new Lists().page(2, 'x'.repeat(1_500_000));
    expect([items.length, limit]).toEqual([3, 3]);
  });

  it('a page ends with the item that takes it beyond half of its time, in one part or in several', async () => {
    const first = { items: ['x0'], total: TOTAL, limit: 1, offset: 0 };
    for (const perPart of [TOTAL, 4, 1])
      expect(await new Lists().page(perPart, 'x', { isHalfSpent: true })).toEqual(first);
    expect((await new Lists().page(TOTAL, 'x', { isHalfSpent: false })).items).toHaveLength(TOTAL);
  });

  it('a page in parts is made beside one other of its person at most, and all are made in the end', async () => {
    const lists = new Lists();
    const person = randomUUID();
    const pages = await Promise.all(Array.from({ length: 8 }, () => asPerson(person, () => lists.page(2))));
    expect(pages.map(({ items }) => items.length)).toEqual(Array(8).fill(TOTAL));
    expect(lists.most).toBe(2);
  });

  it('a small page does not wait for large pages of its person or of others', async () => {
    const lists = new Lists();
    const person = randomUUID();
    const large = Array.from({ length: 4 }, () => asPerson(person, () => lists.page(1)));
    const others = asPerson(randomUUID(), () => lists.page(1));
    const small = asPerson(person, () => lists.page(TOTAL));
    await Promise.all([...large, others, small]);
    expect(lists.most).toBe(4);
  });

  /** Begins pages in parts that never end, and one more, which waits until it is refused. */
  const refusalOfOneMore = async (persons: readonly string[], late: string): Promise<unknown> => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const ends: (() => void)[] = [];
    const endless = (): Promise<unknown> =>
      pageWithinBytes<number, string>({
        limit: TOTAL,
        offset: 0,
        read: () => Promise.resolve({ rows: [0], total: TOTAL }),
        show: () => new Promise((resolve) => ends.push(() => resolve(Array(TOTAL).fill('x')))),
        isWhole: () => true,
      });
    try {
      const begun = persons.map((person) => asPerson(person, endless));
      while (ends.length < persons.length) await setImmediate();
      const refused = asPerson(late, endless).then(
        () => 'made',
        (error: unknown) => error,
      );
      await setImmediate();
      await jest.advanceTimersByTimeAsync(60_000);
      const refusal = await refused;
      ends.forEach((end) => end());
      await Promise.all(begun);
      return refusal;
    } finally {
      jest.useRealTimers();
    }
  };

  it('a refused large page names the large pages of its person, or of all (rule 11.9)', async () => {
    const alice = randomUUID();
    expect(await refusalOfOneMore([alice, alice], alice)).toMatchObject({
      code: 'TOO_MUCH_UNDER_WAY',
      details: { limit: 'caller', max_large_pages: 2 },
    });
    const persons = Array.from({ length: 8 }, () => randomUUID());
    expect(await refusalOfOneMore(persons, alice)).toMatchObject({
      code: 'TOO_MUCH_UNDER_WAY',
      details: { limit: 'process', max_large_pages: 8 },
    });
  });
});
