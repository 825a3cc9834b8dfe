import { jest } from '@jest/globals';
import { CallLocal } from '../../kernel/call-local.js';
import { type Redis } from '../../kernel/redis/redis.js';
import { counters } from './log-in-limiter.js';

describe('counters of failed log-ins', () => {
  afterEach(() => jest.restoreAllMocks());

  it('the timer of a counter, which lasts for a day, carries nothing of the request that made it', async () => {
    const request = new CallLocal<string>();
    const carried: (string | undefined)[] = [];
    const setTimer = globalThis.setTimeout;
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((...timer: Parameters<typeof setTimer>) => {
      carried.push(request.getStore());
      return setTimer(...timer);
    });
    const failures = counters({ client: null } as Redis, { keyPrefix: 'test', duration: 60 });
    const counted = await request.run('body and response', () => failures.penalty('somebody'));
    expect([counted.consumedPoints, carried]).toEqual([1, [undefined]]);
    await failures.delete('somebody');
  });
});
