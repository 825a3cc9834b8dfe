import fc from 'fast-check';
import { isSame } from '../../kernel/json/json-values.js';
import { type JsonObject } from '../../graph/index.js';
import { atOnce } from '../../kernel/slices.js';
import { conflictsOf, type Delta, deltasBetween, renewing, withDeltas } from './deltas.js';

const renewed = (...values: Parameters<typeof renewing>) => atOnce(renewing(...values));

const values = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.integer({ min: 0, max: 2 }), fc.constant(null), tie('object')),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  })).value,
) as fc.Arbitrary<JsonObject>;

describe('deltasBetween and withDeltas', () => {
  it('deltas lead from any value to any other', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        expect(isSame(withDeltas(before, deltasBetween(before, after, [])), after)).toBe(true);
      }),
    );
  });

  it('deltas copy an object once, however many of them lead through it', () => {
    let copied = 0;
    const inner = new Proxy(
      { kept: 1 },
      {
        ownKeys: (object) => (copied++, Reflect.ownKeys(object)),
      },
    );
    const deltas = Array.from({ length: 1_000 }, (_, index) => ({ path: ['m', `k${index}`], value: index }));
    const after = withDeltas({ m: inner }, deltas);
    expect(Object.keys(after['m'] as JsonObject)).toHaveLength(1_001);
    expect(copied).toBe(1);
  });

  it('deltas never reach the prototype', () => {
    const after = withDeltas({}, [{ path: ['__proto__', 'polluted'], value: true }]);
    expect(Object.keys(after)).toEqual(['__proto__']);
    expect(({} as JsonObject)['polluted']).toBeUndefined();
  });

  it('deltas leave alone what they do not touch', () => {
    const deltas = deltasBetween({ m: { a: 1, b: 2 } }, { m: { a: 5 } }, []);
    expect(withDeltas({ m: { a: 1, b: 2, later: 3 }, n: 4 }, deltas)).toEqual({
      m: { a: 5, later: 3 },
      n: 4,
    });
  });

  it('deltas are in conflict with what changed since their base at the same place, and only there', () => {
    const deltas = deltasBetween({ m: { a: 1, b: 2 } }, { m: { a: 5, b: 2 } }, []);
    expect(conflictsOf(deltas, { then: { m: { a: 1, b: 2 } }, now: { m: { a: 1, b: 9 } } })).toEqual([]);
    expect(conflictsOf(deltas, { then: { m: { a: 1 } }, now: { m: { a: 7 } } })).toEqual(['m.a']);
    expect(conflictsOf(deltas, { then: { m: { a: 1 } }, now: { m: { a: 5 } } })).toEqual([]);
  });

  it('deltas keep what came since into an object that they add or delete, and add nothing that went since', () => {
    const applied = (then: JsonObject, now: JsonObject, deltas: readonly Delta[]) =>
      withDeltas(now, renewed(deltas, then, now));
    const added = deltasBetween({ m: null }, { m: { a: 1 } }, []);
    expect(applied({ m: null }, { m: { b: 2 } }, added)).toEqual({ m: { b: 2, a: 1 } });
    const deleted = deltasBetween({ m: { a: 1 } }, {}, []);
    expect(applied({ m: { a: 1 } }, { m: { a: 1, b: 2 } }, deleted)).toEqual({ m: { b: 2 } });
    expect(applied({ m: { a: 1 } }, { m: { a: 1 } }, deleted)).toEqual({});
    const whole = [{ path: ['m'], value: { a: 2, hidden: 1 } }];
    expect(applied({ m: { a: 1, hidden: 1 } }, { m: { a: 1 } }, whole)).toEqual({ m: { a: 2 } });
    expect(applied({ m: { a: 1, hidden: 1 } }, { m: null }, whole)).toEqual({ m: { a: 2 } });
  });

  it('deltas are in conflict with a value in the place of an object, and with parts of an object that is added', () => {
    const below = [{ path: ['m', 'a'], value: 1 }];
    expect(conflictsOf(below, { then: { m: { b: 1 } }, now: { m: 'text' } })).toEqual(['m.a']);
    expect(conflictsOf(below, { then: { m: { b: 1 } }, now: { m: null } })).toEqual([]);
    const added = [{ path: ['m'], value: { a: 1 } }];
    expect(conflictsOf(added, { then: { m: null }, now: { m: { b: 1 } } })).toEqual([]);
    expect(conflictsOf(added, { then: { m: null }, now: { m: { a: 2 } } })).toEqual(['m']);
    expect(conflictsOf(added, { then: { m: 'old' }, now: { m: { b: 1 } } })).toEqual(['m']);
  });

  it('deltas take what they keep of an array from the state now', () => {
    const person = (name: string, pin: number) => ({ name, pin });
    const then = { m: { people: [person('Ada', 1), person('Bob', 1)], other: 1 } };
    const wanted = { m: { people: [person('Bob', 1), person('Ada', 1), { name: 'Cleo' }], other: 2 } };
    const now = { m: { people: [person('Ada', 2), person('Bob', 2)], other: 1 } };
    const deltas = deltasBetween(then, wanted, []);
    expect(withDeltas(now, renewed(deltas, then, now))).toEqual({
      m: { people: [person('Bob', 2), person('Ada', 2), { name: 'Cleo' }], other: 2 },
    });
  });

  it('deltas take parts of a long array in steps', () => {
    const list = (pin: number) => Array.from({ length: 1_000 }, (_, name) => ({ name, pin }));
    const then = { list: list(1) };
    const deltas = deltasBetween(then, { list: list(1).reverse() }, []);
    const work = renewing(deltas, then, { list: list(2) });
    let steps = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) steps += 1;
    expect(steps).toBeGreaterThanOrEqual(1_000 / 32 - 1);
    expect(step.value).toEqual([{ path: ['list'], value: list(2).reverse() }]);
  });

  it('deltas stay as they were written where the array is another one now, or the state then is not known', () => {
    const deltas = deltasBetween({ list: ['a', 'b'] }, { list: ['b'] }, []);
    expect(renewed(deltas, { list: ['a', 'b'] }, { list: ['x', 'a', 'b'] })).toEqual(deltas);
    expect(renewed(deltas, { list: ['a', 'b'] }, { list: ['b'] })).toEqual(deltas);
    expect(renewed(deltas, null, { list: ['a', 'b'] })).toEqual(deltas);
  });
});
