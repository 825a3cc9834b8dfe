import { Redis as Client } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { SharedCounters } from '../../src/identity/infrastructure/shared-counters.js';
import { RedisCounters } from '../../src/identity/infrastructure/window-counters.js';
import { connected, redisUrl } from '../support/redis.js';

const NOW = new Date('2026-03-01T12:00:30Z');
const minute = () => ({ key: randomUUID(), limit: 30, seconds: 60 });

/** Keeps the processor from everything else, timers and sockets included. */
function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('shared counters', () => {
  it('counters that all processes share hold in a process that is too busy to read the answer in time', async () => {
    const redis = await connected(redisUrl());
    const other = new Client(redisUrl());
    try {
      const window = minute();
      const [here, elsewhere] = [new SharedCounters(redis), new RedisCounters(other)];
      await here.take([minute()], NOW); // the script is known from here on
      for (let i = 0; i < 3; i++) await elsewhere.take([window], NOW);
      const taken = here.take([window], NOW);
      await new Promise((turn) => setImmediate(turn));
      busyFor(1_200);
      expect(await taken).toEqual({ isGranted: true, counts: [4] });
    } finally {
      redis.onApplicationShutdown();
      other.disconnect();
    }
  });
});
