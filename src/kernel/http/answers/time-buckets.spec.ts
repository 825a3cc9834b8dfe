import { endOfTimeBucket } from './time-buckets.js';

/** Rounding error of sums of milliseconds, in milliseconds. */
const ROUNDING = 0.001;

describe('endOfTimeBucket', () => {
  it.each([0.1, 3, 9.7, 10.2, 26])(
    'the end of a bucket of time is waited for by a request that began %d ms ago',
    async (before) => {
      const begunAt = performance.now() - before;
      await endOfTimeBucket(begunAt);
      expect(performance.now() - begunAt).toBeGreaterThan(Math.ceil(before / 10) * 10 - ROUNDING);
    },
  );

  it('the end of a bucket of time is one for all who began together, whenever they come to it', async () => {
    const begunAt = performance.now();
    const ends = [];
    for (const turns of [0, 50, 200]) {
      const late = async () => {
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
        await endOfTimeBucket(begunAt);
        return performance.now() - begunAt;
      };
      ends.push(late());
    }
    for (const end of await Promise.all(ends)) expect(end).toBeGreaterThan(10 - ROUNDING);
  });
});
