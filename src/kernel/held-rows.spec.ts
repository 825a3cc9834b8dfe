import { jest } from '@jest/globals';
import { HeldRows, MOST_HELD_ROWS } from './held-rows.js';
import { requestContext, SYSTEM_ACTOR } from './request-context.js';

/** Work that ends when it is released, and a record of what has begun. */
function held(rows: HeldRows) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, count: number, caller = name): Promise<void> =>
    requestContext.run({ requestId: '', actor: SYSTEM_ACTOR, changeReason: null, caller }, () =>
      rows.run(count, () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      }),
    );
  return { begun, begin, end: (name: string) => ends.get(name)?.() };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('HeldRows', () => {
  it('rows held by requests together stay within the bound, and the requests beyond it follow in their order', async () => {
    const { begun, begin, end } = held(new HeldRows());
    const all = [
      begin('a', 100),
      begin('b', 60),
      begin('c', 50),
      begin('d', 20),
      begin('small', 10),
      begin('whole', 10 * MOST_HELD_ROWS),
    ];
    await settled();
    expect(begun).toEqual(['small', 'a', 'b']);
    end('a');
    await settled();
    expect(begun).toEqual(['small', 'a', 'b', 'c', 'd']);
    end('b');
    await settled();
    expect(begun).toEqual(['small', 'a', 'b', 'c', 'd', 'whole']);
    for (const name of ['c', 'd', 'small', 'whole']) end(name);
    await Promise.all(all);
  });

  it('rows held by requests are of one request for each person at a time, however large it is', async () => {
    const { begun, begin, end } = held(new HeldRows());
    const all = [
      begin('m1', 10 * MOST_HELD_ROWS, 'mallory'),
      begin('m2', 20, 'mallory'),
      begin('a1', 50, 'alice'),
      begin('b1', 50, 'bob'),
    ];
    await settled();
    expect(begun).toEqual(['m1', 'a1', 'b1']);
    end('m1');
    await settled();
    expect(begun).toEqual(['m1', 'a1', 'b1', 'm2']);
    for (const name of ['a1', 'b1', 'm2']) end(name);
    await Promise.all(all);
  });

  it('rows held by requests go to persons in turn, however many requests one of them has', async () => {
    const { begun, begin, end } = held(new HeldRows());
    const as = (caller: string, name: string): Promise<void> => begin(name, MOST_HELD_ROWS, caller);
    const all = [...['m1', 'm2', 'm3', 'm4'].map((name) => as('mallory', name)), as('alice', 'a1')];
    while (begun.length < all.length) {
      await settled();
      for (const name of begun) end(name);
    }
    await settled();
    for (const name of begun) end(name);
    await Promise.all(all);
    expect(begun.indexOf('a1')).toBeLessThan(begun.indexOf('m2'));
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
      const first = begin('first', 100);
      const second = begin('second', 60);
      const late = expect(begin('late', 100)).rejects.toMatchObject({ code: 'TOO_MUCH_UNDER_WAY' });
      await jest.advanceTimersByTimeAsync(20_000);
      const behind = begin('behind', 40);
      await jest.advanceTimersByTimeAsync(10_000);
      await late;
      expect(begun).toEqual(['first', 'second', 'behind']);
      for (const name of ['first', 'second', 'behind']) end(name);
      await Promise.all([first, second, behind]);
    } finally {
      jest.useRealTimers();
    }
  });
});
