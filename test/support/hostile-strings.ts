import { type Chance } from '../properties/random.js';

const PIECES = [
  ...'\'"`\\/;:,.()[]{}<>%_*?+-=|&^$#@!~ \t\n\r',
  ...'abzAZ09éßſıİıσςΣ漢字🙂👨‍👩‍👧‍👦\u202e\u200f\ufeff\u0301\u0327\u200b\u007f\u0001\u001b',
  ...['\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\ufdd0', '\ufffd', '\ufffe', '\uffff'],
  ...['\u{10000}', '\u{1fffe}', '\u{10ffff}', 'ﷺ', 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A', '\r\n', '\u2028', '\u00a0', 'שלום', 'مرحبا'],
  ...["' OR 1=1 --", "'; DROP TABLE nodes; --", "')) UNION SELECT id FROM users --", "E'\\x27'", '$$'],
  ...[
    '${x}',
    '{{7*7}}',
    '<%= 7 %>',
    '#{7}',
    '$1',
    ':name',
    '?',
    '::uuid',
    '%s%n',
    '<script>alert(1)</script>',
  ],
  ...[
    '%00',
    '%2e%2e%2f',
    '%u0041',
    '%',
    '%zz',
    '%ff',
    '\\u0000',
    '\\x00',
    '../..',
    '..\\..',
    'file:///etc/passwd',
  ],
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '__freeform__',
    '*',
    '"1"',
    'W/"1"',
  ],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '9'.repeat(40),
    '0x10',
    '2026-02-31',
    '{}',
  ],
  ...[
    '[]',
    '{"a":[1,{"b":null}]}',
    '{"__proto__":{"x":1}}',
    '"',
    '\r\nSet-Cookie: a=b',
    'Bearer x',
    'a,b',
    'a&b=c',
  ],
];

/** Texts with patterns of a database's pattern languages. */
export const PATTERNS = [
  ...[
    '%',
    '_',
    '%%',
    'a_b',
    'a%b',
    'a\\_b',
    'a\\%b',
    '\\',
    '\\\\',
    '%a%',
    '_____',
    'A_B',
    '[a-z]',
    '.*',
    '^a',
    'a|b',
  ],
  ...['*', "' OR ''='", 'a:*', 'a&b', '!a', '(a)', '"', "''", '~', '~*', 'SIMILAR', 'a{1,9}'],
];

/** Texts that no database can hold. */
const IMPOSSIBLE = ['\u0000', 'a\u0000b', '\ud800', '\udc00x', 'x\udbff', '\udfff\ud800'];

/** One string that an attacker might send. Sometimes empty, sometimes very long. */
export function hostileString(chance: Chance, longest = 20_000): string {
  if (chance.once(50)) return '';
  if (chance.once(25)) return chance.pick(IMPOSSIBLE);
  if (chance.once(6)) return chance.pick(PATTERNS);
  if (chance.once(30)) return chance.pick(PIECES).repeat(1_000).slice(0, longest);
  return Array.from({ length: 1 + chance.below(12) }, () => chance.pick(PIECES)).join('');
}

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The UTF-8 bytes in a form for headers, without those that end a header or that no client sends. */
export const asHeader = (text: string): string =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/[\x00-\x08\x0a-\x1f\x7f]/g, '');

/** Percent-encoded; lone surrogates, which have no encoding, as the bytes that old encoders made of them. */
export const encoded = (text: string): string =>
  [...text]
    .map((character) =>
      character.isWellFormed()
        ? encodeURIComponent(character)
        : [...surrogateBytes(character.charCodeAt(0))]
            .map((byte) => `%${byte.toString(16).toUpperCase()}`)
            .join(''),
    )
    .join('');

const surrogateBytes = (unit: number): number[] => [
  0xe0 | (unit >> 12),
  0x80 | ((unit >> 6) & 0x3f),
  0x80 | (unit & 0x3f),
];

/** Byte sequences that are not UTF-8: overlong, surrogates, beyond the last code point, cut off, stray. */
export const NOT_UTF8 = [
  'c0af',
  'e080af',
  'f08080af',
  'eda080',
  'edbfbf',
  'f4908080',
  'f8888080',
  'ff',
  'fe',
].concat(['80', 'bf', 'c3', 'e282', 'f09f98', 'c328', 'e228a1', 'f0288cbc']);
