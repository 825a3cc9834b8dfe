import { hasUnseen, unseenIn, visibly, withoutUnseen } from './unseen-characters.js';

describe('hasUnseen and withoutUnseen', () => {
  it.each([
    ['a line break', '\n'],
    ['a control character', '\u0007'],
    ['a soft hyphen', '\u00ad'],
    ['a grapheme joiner', '\u034f'],
    ['a Hangul filler', '\u3164'],
    ['a half-width Hangul filler', '\uffa0'],
    ['a Khmer vowel that is not written', '\u17b4'],
    ['a blank Braille pattern', '\u2800'],
    ['a null notehead', '\u{1d159}'],
    ['a right-to-left override', '\u202e'],
    ['a zero-width space', '\u200b'],
    ['a joiner between letters', '\u200d'],
    ['a variation selector behind a letter', '\ufe0f'],
    ['a supplementary variation selector', '\u{e0100}'],
    ['a tag character', '\u{e0061}'],
    ['half a character', '\ud83d'],
  ])('characters that are not seen include %s', (_, character) => {
    expect(hasUnseen(`wo${character}rk`)).toBe(true);
    expect(withoutUnseen(`wo${character}rk`)).toBe('work');
  });

  it.each(['Zoë 👨‍👩‍👧', '❤️', '❤︎', '❤️‍🔥', '1️⃣ first', '🏳️‍🌈', '👩🏽‍⚕️', '🇫🇷', 'naïve café', '東京　駅'])(
    'characters that are not seen are not in the name %s',
    (name) => {
      expect(hasUnseen(name)).toBe(false);
      expect(withoutUnseen(name)).toBe(name);
    },
  );

  it.each(['1\ufe0f', '\u200d❤', '❤\u200d', '❤\ufe0f\ufe0f', '🇫\ufe0f'])(
    'characters that are not seen are in %j, where a part of a picture is out of place',
    (name) => {
      expect(hasUnseen(name)).toBe(true);
    },
  );

  it('characters that are not seen are taken out of a name beside a whole picture, which keeps its joiners', () => {
    expect(withoutUnseen('a\u200b 👨‍👩‍👧 ❤️')).toBe('a 👨‍👩‍👧 ❤️');
    expect(visibly('a\u202e👨‍👩‍👧')).toBe('a[U+202E]👨‍👩‍👧');
  });

  it('characters that are not seen are listed once each, without tabs and ends of lines', () => {
    expect(unseenIn('a\u3164\tb\u3164\n❤️\u2800')).toEqual(['U+3164', 'U+2800']);
  });
});
