import fc from 'fast-check';
import { FirstEntries } from './first-entries.js';

const compare = (a: number, b: number): number => a - b;

describe('FirstEntries', () => {
  it('the first entries of any order are those of a sorted list', async () => {
    const numbers = fc.uniqueArray(fc.integer(), { maxLength: 5_000 });
    await fc.assert(
      fc.asyncProperty(numbers, fc.nat(2_000), async (given, most) => {
        const first = new FirstEntries({ compare, most, bytesOf: () => 1 });
        for (const one of given) await first.add(one);
        expect(await first.sorted()).toEqual(given.toSorted(compare).slice(0, most));
        expect(first.isShort).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it('a few entries are held for a short page, however many there are', async () => {
    const first = new FirstEntries<number>({ compare, most: 20, bytesOf: () => 1 });
    let most = 0;
    for (let n = 100_000; n > 0; n--) {
      await first.add(n);
      most = Math.max(most, first.held);
    }
    expect(most).toBeLessThan(1_100);
    expect(await first.sorted()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  it('large entries are held up to a size, the first of them, and the rest is known to be missing', async () => {
    const numbers = fc.uniqueArray(fc.integer(), { minLength: 50, maxLength: 500 });
    await fc.assert(
      fc.asyncProperty(numbers, async (given) => {
        const first = new FirstEntries({ compare, most: 1_000, bytesOf: () => 1 }, 40);
        for (const one of given) {
          await first.add(one);
          expect(first.held).toBeLessThanOrEqual(41);
        }
        const held = await first.sorted();
        expect(held.length).toBeGreaterThanOrEqual(20);
        expect(held).toEqual(given.toSorted(compare).slice(0, held.length));
        expect(first.isShort).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
