import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DuplicateFields, duplicateKey } from './node-duplicates.queries.js';

// Characters that also occur in the key's own format.
const text = fc.string({ unit: fc.constantFrom('a', ':', '=', '1', '0', 'null'), maxLength: 4 });
const likeness: fc.Arbitrary<DuplicateFields> = fc.record({
  graph_view: fc.constantFrom('identity', 'neutral'),
  title: text,
  value: fc.option(text),
});

it('the key of a likeness is equal for likenesses that are equal, and for no others', () => {
  const isEqual = (one: DuplicateFields, other: DuplicateFields): boolean =>
    (['graph_view', 'title', 'value'] as const).every((field) => one[field] === other[field]);
  fc.assert(
    fc.property(likeness, likeness, (one, other) => {
      expect(duplicateKey(one) === duplicateKey(other)).toBe(isEqual(one, other));
    }),
    { numRuns: 20_000, seed: 1 },
  );
});
