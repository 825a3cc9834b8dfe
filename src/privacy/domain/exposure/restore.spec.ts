import { atOnce } from '../../../kernel/slices.js';
import { type HiddenBelow, NOTHING_HIDDEN, ownParts, restored } from './restore.js';

const R = '[REDACTED:email]';

describe('restored', () => {
  it('a value that is written back as shown keeps the original', () => {
    expect(restored('a@example.com', R, R)).toBe('a@example.com');
    expect(restored({ a: { b: 'x' } }, { a: {} }, { a: {} })).toEqual({ a: { b: 'x' } });
    expect(restored('stored', null, null)).toBe('stored');
  });

  it('a changed value is stored as written', () => {
    expect(restored('a@example.com', R, 'new')).toBe('new');
    expect(restored({ a: 1 }, { a: 1 }, 'text')).toBe('text');
    expect(restored({ a: 1 }, { a: 1 }, [1])).toEqual([1]);
    expect(restored({ a: 1 }, { a: 1 }, null)).toBeNull();
  });

  it('a value that is changed in part keeps the rest, at every depth', () => {
    const original = { mail: 'a@example.com', deep: { mail: 'b@example.com', n: 1 } };
    const shown = { mail: R, deep: { mail: R, n: 1 } };
    expect(restored(original, shown, { mail: R, deep: { mail: R, n: 2 }, more: R })).toEqual({
      mail: 'a@example.com',
      deep: { mail: 'b@example.com', n: 2 },
      more: R,
    });
  });

  it('a restored object keeps keys that were not shown, and takes away those that were', () => {
    const original = { hidden: 1, shown: 2, box: { hidden: 3, shown: 4 }, open: { a: 1 } };
    const shown = { shown: 2, box: { shown: 4 }, open: { a: 1 } };
    expect(restored(original, shown, {})).toEqual({ hidden: 1, box: { hidden: 3 } });
    expect(restored(original, shown, { hidden: 'mine' })).toEqual({ hidden: 'mine', box: { hidden: 3 } });
    expect(restored(original, undefined, { shown: 5 })).toEqual({ ...original, shown: 5 });
  });

  it('null or an empty array that is written back keeps what was not shown, and clears what was', () => {
    expect(restored('secret', undefined, null)).toBe('secret');
    expect(restored(undefined, undefined, null)).toBeNull();
    expect(restored('open', 'open', null)).toBeNull();
    expect(restored(['secret'], undefined, [])).toEqual(['secret']);
    expect(restored(['open'], ['open'], [])).toEqual([]);
    expect(restored({ a: 1, b: 2 }, { a: 1 }, { a: 1, b: null })).toEqual({ a: 1, b: 2 });
    const original = { box: { hidden: 3, shown: 4 }, open: { a: 1 }, n: 1 };
    const shown = { box: { shown: 4 }, open: { a: 1 }, n: 1 };
    expect(restored(original, shown, null)).toEqual({ box: { hidden: 3 } });
    expect(restored(original, shown, { box: null, open: null })).toEqual({ box: { hidden: 3 }, open: null });
    expect(restored({ a: 1 }, { a: 1 }, null)).toBeNull();
  });

  it('a write without an object below which the rules hide something keeps it emptied, whatever is stored there', () => {
    const place = (keys: readonly string[]): HiddenBelow => ({
      isPossible: keys.length > 0,
      at: (step) => (step === keys[0] ? place(keys.slice(1)) : NOTHING_HIDDEN),
    });
    const below = place(['box', 'inner', 'pin']);
    const shown = { box: { inner: { a: 1 }, b: {} }, n: 1 };
    for (const written of [null, {}, { box: null }, { box: {} }, { n: null, box: { inner: null } }]) {
      const isKept = written !== null && 'n' in written;
      const rest = isKept ? { n: null } : {};
      expect(restored(shown, shown, written, below)).toEqual({ box: { inner: {} }, ...rest });
      const original = { box: { inner: { a: 1, pin: 2 }, b: {} }, n: 1 };
      expect(restored(original, shown, written, below)).toEqual({ box: { inner: { pin: 2 } }, ...rest });
    }
  });

  it('restoring knows elements of arrays by their place, and equal ones wherever they went', () => {
    const original = ['a@example.com', 'plain', 'b@example.com'];
    const shown = [R, 'plain', R];
    expect(restored(original, shown, [R, 'other', R])).toEqual(['a@example.com', 'other', 'b@example.com']);
    expect(restored(original, shown, ['new', R, 'plain', R])).toEqual(['new', ...original]);
    expect(restored(original, shown, [R, 'plain', R, 'end'])).toEqual([...original, 'end']);
    expect(restored(original, shown, ['plain', R])).toEqual(['plain', 'b@example.com']);
    expect(restored(original, shown, [])).toEqual([]);
  });

  it('restoring works inside an element that was changed when none was added or removed', () => {
    const original = [
      { name: 'A', mail: 'a@example.com' },
      { name: 'B', mail: 'b@example.com' },
    ];
    const shown = [
      { name: 'A', mail: R },
      { name: 'B', mail: R },
    ];
    expect(
      restored(original, shown, [
        { name: 'A', mail: R },
        { name: 'Bo', mail: R },
      ]),
    ).toEqual([original[0], { name: 'Bo', mail: 'b@example.com' }]);
    expect(
      restored(original, shown, [{ name: 'N' }, { name: 'A', mail: R }, { name: 'Bo', mail: R }]),
    ).toEqual([{ name: 'N' }, original[0], { name: 'Bo', mail: 'b@example.com' }]);
  });

  it('restoring never gives one element what belongs to another when it cannot tell them apart', () => {
    const original = [
      { name: 'A', mail: 'a@example.com' },
      { name: 'B', mail: 'b@example.com' },
    ];
    const shown = [
      { name: 'A', mail: R },
      { name: 'B', mail: R },
    ];
    expect(restored(original, shown, [{ name: 'Bo', mail: R }])).toEqual([{ name: 'Bo', mail: R }]);
  });

  it('restoring follows elements that changed places by what was shown of them', () => {
    const original = [
      { name: 'A', mail: 'a@example.com' },
      { name: 'B', mail: 'b@example.com' },
      { name: 'C', mail: 'c@example.com' },
    ];
    const [a, b, c] = original.map(({ name }) => ({ name, mail: R }));
    const shown = [a, b, c];
    expect(restored(original, shown, [c, a, b])).toEqual([original[2], original[0], original[1]]);
    expect(restored(original, shown, [b, a])).toEqual([original[1], original[0]]);
    expect(restored(original, shown, [c, b, { name: 'Anna', mail: R }])).toEqual([
      original[2],
      original[1],
      { name: 'Anna', mail: 'a@example.com' },
    ]);
    expect(restored(['x@example.com', 'plain'], [null, 'plain'], ['plain', null])).toEqual([
      'plain',
      'x@example.com',
    ]);
  });

  it('restoring mixes no two elements that changed places and were changed', () => {
    const original = ['A', 'B', 'C'].map((name) => ({ name, mail: `${name}@example.com` }));
    const [a, b, c] = original.map(({ name }) => ({ name, mail: R }));
    const changed = [
      { name: 'Bea', mail: R },
      { name: 'Anna', mail: R },
    ];
    expect(restored(original, [a, b, c], [c, ...changed])).toEqual([original[2], ...changed]);
  });

  it('restoring brings back nothing that the original has lost since it was shown', () => {
    const shown = { a: 1, kept: 2, box: { b: 3, kept: 4 } };
    const written = { a: 2, kept: 2, box: { b: 5, kept: 4 } };
    expect(restored({ a: 1 }, shown, written)).toEqual({ a: 2, box: { b: 5 } });
    expect(restored(null, shown, written)).toEqual({ a: 2, box: { b: 5 } });
    expect(restored([1], [1, 2], [2, 1])).toEqual([2, 1]);
  });

  it('restoring takes keys of every name', () => {
    const original = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as object;
    const result = restored(original, {}, { b: 1 }) as object;
    expect(Object.keys(result)).toEqual(['__proto__', 'constructor', 'b']);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it('restoring is quick with long arrays of equal elements', () => {
    const shown = Array.from({ length: 50_000 }, () => R);
    const original = shown.map((_, index) => `${index}@example.com`);
    const written = ['first', ...shown.slice(0, 49_990), 'last'];
    expect(restored(original, shown, written)).toHaveLength(49_992);
  });
});

describe('ownParts', () => {
  const leaves = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
  const own = (shown: unknown, written: unknown) =>
    leaves(atOnce(ownParts(shown, written))).filter((leaf) => typeof leaf !== 'symbol');

  it('the own parts of what is written are those that are not as shown, at every depth', () => {
    expect(own(R, R)).toEqual([]);
    expect(own('other', R)).toEqual([R]);
    expect(own(undefined, R)).toEqual([R]);
    expect(own({ a: R, b: [R, 1] }, { a: R, b: [1, R] })).toEqual([]);
    expect(own({ a: R, b: { c: R } }, { a: 'new', b: { d: R } })).toEqual(['new', R]);
    expect(
      own(
        [
          { n: 'A', m: R },
          { n: 'B', m: R },
        ],
        [{ n: 'Bo', m: R }],
      ),
    ).toEqual(['Bo', R]);
  });
});
