import type { Granularity } from './transformation.js';
import { labelOf } from './pii/redact.js';

/** Changes one text, number, boolean or date; `keys` are those it stands under, the nearest last. */
export type LeafChange = (leaf: unknown, keys: readonly string[]) => unknown;

/** Fewer digits are no telephone, card or security number. */
const FEWEST_DIGITS = 100_000;

/** Texts redacted; a whole number that reads as an identifier becomes the text that stands for it. */
export function redactingLeaf(redact: (text: string, label: string) => string): LeafChange {
  return (leaf, keys) => {
    if (typeof leaf === 'string') return redact(leaf, labelFrom(leaf, keys));
    if (typeof leaf !== 'number' || !Number.isInteger(leaf) || leaf < FEWEST_DIGITS) return leaf;
    const text = String(leaf);
    const redacted = redact(text, labelFrom(text, keys));
    return redacted === text ? leaf : redacted;
  };
}

function labelFrom(text: string, keys: readonly string[]): string {
  if (keys.length === 0 || !/\d/.test(text)) return '';
  for (let index = keys.length - 1; index >= Math.max(0, keys.length - 3); index -= 1) {
    const label = labelOf(keys[index]!);
    if (label !== null) return label;
  }
  return '';
}

/** The last four characters behind `****`; nothing of what is not longer than that. */
export function lastFour(leaf: unknown): unknown {
  if (leaf === null || leaf === undefined) return leaf;
  const characters = [...textOf(leaf)];
  return `****${characters.length > 4 ? characters.slice(-4).join('') : ''}`;
}

/** At most `max` characters (code points, so that no character is cut in two). */
export function cutTo(max: number): LeafChange {
  return (leaf) => {
    if (typeof leaf !== 'string' || leaf.length <= max) return leaf;
    let end = 0;
    for (let count = 0; count < max && end < leaf.length; count += 1)
      end += leaf.codePointAt(end)! > 0xffff ? 2 : 1;
    return leaf.slice(0, end);
  };
}

export function textOf(leaf: unknown): string {
  return leaf instanceof Date ? leaf.toJSON() : String(leaf);
}

const DATE =
  /^((?:[+-]\d\d)?\d{4})(-?)(\d\d)(?:\2(\d\d)(?:([T ])\d\d(:?)\d\d(?:(:?)\d\d(?:([.,])(\d{1,9}))?)?(\s?(?:Z|[+-]\d\d:?\d\d))?)?)?$/i;

/**
 * A text that as a whole is an ISO 8601 date, month or time: its parts below the granularity become the first ones,
 * its offset stays (`2024-05-17T10:11:12.5+02:00` by month: `2024-05-01T00:00:00.0+02:00`). A Date likewise, in UTC.
 */
export function roundedTo(granularity: Granularity): LeafChange {
  return (leaf) => {
    if (leaf instanceof Date)
      return Number.isNaN(leaf.getTime()) ? leaf : new Date(rounded(leaf.toISOString(), granularity));
    return typeof leaf === 'string' && leaf.length <= 40 ? rounded(leaf, granularity) : leaf;
  };
}

function rounded(text: string, granularity: Granularity): string {
  const parts = DATE.exec(text);
  if (!parts) return text;
  const [, year, dash, month, day, between, colon, colon2, point, fraction, zone = ''] = parts;
  if (Number(month) < 1 || Number(month) > 12 || Number(day ?? 1) < 1 || Number(day ?? 1) > 31) return text;
  // without dashes six digits are any number, and eight only of a year near ours are a date
  if (dash === '' && (day === undefined || !/^(?:1[89]|2[01])/.test(year!))) return text;
  let result = `${year}${dash}${granularity === 'year' ? '01' : month}`;
  if (day !== undefined) result += `${dash}${granularity === 'day' ? day : '01'}`;
  if (between !== undefined) result += `${between}00${colon}00`;
  if (colon2 !== undefined) result += `${colon2}00`;
  if (fraction !== undefined) result += `${point}${'0'.repeat(fraction.length)}`;
  return result + zone;
}
