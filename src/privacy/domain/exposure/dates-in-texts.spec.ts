import fc from 'fast-check';
import { monthNames } from '../../../../test/support/month-names.mjs';
import { holdsDate, plainText } from './dates-in-texts.js';
import { MONTH_NAMES } from './month-names.js';
import type { Granularity } from './transformation.js';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
console.log(`dates in texts: seed ${seed}`);

const LANGUAGES =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my ne nl no or pa pl pt ro ru si sk sl sr sv sw ta te th tr uk ur uz vi zh zu ar-MA de-AT en-GB es-MX fr-CA pt-PT sr-Latn zh-Hant'.split(
    ' ',
  );
const STYLES = [
  { dateStyle: 'full' },
  { dateStyle: 'long' },
  { dateStyle: 'long', timeStyle: 'short' },
] as const;
const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 17, 10, 11));

const holds = (text: string, granularity: Granularity): boolean => {
  const plain = plainText(text);
  return plain !== null && holdsDate(plain, granularity);
};

/** The written dates that are not found. */
const missed = (locale: string, form: Intl.DateTimeFormatOptions, granularity: Granularity): string[] => {
  const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, { ...form, timeZone: 'UTC' });
  return MONTHS.map((date) => format.format(date)).filter((text) => !holds(text, granularity));
};

describe('recognition', () => {
  it.each(LANGUAGES)('dates in texts are found as written in the language %s (rule 3.15g)', (locale) => {
    for (const style of STYLES) {
      expect(missed(locale, style, 'month')).toEqual([]);
      expect(missed(locale, style, 'year')).toEqual([]);
    }
  });

  it('dates in texts are found with the month names of all languages of ICU (scripts/write-month-names.mjs adds new ones)', () => {
    const names: string[] = monthNames();
    expect(names.length).toBeGreaterThan(3_000);
    expect(names.filter((name) => !MONTH_NAMES.has(name))).toEqual([]);
  }, 60_000);

  it('dates in texts are found with any dash, any digits and any words around them', () => {
    const two = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map((number) => String(number).padStart(2, '0'));
    const zero = fc.constantFrom('0', '٠', '۰', '०', '０', '\u{1D7CE}', '\u{1E950}');
    const dash = fc.constantFrom('-', '\u2010', '\u2011', '–', '—', '−', '－');
    const around = fc.constantFrom('', 'on ', 'Diary: ', '(', 'IMG_');
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 1000, max: 2999 }).map(String), two(1, 12), two(1, 28)),
        zero,
        dash,
        around,
        (parts, digit, between, before) => {
          const inDigits = (text: string) =>
            text.replace(/\d/g, (one) => String.fromCodePoint(digit.codePointAt(0)! + Number(one)));
          expect(holds(`${before}${inDigits(parts.join(between))}`, 'month')).toBe(true);
          expect(holds(`${before}${inDigits(parts.toReversed().join('.'))}`, 'month')).toBe(true);
        },
      ),
      { seed, numRuns: 2_000 },
    );
  });

  it('dates in texts are no years, amounts, telephone numbers and versions', () => {
    const number = fc.integer({ min: 32, max: 999 });
    const words = fc.constantFrom('', 'Budget ', 'v', 'about ', 'Room ');
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 2999 }), number, number, words, (year, one, other, before) => {
        for (const text of [
          `${year}`,
          `${year}.${one}.${other}`,
          `${one} ${other} ${year}`,
          `${one}/${year}`,
        ])
          expect([text, holds(`${before}${text}`, 'year')]).toEqual([text, false]);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it('dates in texts are read with the value of each decimal digit of Unicode', () => {
    const alphabets = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /\p{Nd}/u.test(character));
    expect(alphabets.length % 10).toBe(0);
    for (const [index, digit] of alphabets.entries()) expect(plainText(digit)).toBe(String(index % 10));
  });

  it.each([121, 1_000_000])('dates in texts are not sought in a text of %i characters', (length) => {
    expect(plainText(`2024-05-17 ${'1'.repeat(length - 11)}`)).toBeNull();
  });
});
