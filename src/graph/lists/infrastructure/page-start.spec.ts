import fc from 'fast-check';
import { startOf } from './page-start.js';
import { comparePositions, inOrder, type ListPosition } from './list-positions.js';

const place = (key: number | string, id: number): ListPosition => ({
  ownerId: 'somebody',
  id: id.toString().padStart(6, '0'),
  key,
});

describe('startOf', () => {
  /** Few keys, so that many are equal; clumps, so that guesses are wrong. */
  const keys = fc.array(fc.oneof(fc.nat(5), fc.nat(5000), fc.integer({ min: 100_000, max: 100_010 })), {
    maxLength: 2500,
    size: 'max',
  });

  it('the start of a page of two lists read as one is where a plain merge has it, whatever the order and however far', async () => {
    const question = fc.record({
      kept: keys,
      live: keys,
      order: fc.constantFrom('asc' as const, 'desc' as const),
      offsets: fc.array(fc.nat(5200), { minLength: 1, maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ kept, live, order, offsets }) => {
        const one = kept.map((key, index) => place(key, index)).sort(comparePositions);
        const other = live.map((key, index) => place(key, index + 3000)).sort(comparePositions);
        const sign = order === 'asc' ? 1 : -1;
        const before = (a: ListPosition, b: ListPosition): boolean => sign * comparePositions(a, b) < 0;
        const all = [...one, ...other].sort((a, b) => sign * comparePositions(a, b));
        const rest = [...other].sort((a, b) => sign * comparePositions(a, b));
        const places = inOrder(one, order);
        for (const offset of offsets) {
          const start = await startOf(places, offset, {
            total: rest.length,
            between: (after, until) =>
              Promise.resolve(
                rest.filter((each) => before(each, until) && (after === null || before(after, each))).length,
              ),
          });
          const most = start.skip + 20;
          const page = [
            ...places.slice(start.index, start.index + most),
            ...rest.filter((each) => start.after === null || before(start.after, each)).slice(0, most),
          ]
            .sort((a, b) => sign * comparePositions(a, b))
            .slice(start.skip, most);
          expect(page).toEqual(all.slice(offset, offset + 20));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('the start of a page of two lists read as one is found by few counts where the two are mixed evenly, and little is thrown away', async () => {
    const one = Array.from({ length: 20_000 }, (_, index) => place(index * 3, index));
    const rest = Array.from({ length: 40_000 }, (_, index) => place(index * 1.5 + 0.5, 100_000 + index));
    let counts = 0;
    const start = await startOf(inOrder(one, 'asc'), 30_000, {
      total: rest.length,
      between: (after, until) => {
        counts++;
        const is = (each: ListPosition) =>
          comparePositions(each, until) < 0 && (!after || comparePositions(after, each) < 0);
        return Promise.resolve(rest.filter(is).length);
      },
    });
    expect(counts).toBe(1);
    expect(start.skip).toBeLessThan(500);
  });
});

describe('comparePositions', () => {
  it('places are put in order, text by its code points', () => {
    const words = ['', 'a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}'];
    const all = words.map((word, index) => place(word, index));
    expect([...all].reverse().sort(comparePositions)).toEqual(all);
    expect(inOrder(all, 'desc').slice(0, 2)).toEqual([all.at(-1), all.at(-2)]);
  });
});
