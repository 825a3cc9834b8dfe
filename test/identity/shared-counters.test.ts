import { Redis as Client } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Config } from '../../src/config/config.js';
import { SharedCounters } from '../../src/identity/infrastructure/shared-counters.js';
import { RedisCounters } from '../../src/identity/infrastructure/window-counters.js';
import { Redis } from '../../src/kernel/redis/redis.js';

const NOW = new Date('2026-03-01T12:00:30Z');
const minute = () => ({ key: randomUUID(), limit: 30, seconds: 60 });

async function connected(url: string): Promise<Redis> {
  const redis = await Redis.open(new Config({ REDIS_URL: url }));
  await once(redis.client as Client, 'ready');
  return redis;
}

/** Keeps the processor from everything else, timers and sockets included. */
function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

(process.env.REDIS_URL ? describe : describe.skip)('counters that all processes share', () => {
  it('hold in a process that is too busy to read the answer in time', async () => {
    const redis = await connected(process.env.REDIS_URL as string);
    const other = new Client(process.env.REDIS_URL as string);
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

describe('counters beside a Redis that hangs', () => {
  let hanging: Server;
  beforeAll(async () => {
    // Says that it is ready, and nothing more.
    hanging = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        for (const command of bytes.toString().split(/^\*/m)) {
          if (/^client$/im.test(command)) socket.write('+OK\r\n');
          else if (/^info$/im.test(command)) socket.write('$9\r\nloading:0\r\n');
        }
      });
    }).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
  });
  afterAll(() => hanging.close());

  it('are those of the process', async () => {
    const redis = await connected(`redis://127.0.0.1:${(hanging.address() as AddressInfo).port}`);
    try {
      const [counters, window] = [new SharedCounters(redis), minute()];
      expect(await counters.take([window], NOW)).toEqual({ isGranted: true, counts: [1] });
      expect(await counters.take([window], NOW)).toEqual({ isGranted: true, counts: [2] });
    } finally {
      redis.onApplicationShutdown();
    }
  });
});
