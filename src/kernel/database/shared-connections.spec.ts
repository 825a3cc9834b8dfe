import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { requestContext } from '../request-context.js';
import { type Leave } from '../caller-places.js';
import { SharedConnections } from './shared-connections.js';

const HOUR = 3_600_000;

describe('the connections of all people together (rule 11.9d)', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const isFree = (place: Leave | Promise<Leave>): boolean => typeof place === 'function';

  it('a person with a connection takes another one only while ordinary ones are free', () => {
    const shared = new SharedConnections(3, HOUR);
    expect(['alice', 'alice', 'bob'].map((caller) => isFree(shared.take(caller)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(isFree(shared.take('alice'))).toBe(false);
    expect(isFree(shared.take('bob'))).toBe(false);
    expect(isFree(shared.take('carol'))).toBe(true);
    expect(isFree(shared.take('carol'))).toBe(false);
  });

  it('a connection that is returned goes to the first who may have it, and to a person who is left with none', async () => {
    const shared = new SharedConnections(1, HOUR);
    const [first, second] = ['alice', 'bob'].map((caller) => shared.take(caller) as Leave);
    const entered: string[] = [];
    for (const caller of ['alice', 'bob'])
      void Promise.resolve(shared.take(caller)).then(() => entered.push(caller));
    // Alice still uses the only ordinary one; bob has none left.
    second?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(entered).toEqual(['bob']);
    first?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(entered).toEqual(['bob', 'alice']);
  });

  it('a person who waited too long for a connection is refused', async () => {
    const shared = new SharedConnections(1, 10);
    const leave = shared.take('alice') as Leave;
    const refused = expect(shared.run('alice', () => Promise.resolve())).rejects.toMatchObject({
      code: 'TOO_MUCH_UNDER_WAY',
      details: { limit: 'process' },
    });
    await jest.advanceTimersByTimeAsync(10);
    await refused;
    leave();
    expect(isFree(shared.take('alice'))).toBe(true);
    expect(isFree(shared.take('alice'))).toBe(false);
  });

  it('work that fails returns its connection', async () => {
    const shared = new SharedConnections(1, HOUR);
    await expect(shared.run('alice', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(isFree(shared.take('alice'))).toBe(true);
  });

  it('a request that ends access does not wait for the connections of all people', () => {
    const shared = new SharedConnections(1, HOUR);
    void shared.take('alice');
    const context = { requestId: 'r', actor: { type: 'user', userId: 'alice', appId: null } } as const;
    const ending = { ...context, changeReason: null, endsAccess: true };
    expect(isFree(requestContext.run(ending, () => shared.take('alice')))).toBe(true);
  });
});
