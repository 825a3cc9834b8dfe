import type { Span } from './entities.js';

const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0xff10];
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\uff10-\uff19]/g;
const WIDE_SIGNS = /[\uff08\uff09\uff0b\uff0e\uff0f\uff1a\uff20]/g;

/**
 * The text with digits of other scripts, unusual spaces, dashes and full-width signs as their ASCII forms.
 * Every character keeps its position, so positions in the folded text are positions in the original.
 */
export function fold(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return text
    .replace(OTHER_DIGITS, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - ZEROS.find((zero) => code >= zero && code <= zero + 9)!);
    })
    .replace(SPACES, ' ')
    .replace(DASHES, '-')
    .replace(WIDE_SIGNS, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/** Invisible characters in the middle of a possible identifier. */
const UNSEEN_INSIDE = /(?<=[\p{L}\p{N}.@%+_:/-])\p{Default_Ignorable_Code_Point}+(?=[\p{L}\p{N}.@%+_:/-])/gu;

/** A text without some of its characters, and the original position of each of the others. */
export interface Closed {
  text: string;
  /** The span in the original text. */
  opened(span: Span): Span;
}

/** The text without invisible characters inside words; null where there are none. Linear. */
export function closed(text: string): Closed | null {
  const gaps = [...text.matchAll(UNSEEN_INSIDE)];
  if (gaps.length === 0) return null;
  const parts: string[] = [];
  const places: number[] = [];
  const keep = (from: number, to: number): void => {
    parts.push(text.slice(from, to));
    for (let place = from; place < to; place += 1) places.push(place);
  };
  let from = 0;
  for (const { index, 0: gap } of gaps) {
    keep(from, index);
    from = index + gap.length;
  }
  keep(from, text.length);
  const opened = ({ start, end }: Span): Span => ({
    start: places[start] as number,
    end: (places[end - 1] as number) + 1,
  });
  return { text: parts.join(''), opened };
}

/** A letter of a script that puts spaces between words, a digit or an underscore: continues a word. */
const WORD = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d_]/u;

export function isWord(char: string | undefined): boolean {
  return char !== undefined && WORD.test(char);
}

export function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9';
}

/**
 * True if a number at the span is not part of a word or a longer number: no word continues at either side,
 * and no `-` or `.` joins it to more digits (`0.4111…`, `A-123-45-6789`, `123-45-6789-01`).
 */
export function standsAlone(text: string, { start, end }: Span): boolean {
  if (isWord(text[start - 1]) || isWord(text[end])) return false;
  if (text[start - 1] === '-' && isWord(text[start - 2])) return false;
  if (text[start - 1] === '.' && isDigit(text[start - 2])) return false;
  return !((text[end] === '-' || text[end] === '.') && isDigit(text[end + 1]));
}

/** True if the text just before the position ends in the expression (which should end in `$`). */
export function follows(text: string, position: number, expression: RegExp): boolean {
  return expression.test(text.slice(Math.max(0, position - 60), position));
}
