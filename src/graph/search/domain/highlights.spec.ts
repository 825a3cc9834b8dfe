import { describe, expect, it } from '@jest/globals';
import { plainLetters, snippetOf, SoughtForms, wordsOf } from './highlights.js';

const term = (word: string, ...forms: string[]) => ({ word, forms: [word, ...forms], isBeginning: false });
const shown = (text: string, ...marks: [number, number][]): string =>
  snippetOf(text, marks)
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join('');

describe('plainLetters', () => {
  it.each([
    ['café', 'cafe'],
    ['cafe\u0301', 'cafe'],
    ['straße', 'strase'],
    ['łódź', 'lodz'],
    ['новую', 'новую'],
    ['서울', '서울'],
  ])('%s has the letters %s', (word, plain) => {
    expect(plainLetters(word)).toBe(plain);
  });
});

describe('wordsOf', () => {
  it('words are runs of letters and digits with their places', () => {
    expect(wordsOf('Ada’s 3rd Café')).toEqual([
      { start: 0, end: 3, written: 'ada', plain: 'ada' },
      { start: 4, end: 5, written: 's', plain: 's' },
      { start: 6, end: 9, written: '3rd', plain: '3rd' },
      { start: 10, end: 14, written: 'café', plain: 'cafe' },
    ]);
  });
});

describe('SoughtForms', () => {
  const wordOf = (text: string) => wordsOf(text)[0] as ReturnType<typeof wordsOf>[number];
  const sailing = wordOf('Sailing');
  const matches = (word: typeof sailing, terms: ReturnType<typeof term>[], stems: string[] = []) =>
    new SoughtForms(terms).matchesIn(word, stems);

  it('a word matches by a stem, by its letters, or as a beginning', () => {
    expect(matches(sailing, [term('sail')], ['sailing', 'sail'])).toEqual([[0, 7]]);
    expect(matches(sailing, [term('sailing')])).toEqual([[0, 7]]);
    expect(matches(sailing, [{ ...term('sai'), isBeginning: true }])).toEqual([[0, 7]]);
    expect(matches(sailing, [term('sai')], ['sail'])).toEqual([]);
  });

  it('pairs of signs match inside a run', () => {
    expect(matches(wordOf('東京大学'), [term('京大'), term('大学')])).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('only words that begin like a form may match', () => {
    const forms = new SoughtForms([term('sailing', 'sail')]);
    expect([forms.mayMatch(sailing), forms.mayMatch(wordOf('boat'))]).toEqual([true, false]);
  });
});

describe('snippetOf', () => {
  it('marks that overlap are one piece', () => {
    expect(shown('東京大学', [1, 3], [2, 4])).toBe('東[京大学]');
  });

  it('a text without marks has no snippet', () => {
    expect(snippetOf('nothing', [])).toEqual([]);
  });

  it('a snippet has the marks that are near each other rather than the first one', () => {
    const text = `one ${'x '.repeat(200)}two and three${' y'.repeat(200)}`;
    const at = text.indexOf('two');
    const snippet = shown(text, [0, 3], [at, at + 3], [at + 8, at + 13]);
    expect(snippet).toMatch(/^…(x )+\[two\] and \[three\]( y)+…$/);
  });

  it('a letter of two UTF-16 units is never cut', () => {
    for (let length = 230; length < 250; length++) {
      const text = `word${'😀'.repeat(length)}`;
      expect(shown(text, [0, 4]).replace(/^\[word\]|…$/gu, '')).toMatch(/^(😀)+$/u);
      const before = `${'😀'.repeat(length)}word`;
      expect(shown(before, [2 * length, 2 * length + 4])).toMatch(/^…(😀)+\[word\]$/u);
    }
  });

  it('a mark longer than a snippet is cut with it', () => {
    expect(shown('w'.repeat(1000), [0, 1000])).toBe(`[${'w'.repeat(240)}]…`);
  });
});
