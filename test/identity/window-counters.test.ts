import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { type Window } from '../../src/identity/domain/rate-limits.js';
import {
  MemoryCounters,
  RedisCounters,
  type WindowCounters,
} from '../../src/identity/infrastructure/window-counters.js';

const NOW = new Date('2026-03-01T12:00:30Z');
const LATER = new Date('2026-03-01T12:01:00Z');
const minute = (limit: number, key: string = randomUUID()): Window => ({ key, limit, seconds: 60 });
const granted = (taken: { isGranted: boolean }[]) => taken.filter(({ isGranted }) => isGranted).length;

/** One suite for both adapters; `counters` gives as many as processes are played. */
function behavesLikeCounters(name: string, counters: () => WindowCounters[]) {
  describe(name, () => {
    const [one, other] = [() => counters()[0] as WindowCounters, () => counters().at(-1) as WindowCounters];

    it('let exactly as many of many at once through as fit', async () => {
      const window = minute(30);
      const taken = await Promise.all(
        Array.from({ length: 1_000 }, (_, i) => (i % 2 ? one() : other()).take([window], NOW)),
      );
      expect(granted(taken)).toBe(30);
    });

    it('count a refused request nowhere', async () => {
      const [wide, narrow] = [minute(100), minute(2)];
      for (let i = 0; i < 5; i++) await one().take([wide, narrow], NOW);
      expect(await one().take([wide], NOW)).toEqual({ isGranted: true, counts: [3] });
      expect(await one().take([narrow, wide], NOW)).toEqual({ isGranted: false, counts: [2, 3] });
    });

    it('begin anew with the next window, each length by itself', async () => {
      const key = randomUUID();
      const day = { key: `${key} day`, limit: 10, seconds: 86_400 };
      await one().take([minute(1, key), day], NOW);
      expect(await one().take([minute(1, key), day], NOW)).toEqual({ isGranted: false, counts: [1, 1] });
      expect(await one().take([minute(1, key), day], LATER)).toEqual({ isGranted: true, counts: [1, 2] });
    });
  });
}

const memory = new MemoryCounters();
behavesLikeCounters('counters of one process', () => [memory]);

(process.env.REDIS_URL ? describe : describe.skip)('counters in Redis', () => {
  const clients: Redis[] = [];
  const processes: RedisCounters[] = [];
  beforeAll(() => {
    for (let i = 0; i < 4; i++) clients.push(new Redis(process.env.REDIS_URL as string));
    processes.push(...clients.map((client) => new RedisCounters(client)));
  });
  afterAll(() => clients.forEach((client) => client.disconnect()));
  behavesLikeCounters('counters of four processes', () => processes);

  it('are forgotten some time after their window', async () => {
    const key = randomUUID();
    await (processes[0] as RedisCounters).take([minute(5, key)], NOW);
    const [stored] = await (clients[0] as Redis).keys(`limit:60:*:${key}`);
    expect(await (clients[0] as Redis).ttl(stored as string)).toBeGreaterThan(60);
  });
});
