import type { Finding, Span } from './entities.js';

const UUID =
  /(?<![\dA-Fa-f])[\dA-Fa-f]{8}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{4}-[\dA-Fa-f]{12}(?![\dA-Fa-f])/g;
const YEAR_FIRST = /(?<![\d.])\d{4}([-./])(\d{1,2})\1(\d{1,2})(?!\d|\1\d)/g;
const YEAR_LAST = /(?<![\d.])(\d{1,2})([-./])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d|\2\d)/g;
const BOOK = /(?<!\d)97[89][- ]?\d{1,5}[- ]?\d{1,7}[- ]?\d{1,6}[- ]?\d(?!\d)/g;
const CLOCK = /(?<!\d)\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?!\d)/g;

/** Finds dates, times, UUIDs and ISBNs: groups of digits that no reader takes for a telephone number. */
export function* spansOfOtherNumbers(text: string): Finding {
  for (const match of text.matchAll(UUID)) yield spanOf(match);
  for (const match of text.matchAll(CLOCK)) yield spanOf(match);
  for (const match of text.matchAll(BOOK)) if (isIsbn(match[0])) yield spanOf(match);
  for (const match of text.matchAll(YEAR_FIRST))
    if (areDayAndMonth(match[2]!, match[3]!)) yield spanOf(match);
  for (const match of text.matchAll(YEAR_LAST)) if (areDayAndMonth(match[1]!, match[3]!)) yield spanOf(match);
}

function spanOf(match: RegExpMatchArray): Span {
  return { start: match.index!, end: match.index! + match[0].length };
}

function areDayAndMonth(one: string, other: string): boolean {
  const [low, high] = [Number(one), Number(other)].sort((a, b) => a - b) as [number, number];
  return low >= 1 && low <= 12 && high <= 31;
}

function isIsbn(written: string): boolean {
  const digits = written.replace(/\D/g, '');
  if (digits.length !== 13) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}
