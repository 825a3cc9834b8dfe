import { addedRights, EVERYTHING, NO_RIGHTS, type OthersRights } from './others-rights.js';

const read = (...over: string[]): OthersRights => ({
  rights: over.map((one) => ({ kind: 'read', over: one })),
});
const single = (...ids: string[]): OthersRights => ({
  rights: ids.flatMap((over) => ['read', 'write'].map((kind) => ({ kind, over, isSingle: true }))),
});
const NOTHING = { isWide: false, singles: 0 };
const WIDE = { isWide: true, singles: 0 };

describe('addedRights', () => {
  it.each<[string, OthersRights, OthersRights, object]>([
    ['are all of a record that is new', NO_RIGHTS, read('a tag'), WIDE],
    ['are none when a record ends', read(EVERYTHING), NO_RIGHTS, NOTHING],
    ['are none when nothing changes', read('a', 'b'), read('b', 'a'), NOTHING],
    ['are none when one thing of two is left', read('a', 'b'), read('a'), NOTHING],
    ['are those over another thing', read('a'), read('b'), WIDE],
    ['are those of another kind', read('a'), { rights: [{ kind: 'write', over: 'a' }] }, WIDE],
    ['are none over a part of everything', read(EVERYTHING), read('a'), NOTHING],
    [
      'are none over single things out of everything',
      read(EVERYTHING),
      { rights: [single('a').rights[0]!] },
      NOTHING,
    ],
    ['are those over everything where it was a part', read('a'), read(EVERYTHING), WIDE],
    [
      'count single things once, with however many rights',
      NO_RIGHTS,
      single('a', 'b'),
      { isWide: false, singles: 2 },
    ],
    ['count only single things that are new', single('a'), single('a', 'b'), { isWide: false, singles: 1 }],
  ])('the rights that a write adds for others %s', (_, before, after, added) => {
    expect(addedRights(before, after)).toEqual(added);
  });

  const until = (time: number | null, rights = read('a')): OthersRights => ({
    ...rights,
    until: time === null ? null : new Date(time),
  });
  it.each<[string, OthersRights, OthersRights, object]>([
    ['all of them with a later end', until(1), until(2), WIDE],
    ['all of them with an end that is taken away', until(1), until(null), WIDE],
    ['none with an earlier end', until(2), until(1), NOTHING],
    ['none with an end where there was none', read('a'), until(1), NOTHING],
    [
      'single things anew with a later end',
      until(1, single('a')),
      until(2, single('a')),
      { isWide: false, singles: 1 },
    ],
  ])('the rights that a write adds for others are %s', (_, before, after, added) => {
    expect(addedRights(before, after)).toEqual(added);
  });

  const within = (...limits: string[]): OthersRights => ({ ...read('a'), limits });
  it.each<[string, OthersRights, OthersRights, object]>([
    ['all of them when a limit is gone', within('no x', 'no y'), within('no x'), WIDE],
    ['all of them when the only limit is gone', within('no x'), read('a'), WIDE],
    ['none within a further limit', within('no x'), within('no y', 'no x'), NOTHING],
    ['none when limit and rights end together', within('no x'), NO_RIGHTS, NOTHING],
  ])('the rights that a write adds for others are %s', (_, before, after, added) => {
    expect(addedRights(before, after)).toEqual(added);
  });
});
