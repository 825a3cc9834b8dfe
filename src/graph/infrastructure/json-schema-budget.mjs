// @ts-check
import { openSync, readSync } from 'node:fs';

/** What looking at a schema may cost: so much work of this thread, in any case no longer than the patience of who asks. */
/** @typedef {{ isSpent: () => boolean }} Budget */

const worked = workedHere();

/** @param {number} milliseconds @param {number} patience @returns {Budget} */
export function budgetOf(milliseconds, patience) {
  const [begun, workedBefore] = [performance.now(), worked()];
  return {
    isSpent: () => {
      const passed = performance.now() - begun;
      // Nobody works longer than the clock says: mostly that is all there is to look at.
      return passed > milliseconds && (passed > patience || worked() - workedBefore > milliseconds);
    },
  };
}

/**
 * The milliseconds that this thread has had a processor: on a busy machine a good deal less than have passed. Linux
 * tells it, file and all; elsewhere the clock has to do.
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
    // Another system, or a sandbox without it.
  }
  return () => performance.now();
}
