import { jest } from '@jest/globals';
import { Accesses } from '../../src/privacy/index.js';
import { passTime } from './passed-time.js';

/**
 * The most rules that one round of the event loop prepares while the work runs, and the number of all. The process
 * believes that each takes ten milliseconds.
 */
export async function mostInOneRound(work: () => Promise<unknown>): Promise<{ most: number; total: number }> {
  let [most, total, inRound] = [0, 0, 0];
  const key = Accesses.prototype.pseudonymKey;
  const spy = jest.spyOn(Accesses.prototype, 'pseudonymKey').mockImplementation(function (
    this: Accesses,
    ...given
  ) {
    total++;
    if (inRound++ === 0) setImmediate(() => (inRound = 0));
    most = Math.max(most, inRound);
    passTime(10);
    return key.apply(this, given);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return { most, total };
}
