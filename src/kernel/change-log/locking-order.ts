import { requestContext } from '../request-context.js';

/**
 * The order in which a unit locks counters: that of the person who acts first, then by id. A unit that waits for its own
 * person's counter holds nobody else's meanwhile. Two people who change each other's counters at the same time can
 * deadlock; the database ends one unit, which is tried again.
 */
export function inLockingOrder(ids: Iterable<string>): string[] {
  const { userId } = requestContext.current().actor;
  return [...new Set(ids)].sort((a, b) => {
    if (a === userId || b === userId) return a === b ? 0 : a === userId ? -1 : 1;
    return a < b ? -1 : 1;
  });
}
