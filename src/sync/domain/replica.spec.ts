import {
  advance,
  type Base,
  beginPass,
  completed,
  deliveredUpTo,
  heldAt,
  lowestKey,
  momentsOf,
  newestOf,
  reachedBy,
} from './replica.js';

const at = (changes: number, app = 1) => ({ changes, app });
const whole = (changes: number): Base => ({ order: 'last change', start: 0, end: at(changes), seams: [] });

describe('the state of a replica', () => {
  /** Nodes changed in 10..20, delivered in two pages: up to key 14 at moment 22, the rest at moment 25. */
  const patched: Base = {
    order: 'last change',
    start: 10,
    end: at(20),
    seams: [
      { upTo: 14, at: at(22) },
      { upTo: 20, at: at(25) },
    ],
  };

  it.each([
    ['changed in the first page', { key: 12, touched: 12 }, at(22)],
    ['changed at the last key of the first page', { key: 14, touched: 14 }, at(22)],
    ['changed in the second page', { key: 15, touched: 15 }, at(25)],
    ['not changed since the start of the pass', { key: 12, touched: null }, at(20)],
    ['changed at the start of the pass', { key: 12, touched: 10 }, at(20)],
    ['changed after the moment of its page', { key: 12, touched: 23 }, at(20)],
    ['changed beyond the last page', { key: 21, touched: 21 }, at(20)],
  ])('a node %s is held as its page saw it, or as at the end of the pass', (_, key, moment) => {
    expect(heldAt(patched, key)).toEqual(moment);
  });

  it('a replica without seams holds every node as at the end of its pass', () => {
    expect(heldAt(whole(20), { key: 3, touched: 3 })).toEqual(at(20));
    expect(momentsOf(whole(20))).toEqual([at(20)]);
    expect(momentsOf(patched)).toEqual([at(20), at(22), at(25)]);
  });

  it('a first pass, and one after a change of rules, visits all nodes', () => {
    const order = 'last change' as const;
    expect(beginPass(null, at(30), { order, isUnruled: true })).toMatchObject({ start: 0, reached: 0 });
    expect(beginPass(whole(20), at(30), { order, isUnruled: false })).toMatchObject({ start: 0, reached: 0 });
  });

  it('a later pass visits what changed since the end of the one before', () => {
    const byChange = beginPass(whole(20), at(30), { order: 'last change', isUnruled: true });
    expect(byChange).toEqual({
      order: 'last change',
      start: 20,
      end: at(30),
      seams: [],
      reached: 20,
      alike: at(30),
    });
    const byCreation = beginPass(whole(20), at(30), { order: 'creation', isUnruled: true });
    expect(byCreation).toMatchObject({ start: 20, reached: 0 });
    expect(lowestKey(byCreation)).toBe(0);
  });

  it('pages of one moment are one seam, and a page that brings nothing further changes nothing', () => {
    const begun = beginPass(whole(20), at(30), { order: 'last change', isUnruled: true });
    const once = advance(begun, 22, at(30));
    const twice = advance(once, 25, at(30));
    expect(twice).toMatchObject({ reached: 25, seams: [{ upTo: 25, at: at(30) }] });
    expect(advance(twice, 25, at(31))).toBe(twice);
    const moved = advance(twice, 28, at(31));
    expect(moved.seams).toEqual([
      { upTo: 25, at: at(30) },
      { upTo: 28, at: at(31) },
    ]);
    expect(advance(moved, 29, at(31, 2)).seams).toHaveLength(3);
  });

  it('a pass during which nothing changed leaves a base without seams, any other keeps them', () => {
    const begun = beginPass(whole(20), at(30), { order: 'creation', isUnruled: true });
    expect(completed(advance(begun, 25, at(30)))).toEqual(whole(30));
    expect(completed(begun)).toEqual(whole(30));
    const moved = advance(begun, 25, at(31));
    expect(completed(moved)).toEqual({ order: 'creation', start: 20, end: at(30), seams: moved.seams });
  });

  it('a replica has delivered what its base holds, and has reached what its pass has visited', () => {
    const pass = advance(beginPass(whole(20), at(30), { order: 'last change', isUnruled: true }), 25, at(30));
    expect(deliveredUpTo({ base: null })).toBe(0);
    expect([deliveredUpTo({ base: whole(20) }), reachedBy({ base: whole(20), pass })]).toEqual([20, 25]);
    expect(reachedBy({ base: whole(20), pass: null })).toBe(20);
    expect(reachedBy({ base: null, pass: null })).toBe(0);
  });

  it('a replica knows of the moments of its pages and of those at which nothing shown was changed', () => {
    const pass = advance(beginPass(null, at(30), { order: 'creation', isUnruled: true }), 25, at(33));
    expect(newestOf({ base: null, pass: null, parts: {} })).toBe(0);
    expect(newestOf({ base: patched, pass: null, parts: {} })).toBe(25);
    expect(newestOf({ base: patched, pass: { ...pass, alike: at(40) }, parts: {} })).toBe(40);
    const parts = { tags: { base: whole(50), pass: null } };
    expect(newestOf({ base: patched, pass: null, parts })).toBe(50);
    expect(advance({ ...pass, alike: at(40) }, 27, at(33))).toMatchObject({ alike: at(40) });
    expect(advance({ ...pass, alike: at(40) }, 27, at(41))).toMatchObject({ alike: at(41) });
  });
});
