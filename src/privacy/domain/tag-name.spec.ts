import { alikeKey, tagNameKey } from './tag-name.js';

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
