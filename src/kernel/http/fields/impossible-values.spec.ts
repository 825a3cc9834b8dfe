import { impossibleValues } from './impossible-values.js';

const NO_FIELD = (): boolean => false;
const nested = (levels: number): unknown => (levels === 0 ? 0 : { x: nested(levels - 1) });

describe('values that no field accepts', () => {
  it.each([
    ['a NUL in a text', { a: [{ b: 'x\0' }] }, 'a.0.b', 'must not contain NUL or lone surrogates'],
    ['a lone surrogate', { a: '\ud800' }, 'a', 'must not contain NUL or lone surrogates'],
    ['a number beyond a double', { a: [1, Infinity] }, 'a.1', 'must be a finite number'],
    ['a key of the prototype', { a: { constructor: 1 } }, 'a.constructor', 'is not allowed as a key'],
    ['a key with a NUL', { a: { '\0': 1 } }, 'a', 'must not have a key with NUL or lone surrogates'],
    [
      'too many levels',
      { a: nested(34) },
      ['a', ...Array<string>(33).fill('x')].join('.'),
      'is nested too deeply',
    ],
  ])('%s is named by its path', (_, body, field, message) => {
    expect(impossibleValues(body, NO_FIELD)).toEqual([{ field, message }]);
  });

  it('a value with as many levels as a free object may have is accepted, and any number in a field with its own limit', () => {
    expect(impossibleValues({ a: nested(33) }, NO_FIELD)).toEqual([]);
    expect(impossibleValues({ a: nested(90) }, (key) => key === 'a')).toEqual([]);
  });

  it('the first twenty are named, and nothing behind them is looked at', () => {
    let looked = 0;
    const values = new Proxy(Array<string>(1_000).fill('\0'), {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) looked++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const named = impossibleValues({ a: values, b: '\0' }, NO_FIELD).map(({ field }) => field);
    expect(named).toEqual(Array.from({ length: 20 }, (_, index) => `a.${index}`));
    expect(looked).toBe(20);
  });
});
