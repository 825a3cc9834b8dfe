import { jest } from '@jest/globals';
import { HeldRows, MOST_HELD_ROWS } from './held-rows.js';
import { requestContext, SYSTEM_ACTOR } from './request-context.js';

/** Work that ends when it is released, and a record of what has begun. */
function held(rows: HeldRows) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, count: number): Promise<void> =>
    rows.run(count, () => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    });
  return { begun, begin, end: (name: string) => ends.get(name)?.() };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('rows held by requests', () => {
  it('rows held by requests together stay within the bound, and the requests beyond it follow in their order', async () => {
    const { begun, begin, end } = held(new HeldRows());
    const all = [
      begin('a', 150),
      begin('b', 100),
      begin('c', 20),
      begin('small', 10),
      begin('whole', 10 * MOST_HELD_ROWS),
    ];
    await settled();
    expect(begun).toEqual(['small', 'a']);
    end('a');
    await settled();
    expect(begun).toEqual(['small', 'a', 'b', 'c']);
    for (const name of ['b', 'c']) end(name);
    await settled();
    expect(begun).toEqual(['small', 'a', 'b', 'c', 'whole']);
    for (const name of ['small', 'whole']) end(name);
    await Promise.all(all);
  });

  it('rows held by requests go to persons in turn, however many requests one of them has', async () => {
    const { begun, begin, end } = held(new HeldRows());
    const as = (caller: string, name: string): Promise<void> =>
      requestContext.run({ requestId: '', actor: SYSTEM_ACTOR, changeReason: null, caller }, () =>
        begin(name, MOST_HELD_ROWS),
      );
    const all = [...['m1', 'm2', 'm3', 'm4'].map((name) => as('mallory', name)), as('alice', 'a1')];
    while (begun.length < all.length) {
      await settled();
      end(begun.at(-1)!);
    }
    await settled();
    end(begun.at(-1)!);
    await Promise.all(all);
    expect(begun.indexOf('a1')).toBeLessThan(begun.indexOf('m4'));
  });

  it('rows held by requests are free again when a request fails', async () => {
    const rows = new HeldRows();
    await expect(rows.run(200, () => Promise.reject(new Error('planted')))).rejects.toThrow('planted');
    await expect(rows.run(200, () => Promise.resolve('next'))).resolves.toBe('next');
  });

  it('rows that are not free in time refuse the request, and those behind it follow', async () => {
    jest.useFakeTimers();
    try {
      const { begun, begin, end } = held(new HeldRows());
      const first = begin('first', 150);
      const late = expect(begin('late', 100)).rejects.toMatchObject({ code: 'TOO_MUCH_UNDER_WAY' });
      await jest.advanceTimersByTimeAsync(20_000);
      const behind = begin('behind', 50);
      await jest.advanceTimersByTimeAsync(10_000);
      await late;
      expect(begun).toEqual(['first', 'behind']);
      for (const name of ['first', 'behind']) end(name);
      await Promise.all([first, behind]);
    } finally {
      jest.useRealTimers();
    }
  });
});
