import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type Window } from '../../src/identity/domain/rate-limits.js';
import { type WindowCounters } from '../../src/identity/infrastructure/window-counters.js';

export const NOW = new Date('2026-03-01T12:00:30Z');
const LATER = new Date('2026-03-01T12:01:00Z');
export const minute = (limit: number, key: string = randomUUID()): Window => ({ key, limit, seconds: 60 });
const granted = (taken: { isGranted: boolean }[]) => taken.filter(({ isGranted }) => isGranted).length;

/** One suite for both adapters; `counters` returns one for each simulated process. */
export function behavesLikeCounters(name: string, counters: () => WindowCounters[]) {
  describe(name, () => {
    const [one, other] = [() => counters()[0] as WindowCounters, () => counters().at(-1) as WindowCounters];

    it('counters let exactly as many concurrent requests through as fit', async () => {
      const window = minute(30);
      const taken = await Promise.all(
        Array.from({ length: 1_000 }, (_, i) => (i % 2 ? one() : other()).take([window], NOW)),
      );
      expect(granted(taken)).toBe(30);
    });

    it('counters do not count a refused request', async () => {
      const [wide, narrow] = [minute(100), minute(2)];
      for (let i = 0; i < 5; i++) await one().take([wide, narrow], NOW);
      expect(await one().take([wide], NOW)).toEqual({ isGranted: true, counts: [3] });
      expect(await one().take([narrow, wide], NOW)).toEqual({ isGranted: false, counts: [2, 3] });
    });

    it('counters restart with the next window, each length by itself', async () => {
      const key = randomUUID();
      const day = { key: `${key} day`, limit: 10, seconds: 86_400 };
      await one().take([minute(1, key), day], NOW);
      expect(await one().take([minute(1, key), day], NOW)).toEqual({ isGranted: false, counts: [1, 1] });
      expect(await one().take([minute(1, key), day], LATER)).toEqual({ isGranted: true, counts: [1, 2] });
    });
  });
}
