import { type Pace, ServingPlaces } from './serving-places.js';

const SIZE = 16;

/** A subscription of an owner of its own. */
const subscription = (id: string, ownerId = `owner of ${id}`) => ({ ownerId, id });

describe('ServingPlaces', () => {
  let places: ServingPlaces;
  beforeEach(() => {
    places = new ServingPlaces(SIZE);
  });

  const ids = (prefix: string) => Array.from({ length: SIZE + 1 }, (_, i) => `${prefix} ${i}`);
  const remember = (pace: Pace, those: readonly string[]) => {
    for (const id of those) {
      places.take(subscription(id));
      places.giveUp(subscription(id), pace);
    }
  };
  const taken = (those: readonly string[]) => those.filter((id) => places.take(subscription(id))).length;

  it('quick subscriptions may use all places', () => {
    remember('quick', ids('quick'));
    expect(taken(ids('quick'))).toBe(SIZE);
    expect(places.isFull).toBe(true);
  });

  it('unknown subscriptions take three quarters of the places; only quick ones are then looked for', () => {
    remember('quick', ['quick']);
    expect(taken(ids('unknown'))).toBe(12);
    expect(places.excluded.only).toEqual(['quick']);
    expect(places.take(subscription('quick'))).toBe(true);
  });

  it('slow subscriptions take half of the places; the others are then looked for', () => {
    remember('slow', ids('slow'));
    expect(places.excluded).toEqual({ owners: [], ids: [], only: null });
    expect(taken(ids('slow'))).toBe(8);
    expect(places.isShort).toBe(true);
    expect(new Set(places.excluded.ids)).toEqual(new Set(ids('slow')));
    expect(places.excluded.only).toBeNull();
    expect(taken(ids('unknown'))).toBe(4);
  });

  it('the subscriptions of one owner take a quarter of the places', () => {
    const those = ids('hook').map((id) => subscription(id, 'owner'));
    expect(those.filter((one) => places.take(one)).length).toBe(4);
    expect(places.isShort).toBe(true);
    expect(places.excluded.owners).toEqual(['owner']);
    places.giveUp(those[0]!, 'unknown');
    expect(places.excluded.owners).toEqual([]);
  });

  it('the last turn that showed the pace of a subscription decides its places', () => {
    const hook = subscription('hook');
    remember('slow', ['hook']);
    expect(places.isSlow(hook)).toBe(true);
    remember('unknown', ['hook']);
    expect(places.isSlow(hook)).toBe(true);
    remember('quick', ['hook']);
    expect(places.isSlow(hook)).toBe(false);
  });
});
