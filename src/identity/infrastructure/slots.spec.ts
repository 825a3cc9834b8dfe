import { describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { KeyedQueue, Slots } from './slots.js';

describe('slots', () => {
  it('run no more than their number at a time, and all of them', async () => {
    const slots = new Slots(3);
    let running = 0;
    let most = 0;
    const work = async (i: number): Promise<number> => {
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      if (i % 5 === 0) throw new Error('failed');
      return i;
    };
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => slots.run(() => work(i))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(most).toBe(3);
  });

  it('keep the order within a key and do not hold up other keys', async () => {
    const queue = new KeyedQueue();
    const done: string[] = [];
    const work = (name: string, turns: number) => async () => {
      for (let i = 0; i < turns; i++) await setImmediate();
      done.push(name);
    };
    await Promise.all([
      queue.run('a', work('a1', 5)),
      queue.run('a', work('a2', 0)),
      queue.run('b', work('b1', 1)),
    ]);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });
});
