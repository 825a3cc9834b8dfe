import fc from 'fast-check';
import { isSame } from '../../kernel/json-values.js';
import { type JsonObject } from '../../graph/index.js';
import { conflictsOf, deltasBetween, withDeltas } from './deltas.js';

const values = fc.dictionary(
  fc.constantFrom('a', 'b', 'c'),
  fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.integer({ min: 0, max: 2 }), fc.constant(null), tie('object')),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  })).value,
) as fc.Arbitrary<JsonObject>;

describe('deltas', () => {
  it('lead from any value to any other', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        expect(isSame(withDeltas(before, deltasBetween(before, after, [])), after)).toBe(true);
      }),
    );
  });

  it('leave alone what they do not touch', () => {
    const deltas = deltasBetween({ m: { a: 1, b: 2 } }, { m: { a: 5 } }, []);
    expect(withDeltas({ m: { a: 1, b: 2, later: 3 }, n: 4 }, deltas)).toEqual({
      m: { a: 5, later: 3 },
      n: 4,
    });
  });

  it('are in conflict with what changed since their base at the same place, and only there', () => {
    const deltas = deltasBetween({ m: { a: 1, b: 2 } }, { m: { a: 5, b: 2 } }, []);
    expect(conflictsOf(deltas, { m: { a: 1, b: 2 } }, { m: { a: 1, b: 9 } })).toEqual([]);
    expect(conflictsOf(deltas, { m: { a: 1 } }, { m: { a: 7 } })).toEqual(['m.a']);
    expect(conflictsOf(deltas, { m: { a: 1 } }, { m: { a: 5 } })).toEqual([]);
  });
});
