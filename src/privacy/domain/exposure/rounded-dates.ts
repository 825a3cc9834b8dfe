import { holdsDate, plainText } from './dates-in-texts.js';
import { type LeafChange, REMOVED, textOf } from './leaves.js';
import type { Granularity } from './transformation.js';

const DATE =
  /^((?:[+-]\d\d)?\d{4})(-?)(\d\d)(?:\2(\d\d)(?:([T ])\d\d(:?)\d\d(?:(:?)\d\d(?:([.,])(\d{1,9}))?)?(\s?(?:Z|[+-]\d\d:?\d\d))?)?)?$/i;

/**
 * Rounds a text that as a whole is an ISO 8601 date, month or time: its parts below the granularity become
 * the first ones, its offset stays (`2024-05-17T10:11:12.5+02:00` by month: `2024-05-01T00:00:00.0+02:00`). A
 * Date likewise, in UTC. A short text that holds a date in another form is removed, and so is any other value
 * at a named path, except a year (rule 3.15g).
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
    return typeof leaf === 'string' && holdsOtherDate(leaf, granularity) ? REMOVED : leaf;
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

/** True if the text holds a date that is finer than the granularity, in another form than ISO 8601. */
function holdsOtherDate(written: string, granularity: Granularity): boolean {
  const text = plainText(written);
  return text !== null && holdsDate(text, granularity);
}
