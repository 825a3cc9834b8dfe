/** The failure from which on each further attempt has to wait. */
export const FREE_FAILURES = 10;

const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 15 * 60;

/**
 * Seconds to wait after a number of failures: none before the tenth, then 5, twice as long each time, up to
 * 15 minutes.
 */
export function waitAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** Math.min(failures - FREE_FAILURES, 20));
}
