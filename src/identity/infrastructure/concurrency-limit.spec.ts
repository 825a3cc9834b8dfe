import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { ConcurrencyLimit } from './concurrency-limit.js';

describe('ConcurrencyLimit', () => {
  it('a concurrency limit run no more than their number at a time, and all of them', async () => {
    const limit = new ConcurrencyLimit(3);
    let running = 0;
    let most = 0;
    const work = async (i: number): Promise<number> => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      if (i % 5 === 0) throw new Error('failed');
      return i;
    };
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => limit.run(() => work(i))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(most).toBe(3);
  });
});
