import fc from 'fast-check';
import { alikeKey, tagNameKey } from './tag-name.js';

/** Letters whose case depends on neighbours or grows, and marks, among which random texts would rarely choose. */
const TRICKY = [
  'Σ',
  'σ',
  'ς',
  'ı',
  'I',
  'i',
  'İ',
  'ß',
  'ẞ',
  'ŉ',
  'ΐ',
  'ᾳ',
  'ͅ',
  '\u0307',
  '\u0301',
  'ﬁ',
  'ﷺ',
  'ﬅ',
];
const OTHERS = ['Ǆ', 'ǅ', '𐐀', '𞤀', '𝐀', '\ud800', ' ', '.', "'", '\u00ad', 'A', 'Å', '各', '1'];

/** The definition of the key, letter by letter. */
function keyByLetters(name: string): string {
  const fold = (letter: string) =>
    letter === 'ı' ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
  return Array.from(name.trim().normalize('NFC'), fold).join('').normalize('NFC');
}

describe('tagNameKey', () => {
  it.each([
    ['Work', ' work '],
    ['ÉTÉ', 'e\u0301te\u0301'],
    ['Straße', 'STRASSE'],
    ['Straẞe', 'strasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδοσ', 'οδος'],
    ['İstanbul', 'i̇stanbul'],
    ['K', 'k'],
    ['µ', 'Μ'],
    ['ﬁn', 'FIN'],
    ['Ǆ', 'ǅ'],
    ['𐐀', '𐐨'],
  ])('the key of a tag name is one for %j and %j', (a, b) => {
    expect(tagNameKey(a)).toBe(tagNameKey(b));
  });

  it.each([
    ['sıra', 'sira'],
    ['resume', 'résumé'],
    ['a b', 'ab'],
    ['１', '1'],
  ])('the key of a tag name keeps %j and %j apart', (a, b) => {
    expect(tagNameKey(a)).not.toBe(tagNameKey(b));
  });

  it('the key of a tag name is one for any two letters that simple case folding takes for the same (Unicode, CaseFolding.txt)', () => {
    const differing: string[] = [];
    for (let point = 0; point <= 0x1ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const letter = String.fromCodePoint(point);
      for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
        if (other.length !== letter.length || other === letter) continue;
        const same = new RegExp(`^${letter.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&')}$`, 'iu').test(other);
        if (same && tagNameKey(letter) !== tagNameKey(other)) differing.push(letter + other);
      }
    }
    expect(differing).toEqual([]);
  });

  it('a name folded as a whole has the key that its letters have one by one', () => {
    const unit = fc.oneof(fc.constantFrom(...TRICKY, ...OTHERS), fc.string({ unit: 'binary', maxLength: 1 }));
    const names = fc.string({ unit, maxLength: 12 });
    fc.assert(
      fc.property(names, (name) => {
        expect(tagNameKey(name)).toBe(keyByLetters(name));
        expect(tagNameKey(name.normalize('NFKC'))).toBe(keyByLetters(name.normalize('NFKC')));
      }),
      { numRuns: 1_000 },
    );
    const all = Array.from({ length: 0x20000 }, (_, point) => String.fromCodePoint(point));
    expect(all.filter((letter) => tagNameKey(`aΣ${letter}`) !== keyByLetters(`aΣ${letter}`))).toEqual([]);
  });

  it('the key of a tag name does not change when taken twice', () => {
    for (const name of [' Straße ', 'ΟΔΟΣ', 'É', 'ŉ', 'ᾳ', 'İ']) {
      expect(tagNameKey(tagNameKey(name))).toBe(tagNameKey(name));
    }
  });
});

describe('alikeKey', () => {
  it.each([
    ['work', 'ＷＯＲＫ'],
    ['1', '①'],
    ['fin', 'ﬁn'],
    ['❤️', '❤'],
    ['❤︎', '❤️'],
    ['a b', 'a\u00a0b'],
    ['𝐝𝐢𝐚𝐫𝐲', 'Diary'],
  ])('the likeness of two names is the same for %j and %j', (a, b) => {
    expect(alikeKey(a)).toBe(alikeKey(b));
    expect(alikeKey(alikeKey(a))).toBe(alikeKey(a));
  });

  it.each([
    ['sıra', 'sira'],
    ['resume', 'résumé'],
    ['👨‍👩‍👧', '👨👩👧'],
    ['priv\u0430te', 'private'],
  ])('the likeness of two names differs for %j and %j', (a, b) => {
    expect(alikeKey(a)).not.toBe(alikeKey(b));
  });
});
