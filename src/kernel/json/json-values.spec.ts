import { atOnce } from '../slices.js';
import { canonicalSteps, canonicalText, isSame } from './json-values.js';

describe('the sameness of JSON values', () => {
  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, false],
    [{ a: null }, {}, false],
    [[1, 2], [2, 1], false],
    [[], {}, false],
    [null, {}, false],
    ['1', 1, false],
    [-0, 0, true],
  ])('%j and %j: %s', (a, b, same) => {
    expect(isSame(a, b)).toBe(same);
    expect(isSame(b, a)).toBe(same);
  });
});

describe('canonicalText', () => {
  const sorted = (_key: string, part: unknown): unknown =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;

  it.each([
    [{ b: 1, a: [true, null, { d: 'é\n', c: -0 }] }],
    [{ 10: 1, 9: 2, '01': 3, '-1': 4, 4294967295: 5, 4294967294: 6, '': 7 }],
    [JSON.parse('{"b":{},"__proto__":[],"a":1e21}')],
    [{ a: undefined, b: [undefined] }],
    ['text'],
    [undefined],
    [[]],
  ])('the canonical text of a JSON value of %j has sorted keys, the integers first', (value) => {
    expect(canonicalText(value)).toBe(JSON.stringify(value, sorted) ?? 'undefined');
  });

  it('the canonical text of a JSON value is made in steps of at most 32 parts', () => {
    const value = { many: Array.from({ length: 1_000 }, (_, index) => ({ [`k${index}`]: index })) };
    const work = canonicalSteps(value);
    let steps = 0;
    while (work.next().done !== true) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(1_000 / 32 - 1);
    expect(atOnce(canonicalSteps(value))).toBe(canonicalText(value));
  });
});
