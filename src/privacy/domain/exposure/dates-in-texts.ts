import { withoutUnseen } from '../../../kernel/text/unseen-characters.js';
import { MONTH_NAMES } from './month-names.js';
import type { Granularity } from './transformation.js';

/** The longest text that is searched: a date with weekday, time and zone fits in every language. */
const LONGEST = 60;

/** A name of a zone behind a time, as JavaScript and Java write it. */
const ZONE_NAME = /\s?(?:\([^()]*\)|\[[^[\]]*\])$/;

/**
 * A text in which every form of digits, dashes and letters is the usual one; null if it is too long to be
 * searched.
 */
export function plainText(text: string): string | null {
  if (text.length > 2 * LONGEST) return null;
  const plain = withoutUnseen(text)
    .normalize('NFKC')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit)))
    .trim();
  return plain.replace(ZONE_NAME, '').length <= LONGEST ? plain.replace(ZONE_NAME, '') : null;
}

/** The digits of an alphabet are ten characters in a row, and rows may follow each other. */
function digitOf(character: string): number {
  const code = character.codePointAt(0)!;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

const isMonth = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 12;
const isDay = (digits: string): boolean =>
  /^\d{1,2}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= 31;
const isYear = (digits: string): boolean => /^[12]\d{3}$/.test(digits);

/**
 * True if a text holds a date finer than the granularity, in a form that cannot be rounded (rule 3.15g). By
 * day it has to hold more than the date, such as a time in digits.
 * @param text as returned by {@link plainText}
 */
export function holdsDate(text: string, granularity: Granularity): boolean {
  const numbers = text.match(/\d+/g) ?? [];
  const isTimed = (ofDate: number): boolean => granularity !== 'day' || numbers.length > ofDate;
  if (COMPACT.test(text)) return isTimed(1);
  if (WEEK.test(text) || ORDINAL.test(text)) return isTimed(2);
  if (holdsNumbers(text)) return isTimed(3);
  if (holdsNamedDay(text)) return isTimed(UNIT.test(text) ? 3 : 2);
  return granularity === 'year' && (MONTH_ALONE.test(text) || QUARTER.test(text) || isNamedMonth(text));
}

const COMPACT = /(?<!\d)(?:1[89]|2[01])\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)/;
const WEEK = /(?<![\p{L}\d])\d{4}-?W\d\d(?:-?\d)?(?!\d)/iu;
const ORDINAL = /^[12]\d{3}-(?:[0-2]\d\d|3[0-5]\d|36[0-6])(?:T.*)?$/i;
const QUARTER = /^(?:[12]\d{3}[-/\s]?Q[1-4]|Q[1-4][-/\s]?[12]\d{3})$/i;
const MONTH_ALONE =
  /^(?:(?:0?[1-9]|1[0-2])[./-]\d{4}|\d{4}[./-](?:0?[1-9]|1[0-2]))(?:(?:\s?(?:\/|--)\s?|\s-\s)[\d./-]{1,7})?$/;

/** Three numbers with the same separator twice; they may overlap. */
const NUMBERS = /(?<!\d)(?=(\d{1,4})([-./_\s]|\.\s)(\d{1,2})\2(\d{1,4})(?!\d))/g;
const WEEKDAY_BEFORE = /^(?:\p{L}{2,12}\.?,?\s)?$/u;
const TIME_BEHIND = /^\.?(?:$|[T,\s])/;

/** Three numbers as found in a text, and how they join others. */
interface Triple {
  numbers: [string, string, string];
  separator: string;
  before: string;
  behind: string;
  isContinued: boolean;
}

function holdsNumbers(text: string): boolean {
  for (const { 1: first, 2: separator, 3: second, 4: third, index } of text.matchAll(NUMBERS)) {
    const before = text.slice(0, index);
    const behind = text.slice(index + `${first}${separator}${second}${separator}${third}`.length);
    // A number before it with the same separator makes it a part of a telephone number or an address.
    if (before.endsWith(separator!) && /\d$/.test(before.slice(0, -separator!.length))) continue;
    const isContinued = behind.startsWith(separator!) && /^\d/.test(behind.slice(separator!.length));
    const numbers: Triple['numbers'] = [first!, second!, third!];
    if (isDate({ numbers, separator: separator!, before, behind, isContinued })) return true;
  }
  return false;
}

