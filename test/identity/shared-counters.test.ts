import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SharedCounters } from '../../src/identity/infrastructure/shared-counters.js';
import { connected } from '../support/redis.js';

const NOW = new Date('2026-03-01T12:00:30Z');
const minute = () => ({ key: randomUUID(), limit: 30, seconds: 60 });

describe('fallback', () => {
  let hanging: Server;
  beforeAll(async () => {
    // Reports only that it is ready.
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

  it('counters beside a Redis that hangs fall back to those of the process', async () => {
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
