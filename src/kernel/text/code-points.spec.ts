import fc from 'fast-check';
import { codePoints } from './code-points.js';

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
