import fc from 'fast-check';
import { codePoints, firstCodePoints } from './code-points.js';

describe('codePoints', () => {
  it('code points of a text are what the language iterates over, with pairs, lone halves and halves the wrong way round', () => {
    const unit = fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀');
    const text = fc.array(unit).map((units) => units.join(''));
    fc.assert(
      fc.property(text, (given) => codePoints(given) === Array.from(given).length),
      { numRuns: 2_000 },
    );
  });
});

describe('firstCodePoints', () => {
  it('a text is cut where the language has counted as many characters, and never inside a pair', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '\ud83d', '\ude00', '😀')).map((units) => units.join(''));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 0, max: 12 }),
        (whole, most) => firstCodePoints(whole, most) === Array.from(whole).slice(0, most).join(''),
      ),
      { numRuns: 2_000 },
    );
  });
});
