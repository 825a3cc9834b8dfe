import fc from 'fast-check';
import { Selection } from './field-path.js';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
console.log(`selection properties: seed ${seed}`);

type Step = string | number;

/** The meaning of a set of paths, path by path. */
function restsAfter(
  paths: readonly string[][],
  steps: readonly Step[],
): { isInside: boolean; isEmpty: boolean } {
  let rests = paths;
  for (const step of steps) {
    if (rests.some((rest) => rest.length === 0)) return { isInside: true, isEmpty: false };
    rests =
      typeof step === 'string'
        ? rests.filter(([first]) => first === step || first === '*').map((rest) => rest.slice(1))
        : rests.flatMap((rest) => {
            const isPosition = rest[0] === '*' || /^\d+$/.test(rest[0] ?? '');
            return [isPosition ? rest.slice(1) : rest];
          });
  }
  const isInside = rests.some((rest) => rest.length === 0);
  return { isInside, isEmpty: !isInside && rests.length === 0 };
}

describe('a selection of paths', () => {
  it('leads where each path leads by itself, through keys, elements and wildcards', () => {
    const segment = fc.constantFrom('a', 'b', '*', '0', '1', '__proto__');
    const paths = fc.array(fc.array(segment, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    const steps = fc.array(fc.constantFrom<Step>('a', 'b', '0', '*', '__proto__', 0, 1, 2), { maxLength: 6 });
    fc.assert(
      fc.property(paths, steps, (chosen, way) => {
        const end = way.reduce<Selection>(
          (place, step) => (typeof step === 'string' ? place.key(step) : place.element()),
          Selection.of(chosen),
        );
        expect({ isInside: end.isInside, isEmpty: end.isEmpty }).toEqual(restsAfter(chosen, way));
      }),
      { seed, numRuns: 5_000 },
    );
  });
});
