import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Readiness } from './readiness.js';

describe('readiness', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('a service that fails is named, and the log has the reason once in ten seconds', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const readiness = new Readiness();
    const err = new Error('no bucket');
    readiness.register('the database', () => Promise.resolve());
    readiness.register('the store', () => Promise.reject(err));
    for (const time of [0, 9_999, 10_000]) {
      now.mockReturnValue(time);
      expect(await readiness.missing()).toBe('the store');
    }
    expect(warn.mock.calls).toEqual(Array(2).fill([{ err }, 'the store does not answer']));
  });
});