function isDate(triple: Triple): boolean {
  const { numbers, separator, before, behind, isContinued } = triple;
  const [first, second, third] = numbers;
  const isPadded = numbers.every(({ length }) => length === 2 || length === 4);
  if (isYear(first)) {
    if (!isMonth(second) || !isDay(third)) return false;
    const isVersion = separator === '.' && (before !== '' || !/^\.?$/.test(behind));
    return isPadded || (!isContinued && !isVersion);
  }
  if (!isDay(first) || !isDay(second) || !(isMonth(first) || isMonth(second))) return false;
  if (isYear(third)) return !isContinued || (isPadded && separator !== ' ');
  // Other numbers that end with two digits are as often versions.
  const isUsual = separator === '/' || separator === '. ' || (isPadded && '-.'.includes(separator));
  const isShort = third.length === 2 && isUsual;
  return isShort && !isContinued && WEEKDAY_BEFORE.test(before) && TIME_BEHIND.test(behind);
}

const TOKENS = /\d+|[\p{L}\p{M}]+|[^\d\p{L}\p{M}]+/gu;
const NUMBER = /^\d/;
const WORD = /^[\p{L}\p{M}]/u;
const ROMAN = /^(?:i{1,3}|iv|vi{0,3}|ix|xi{0,2})$/i;
/** Words for `month` that need its number. */
const UNITS: ReadonlySet<string> = new Set(['月', '월', 'thang', 'сар', 'сарын']);
const UNIT = /月|월|tháng|сар/iu;

/** The form of a word in {@link MONTH_NAMES}. */
const nameOf = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();

const isName = (token: string | undefined): boolean => token !== undefined && MONTH_NAMES.has(nameOf(token));

/** A day, a word and two digits at the beginning, with nothing but a time behind them. */
const SHORT_YEAR =
  /^(?:\p{L}{2,12}\.?,?\s)?\d{1,2}(?:st|nd|rd|th|\.)?[\s./-]{0,2}(\p{L}[\p{L}\p{M}]*)\.?[\s./-]{0,2}['’]?\d\d(?=$|[T,\s]+\d)/iu;

/** True if the name or Roman number of a month has a day and a year close to it. */
function holdsNamedDay(text: string): boolean {
  if (isName(SHORT_YEAR.exec(text)?.[1])) return true;
  const tokens = text.match(TOKENS) ?? [];
  return tokens.some((token, index) => {
    if (ROMAN.test(token) && isRomanMonth(tokens, index)) return true;
    if (!isName(token)) return false;
    const near = [...numbersFrom(tokens.slice(0, index).reverse()), ...numbersFrom(tokens.slice(index + 1))];
    return near.some(isYear) && near.filter(isDay).length >= (UNITS.has(nameOf(token)) ? 2 : 1);
  });
}

/** The next numbers, at most two, up to a word of more than four letters or a longer gap. */
function numbersFrom(tokens: readonly string[]): string[] {
  const end = tokens.findIndex(
    (token) =>
      (WORD.test(token) && token.length > 4 && !isName(token)) ||
      (!WORD.test(token) && !NUMBER.test(token) && token.length > 3),
  );
  return tokens
    .slice(0, end === -1 ? undefined : end)
    .filter((token) => NUMBER.test(token))
    .slice(0, 2);
}

function isRomanMonth(tokens: readonly string[], index: number): boolean {
  const isJoined = [tokens[index - 1], tokens[index + 1]].every((gap) =>
    /^(?:[-./\s]|\.\s)$/.test(gap ?? ''),
  );
  const numbers = [tokens[index - 2] ?? '', tokens[index + 2] ?? ''];
  return isJoined && numbers.some(isYear) && numbers.some(isDay);
}

/** True if the whole text is a month and a year, or a span of them. */
function isNamedMonth(text: string): boolean {
  const tokens = text.match(TOKENS) ?? [];
  const names = tokens.filter(isName);
  const words = tokens.filter((token) => WORD.test(token) && !isName(token));
  const numbers = tokens.filter((token) => NUMBER.test(token) && !isYear(token));
  const areNumbersMonths = numbers.every(isMonth) && names.some((name) => UNITS.has(nameOf(name)));
  return (
    names.length > 0 &&
    tokens.some(isYear) &&
    words.every(({ length }) => length <= 3) &&
    (numbers.length === 0 || areNumbersMonths)
  );
}
