import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { requestContext } from '../request-context.js';
import { type Leave } from '../caller-places.js';
import { PersonShares } from './person-shares.js';

const HOUR = 3_600_000;

const as = <T>(endsAccess: boolean, work: () => T): T =>
  requestContext.run(
    {
      requestId: 'request',
      actor: { type: 'user', userId: 'alice', appId: null },
      changeReason: null,
      endsAccess,
    },
    work,
  );
const take = (shares: PersonShares, endsAccess = false): Leave | Promise<Leave> =>
  as(endsAccess, () => shares.take('alice'));
const isFree = (place: Leave | Promise<Leave>): boolean => typeof place === 'function';

describe('the connections of one person (rule 11.9d)', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 4],
  ])('requests that end no access take, of %d places, at most %d', (most, ordinary) => {
    const shares = new PersonShares(most, HOUR, 'writes');
    for (let taken = 0; taken < ordinary; taken++) expect(isFree(take(shares))).toBe(true);
    expect(isFree(take(shares))).toBe(false);
  });

  it.each([1, 3])(
    'a request that ends access finds a place of %d while others of the person wait',
    (most) => {
      const shares = new PersonShares(most, HOUR, 'writes');
      for (let request = 0; request < 20; request++) void take(shares);
      const place = take(shares, true);
      expect(isFree(place)).toBe(true);
      expect(isFree(take(shares, true))).toBe(false);
    },
  );

  it('requests that end access wait for each other, and their place returns to them alone', async () => {
    const shares = new PersonShares(1, HOUR, 'writes');
    void take(shares);
    const waiting = Promise.resolve(take(shares)).then(() => 'ordinary');
    const first = take(shares, true) as Leave;
    const second = Promise.resolve(take(shares, true)).then(() => 'ending');
    first();
    expect(await Promise.race([waiting, second])).toBe('ending');
  });

  it('work of a request that ends access runs beside other work of the person', async () => {
    const shares = new PersonShares(1, HOUR, 'reads');
    void take(shares);
    expect(await as(true, () => shares.run('alice', () => Promise.resolve('read')))).toBe('read');
  });

  it.each(['reads', 'writes'] as const)(
    'a refusal of %s names them, the caller and the places',
    async (kind) => {
      const shares = new PersonShares(3, 0, kind);
      for (let taken = 0; taken < 2; taken++) void take(shares);
      const refused = expect(take(shares)).rejects.toMatchObject({
        code: 'TOO_MUCH_UNDER_WAY',
        details: { limit: 'caller', [`max_${kind}`]: 2 },
      });
      await jest.advanceTimersByTimeAsync(0);
      await refused;
    },
  );
});
