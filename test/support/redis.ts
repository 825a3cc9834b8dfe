import { type Redis as Client } from 'ioredis';
import { once } from 'node:events';
import { Config } from '../../src/config/config.js';
import { Redis } from '../../src/kernel/redis/redis.js';

/** The Redis of the services lane. */
export function redisUrl(): string {
  const url = process.env.REDIS_URL;
  if (!url) throw new Error('tests of Redis need REDIS_URL: npm run test:services');
  return url;
}

export async function connected(url: string): Promise<Redis> {
  const redis = await Redis.open(new Config({ REDIS_URL: url }));
  await once(redis.client as Client, 'ready');
  return redis;
}
