import { requestContext, SYSTEM_ACTOR } from '../request-context.js';
import { inLockingOrder } from './locking-order.js';

const as = <T>(userId: string | null, work: () => T): T =>
  requestContext.run({ requestId: '', actor: { ...SYSTEM_ACTOR, userId }, changeReason: null }, work);

describe('the order in which counters are locked', () => {
  it("the counter of the person who acts comes before others', which follow by id", () => {
    expect(as('c', () => inLockingOrder(['d', 'b', 'c', 'a', 'b']))).toEqual(['c', 'a', 'b', 'd']);
  });

  it('counters are ordered by id where nobody acts, or on graphs of others alone', () => {
    for (const userId of [null, 'z'])
      expect(as(userId, () => inLockingOrder(['c', 'a', 'b']))).toEqual(['a', 'b', 'c']);
  });
});
