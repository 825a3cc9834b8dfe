import { toPaddedBytes } from './replica-bytes.js';
import { advance, beginPass, READING } from './replica.js';

/** The length of the cursor of a pass in which each page comes at its own moment. */
function lengthOf(pages: number, step: number): number {
  let pass = beginPass(null, { changes: step, app: 1 }, { order: 'creation', isUnruled: true });
  for (let page = 1; page <= pages; page++)
    pass = advance(pass, page * step, { changes: (page + 1) * step, app: 1 });
  return toPaddedBytes({ base: null, pass, parts: {}, counted: pages, reading: READING }, 64).length;
}

describe('toPaddedBytes', () => {
  it('the padded length of a replica depends on the number of its turns, not on how much was changed between them', () => {
    for (const pages of [0, 1, 2, 8, 9, 40])
      expect(new Set([1, 100, 100_000].map((step) => lengthOf(pages, step))).size).toBe(1);
    expect([0, 1, 2, 9, 10].map((pages) => lengthOf(pages, 100))).toEqual([64, 64, 128, 128, 192]);
  });
});
