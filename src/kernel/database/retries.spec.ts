import { jest } from '@jest/globals';
import { Slices } from '../slices.js';
import { retried } from './retries.js';
import { openTransaction, type Transaction } from './transaction.js';

/** The milliseconds of one piece of work on the clock of these tests. */
const PIECE_MS = 100;

describe('a unit of work with long work in it', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Runs a unit of some pieces, of which it finds those that were finished before; the number of attempts. */
  const attemptsFor = async (pieces: number): Promise<number> => {
    const finished = new Set<number>();
    let attempts = 0;
    const piece = function* (index: number) {
      now += PIECE_MS;
      yield undefined;
      finished.add(index);
    };
    await retried(() => {
      attempts++;
      return openTransaction.run({ transaction: { isBegun: true } as Transaction }, async () => {
        for (let index = 0; index < pieces; index++)
          if (!finished.has(index)) await new Slices(Infinity).run(piece(index), true);
      });
    });
    return attempts;
  };

  it('a unit of work is repeated a few times for long work, and each time brings it twice as far (rule 11.9j)', async () => {
    expect(await attemptsFor(2)).toBe(1);
    const [few, many] = [await attemptsFor(20), await attemptsFor(40)];
    expect(few).toBeGreaterThan(1);
    expect(many - few).toBeLessThanOrEqual(1);
  });

  it('a unit of work whose long work never ends is refused with 503', async () => {
    await expect(attemptsFor(1_000)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
