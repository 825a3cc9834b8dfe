import fc from 'fast-check';
import { foldedKey } from '../folded-key.js';
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
        ? rests
            .filter(([first]) => first === '*' || foldedKey(first!) === foldedKey(step))
            .map((rest) => rest.slice(1))
        : rests.flatMap((rest) => {
            const isPosition = rest[0] === '*' || /^\d+$/.test(foldedKey(rest[0] ?? ''));
            return [isPosition ? rest.slice(1) : rest];
          });
  }
  const isInside = rests.some((rest) => rest.length === 0);
  return { isInside, isEmpty: !isInside && rests.length === 0 };
}

describe('a selection of paths', () => {
  it('leads where each path leads by itself, through keys, elements and wildcards', () => {
    const segment = fc.constantFrom('a', 'A', 'b', '*', '＊', '0', '１', '__proto__');
    const paths = fc.array(fc.array(segment, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
    const steps = fc.array(fc.constantFrom<Step>('a', ' Ａ', 'b', '0', '*', '＊', '__proto__', 0, 1, 2), {
      maxLength: 6,
    });
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

  it.each([
    ['Größe'.normalize('NFD'), 'Größe'],
    ['größe', 'GRÖSSE'],
    ['diagnose', 'Diagnose'],
    ['diagnose', 'diagnose '],
    ['diagnose', '\u200bdiag\u00adnose'],
    ['diagnose', 'ｄｉａｇｎｏｓｅ'],
    ['İd', 'id'],
    ['first name', '\u00a0First Name'],
    ['a．b', 'a.b'],
  ])('a path to %j also leads to the key %j, and the reverse (rule 3.15i)', (one, other) => {
    for (const [written, key] of [
      [one, other],
      [other, one],
    ] as const) {
      expect(
        Selection.of([['metadata', written]])
          .key('metadata')
          .key(key).isNamed,
      ).toBe(true);
      expect(
        Selection.of([['metadata', written]])
          .step('metadata')
          .step(key).isNamed,
      ).toBe(true);
    }
  });

  it('a path leads to a key of any length that folds to it, and many marks are one key (rule 3.15i)', () => {
    const marked = (count: number): string => `a${'\u0301\u0323'.repeat(count)}`;
    const selection = Selection.of([
      ['metadata', 'diagnose'],
      ['metadata', marked(20)],
    ]).key('metadata');
    expect(selection.key(`\u200b${' '.repeat(100_000)}Diag${'\u200b'.repeat(100_000)}nose`).isNamed).toBe(
      true,
    );
    expect(selection.key(marked(100_000)).isNamed).toBe(true);
    expect(selection.key(`${'diagnose '.repeat(10_000)}ö`).isEmpty).toBe(true);
  });

  it.each([
    ['diagnose', 'diagnoses'],
    ['first name', 'firstname'],
    ['＊', 'diagnose'],
    ['o', 'ö'],
  ])('a path to %j does not lead to the key %j', (written, key) => {
    expect(
      Selection.of([['metadata', written]])
        .key('metadata')
        .key(key).isEmpty,
    ).toBe(true);
  });
});
