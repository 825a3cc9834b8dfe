import fc from 'fast-check';
import { typeFault } from './node-type.js';

/** The rule in one expression, which takes quadratic time for a long word. */
const MIXED =
  /(?=[\p{L}\p{M}\u212E]*\p{Script=Latin})[\p{L}\p{M}\u212E]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\u212E]/u;

/** Letters, marks, signs and numbers of the alphabets, and what separates words. */
const UNITS = [
  'a',
  'é',
  'д',
  'α',
  'ա',
  '℮',
  '\u0301',
  'ↀ',
  '҂',
  '֏',
  '\u{10140}',
  ' ',
  '-',
  '1',
  '日',
  '㌖',
  '𝐀',
  'ª',
];

describe('typeFault', () => {
  it('a type is refused exactly where one of its words mixes alphabets', () => {
    const unit = fc.oneof(fc.constantFrom(...UNITS), fc.string({ unit: 'grapheme', maxLength: 1 }));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (type) => {
        const fault = typeFault(type) ?? '';
        fc.pre(!/invisible|newer/.test(fault));
        expect(fault.includes('must not mix')).toBe(MIXED.test(type.normalize('NFKC')));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['aд', 'дa', 'a҂', 'дↀ', 'ℵ a℮', 'x日α'])('a type such as %j is refused as mixed', (type) => {
    expect(typeFault(type)).toContain('must not mix');
  });

  it('a word of 20,000 letters is judged without beginning again at each of them', () => {
    expect(typeFault('é'.repeat(20_000))).toBeNull();
  });
});
