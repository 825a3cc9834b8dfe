import { withoutUnseen } from '../../../kernel/unseen-characters.js';
import { type LeafChange, REMOVED, textOf } from './leaves.js';
import type { Granularity } from './transformation.js';

const DATE =
  /^((?:[+-]\d\d)?\d{4})(-?)(\d\d)(?:\2(\d\d)(?:([T ])\d\d(:?)\d\d(?:(:?)\d\d(?:([.,])(\d{1,9}))?)?(\s?(?:Z|[+-]\d\d:?\d\d))?)?)?$/i;

/**
 * Rounds a text that as a whole is an ISO 8601 date, month or time: its parts below the granularity become
 * the first ones, its offset stays (`2024-05-17T10:11:12.5+02:00` by month: `2024-05-01T00:00:00.0+02:00`). A
 * Date likewise, in UTC. A date in another form is removed, and so is any other value at a named path, except
 * a year (rule 3.15g).
 */
export function roundedTo(granularity: Granularity): LeafChange {
  return (leaf, _keys, isNamed) => {
    if (leaf === null || leaf === undefined) return leaf;
    if (leaf instanceof Date)
      return Number.isNaN(leaf.getTime()) ? REMOVED : new Date(rounded(leaf.toISOString(), granularity)!);
    const text = textOf(leaf);
    const shown = typeof leaf === 'string' && text.length <= LONGEST ? rounded(text, granularity) : null;
    if (shown !== null) return shown;
    if (isNamed) return YEAR.test(text) ? leaf : REMOVED;
    return typeof leaf === 'string' && isOtherDate(leaf, granularity) ? REMOVED : leaf;
  };
}

const YEAR = /^[+-]?\d{4}$/;

/** The rounded text; null if it is not an ISO 8601 date, month or time. */
function rounded(text: string, granularity: Granularity): string | null {
  const parts = DATE.exec(text);
  if (!parts) return null;
  const [, year, dash, month, day, between, colon, colon2, point, fraction, zone = ''] = parts;
  if (!isMonth(month!) || !isDay(day ?? '1')) return null;
  // Without dashes six digits are any number, and eight are a date only in years near ours.
  if (dash === '' && (day === undefined || !/^(?:1[89]|2[01])/.test(year!))) return null;
  let result = `${year}${dash}${granularity === 'year' ? '01' : month}`;
  if (day !== undefined) result += `${dash}${granularity === 'day' ? day : '01'}`;
  if (between !== undefined) result += `${between}00${colon}00`;
  if (colon2 !== undefined) result += `${colon2}00`;
  if (fraction !== undefined) result += `${point}${'0'.repeat(fraction.length)}`;
  return result + zone;
}

const isMonth = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 12;
const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;

const LONGEST = 100;

/** Beginnings of the months' names in English, German, Dutch, French, Spanish, Portuguese and Italian. */
const MONTH =
  '(?:jan|feb|fév|fev|mar|mär|mrt|maa|apr|avr|abr|may|mai|mei|mag|jun|jui|giu|jul|lug|aug|aoû|aou|ago|sep|set|oct|okt|out|ott|nov|dec|dez|déc|dic|ene|gen)\\p{L}*\\.?';
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|°|\\.)?';
const GAP = '[\\s,./-]{1,3}(?:(?:of|de|del|den)\\s)?';
const TIME =
  '(?:(?:T|,?\\s(?:at\\s|um\\s|à\\s)?)\\d{1,2}(?:[:.h]?\\d\\d){0,2}(?:[.,]\\d+)?\\s?(?:[ap]\\.?m\\.?)?\\s?(?:[a-z]{1,5})?\\s?(?:[+-]\\d{1,2}(?::?\\d\\d)?)?\\s?(?:\\([^()]*\\)|\\[[^\\]]*\\])?)?';
const WEEKDAY =
  '(?:(?:mo|di|mi|do|fr|sa|so|tu|we|th|su|lu|ma|me|je|ve|mar|mer|jue|sáb|seg|ter|qua|qui|sex|gi|wo|vr|za|zo)\\p{L}*\\.?,?\\s)?';
const whole = (form: string): RegExp => new RegExp(`^${WEEKDAY}${form}${TIME}$`, 'iu');

/** Dates in digits; the separator is the same twice. */
const YEAR_FIRST = whole('[+-]?\\d{4,6}([-./])(\\d{1,2})\\1(\\d{1,2})');
const YEAR_LAST = whole('(\\d{1,2})([-./]|\\.\\s)(\\d{1,2})\\2(\\d{4}|\\d\\d)');
/** Forms in which two digits are a year. Other such numbers are as often versions. */
const SHORT_YEAR = /^(?:[^/]*\/[^/]*\/|\D*\d\d\D\d\d\D)\d\d(?!\d)/;
const WITH_WORDS = [
  whole(`${DAY}${GAP}${MONTH}${GAP}(?:\\d{4}|['’]?\\d\\d)`),
  whole(`${MONTH}${GAP}${DAY}${GAP}\\d{4}`),
  whole(`\\d{4}${GAP}${MONTH}${GAP}${DAY}`),
];
const WEEK = /^\d{4}-?W\d\d(?:-?\d)?$/i;
const MONTH_ALONE = [/^\d{1,2}[./-]\d{4}$/, /^\d{4}[./]\d{1,2}$/, new RegExp(`^${MONTH}${GAP}\\d{4}$`, 'iu')];

/** True if the whole text is a date finer than the granularity, in a form that cannot be rounded. */
function isOtherDate(written: string, granularity: Granularity): boolean {
  if (written.length > LONGEST) return false;
  const text = withoutUnseen(written).normalize('NFKC').trim();
  if (text !== written && rounded(text, granularity) !== null) return true;
  const [, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (month !== undefined) return isMonth(month) && isDay(day!);
  const [, first, , second, year] = YEAR_LAST.exec(text) ?? [];
  if (first !== undefined) {
    const isYear = year!.length === 4 || SHORT_YEAR.test(text);
    return isYear && [first, second!].every(isDay) && [first, second!].some(isMonth);
  }
  if (WEEK.test(text) || WITH_WORDS.some((form) => form.test(text))) return true;
  return granularity === 'year' && MONTH_ALONE.some((form) => form.test(text));
}
