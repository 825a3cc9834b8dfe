// @ts-check
import { openSync, readSync } from 'node:fs';

/** A bound on the cost of one task: work of this thread, or time beyond the patience of the caller. */
/** @typedef {{ isSpent: () => boolean }} Budget */

const worked = workedHere();

/** @param {number} milliseconds @param {number} patience @returns {Budget} */
export function budgetOf(milliseconds, patience) {
  const [begun, workedBefore] = [performance.now(), worked()];
  return {
    isSpent: () => {
      const passed = performance.now() - begun;
      // A thread never works longer than the clock says, so the clock alone mostly decides.
      return passed > milliseconds && (passed > patience || worked() - workedBefore > milliseconds);
    },
  };
}

/**
 * The milliseconds for which this thread has had a processor: on a busy machine much less than have passed.
 * Linux reports them in a file; on other systems the clock is used.
 * @returns {() => number}
 */
function workedHere() {
  const line = Buffer.alloc(80);
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const read = () =>
      Number(line.toString('latin1', 0, readSync(file, line, 0, line.length, 0)).split(' ')[0]) / 1e6;
    if (read() > 0) return read;
  } catch {
    // Another system, or a sandbox without that file.
  }
  return () => performance.now();
}
