import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { RedisCounters } from '../../src/identity/infrastructure/window-counters.js';
import { redisUrl } from '../support/redis.js';
import { behavesLikeCounters, minute, NOW } from '../support/window-counters.js';

describe('adapter', () => {
  const clients: Redis[] = [];
  const processes: RedisCounters[] = [];
  beforeAll(() => {
    for (let i = 0; i < 4; i++) clients.push(new Redis(redisUrl()));
    processes.push(...clients.map((client) => new RedisCounters(client)));
  });
  afterAll(() => clients.forEach((client) => client.disconnect()));
  behavesLikeCounters('counters of four processes', () => processes);

  it('counters in Redis are forgotten some time after their window', async () => {
    const key = randomUUID();
    await (processes[0] as RedisCounters).take([minute(5, key)], NOW);
    const [stored] = await (clients[0] as Redis).keys(`limit:60:*:${key}`);
    expect(await (clients[0] as Redis).ttl(stored as string)).toBeGreaterThan(60);
  });
});
