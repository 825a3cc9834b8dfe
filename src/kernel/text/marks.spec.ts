import { withFewMarks } from './marks.js';

describe('runs of marks', () => {
  it('the first 30 of each run stay, and all other text', () => {
    const run = '\u0301\u0327\u0338'.repeat(20);
    expect(withFewMarks(`a${run}b${run} é\u0301`)).toBe(`a${run.slice(0, 30)}b${run.slice(0, 30)} é\u0301`);
  });

  it('half-width voiced marks of Japanese count as marks, because their compatibility forms are', () => {
    expect(withFewMarks(`\uff76${'\uff9e'.repeat(40)}`)).toBe(`\uff76${'\uff9e'.repeat(30)}`);
  });
});
