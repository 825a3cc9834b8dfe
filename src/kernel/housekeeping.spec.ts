import { describe, expect, it, jest } from '@jest/globals';
import { Clock } from './clock.js';
import { Housekeeping } from './housekeeping.js';
import { type IdempotentRequests } from './http/idempotent-requests.js';
import { type Database } from './database/database.js';
import { type UnitOfWork } from './change-log/unit-of-work.js';

describe('housekeeping', () => {
  const make = (sweep: () => Promise<void>) => {
    const housekeeping = new Housekeeping(
      { close: async () => undefined } as unknown as Database,
      {} as UnitOfWork,
      new Clock(),
      { sweep } as unknown as IdempotentRequests,
    );
    const failed = jest.fn();
    (housekeeping as unknown as { logger: object }).logger = { error: failed };
    return { housekeeping, failed };
  };

  it('runs everything that was registered, and goes on after a failure', async () => {
    const { housekeeping, failed } = make(() => Promise.reject(new Error('no database')));
    const done: string[] = [];
    housekeeping.register('one', async () => void done.push('one'));
    housekeeping.register('two', async () => void done.push('two'));
    await housekeeping.sweep();
    expect(done).toEqual(['one', 'two']);
    expect(failed.mock.calls).toEqual([
      [{ err: expect.any(Error), sweep: 'idempotency keys' }, 'sweep failed'],
    ]);
  });

  it('takes each name once', () => {
    const { housekeeping } = make(async () => undefined);
    housekeeping.register('one', async () => undefined);
    expect(() => housekeeping.register('one', async () => undefined)).toThrow('one');
  });
});
