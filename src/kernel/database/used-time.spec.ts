import { describe, expect, it } from '@jest/globals';
import { UsedTime } from './used-time.js';

describe('UsedTime', () => {
  it('the time that people have used adds up for each person, and counts half after ten seconds', () => {
    let now = 0;
    const used = new UsedTime(() => now);
    used.add('alice', 300);
    used.add('alice', 100);
    used.add('bob', 10);
    expect([used.by('alice'), used.by('bob'), used.by('carol')]).toEqual([400, 10, 0]);
    now = 10_000;
    expect(used.by('alice')).toBe(200);
    used.add('alice', 100);
    now = 20_000;
    expect(used.by('alice')).toBe(150);
  });

  it('the time that people have used is remembered of those who used something lately, however many came', () => {
    let now = 0;
    const used = new UsedTime(() => now);
    used.add('alice', 64_000);
    for (let n = 0; n < 5_000; n++) {
      now += 1_000 / 50;
      used.add(`person ${n}`, 1);
    }
    expect(used.by('alice')).toBeCloseTo(64_000 / 2 ** 10);
    expect(used.people).toBeLessThan(2_500);
  });
});
