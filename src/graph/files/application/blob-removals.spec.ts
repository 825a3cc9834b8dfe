import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BlobRemovals } from './blob-removals.js';
import { type BlobStore } from './blob-store.js';

/** A store that fails on these keys after this time. */
function failing(keys: readonly string[], milliseconds: number): { store: BlobStore; asked: string[] } {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const asked: string[] = [];
  const remove = (key: string): Promise<void> => {
    asked.push(key);
    if (!keys.includes(key)) return Promise.resolve();
    now += milliseconds;
    return Promise.reject(new Error(key));
  };
  return { store: { remove } as unknown as BlobStore, asked };
}

const KEYS = ['a', 'b', 'c', 'd', 'e'];

describe('BlobRemovals', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('removals of many blobs end with the patience for a store that says nothing', async () => {
    const { store, asked } = failing(KEYS, 10_000);
    const told: unknown[] = [];
    const removals = new BlobRemovals(store, (error) => told.push(error));
    for (const key of KEYS) expect(await removals.remove(key)).toBe(false);
    expect(asked).toEqual(['a', 'b']);
    expect([told.length, removals.isGivenUp]).toEqual([2, true]);
  });

  it('removals of many blobs go on past blobs that are refused at once', async () => {
    const { store, asked } = failing(['a', 'b', 'c', 'd'], 999);
    const removals = new BlobRemovals(store, () => undefined);
    const gone = [];
    for (let round = 0; round < 10; round++) await removals.remove('a');
    asked.length = 0;
    for (const key of KEYS) gone.push(await removals.remove(key));
    expect(gone).toEqual([false, false, false, false, true]);
    expect([asked, removals.isGivenUp]).toEqual([KEYS, false]);
  });
});
