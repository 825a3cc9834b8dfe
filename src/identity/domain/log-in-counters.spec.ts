import { createHmac } from 'node:crypto';
import { sharedCounter } from './log-in-counters.js';

const digest = (name: string) => createHmac('sha256', 'a key').update(name).digest('base64url');

describe('counters of failures for what does not exist', () => {
  it('names of absent accounts share a bounded number of counters, evenly', () => {
    const names = new Map<string, number>();
    for (let i = 0; i < 100_000; i++) {
      const counter = sharedCounter(digest(`made up ${i}`));
      names.set(counter, (names.get(counter) ?? 0) + 1);
    }
    expect(names.size).toBeLessThanOrEqual(65_536);
    expect(names.size).toBeGreaterThan(45_000);
    expect(Math.max(...names.values())).toBeLessThan(20);
  });

  it('one name has one counter, and another name in most cases another', () => {
    expect(sharedCounter(digest('ann'))).toBe(sharedCounter(digest('ann')));
    expect(sharedCounter(digest('ann'))).not.toBe(sharedCounter(digest('bob')));
  });
});
