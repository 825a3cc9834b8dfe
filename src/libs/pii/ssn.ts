import type { Finding } from './entities.js';
import { follows, standsAlone } from './text.js';

const GROUPED = /(?<!\d)(\d{3})([- .])(\d{2})\2(\d{4})(?!\d)/g;
const BARE = /(?<!\d)(\d{3})(\d{2})(\d{4})(?!\d)/g;
/** A word that names the number, needed with only spaces, dots or nothing between the groups. */
const NAMED =
  /(?:\bssn|\bss ?#|\bitin|\btin\b|social[ -]?security|\bsoc(?:ial)?\.? ?sec|\btax ?(?:payer)? ?id)[^\d\n]{0,24}$/i;

/** Finds US social security and individual taxpayer numbers whose parts are in the assigned ranges. */
export function* findSsns(text: string): Finding {
  for (const match of text.matchAll(GROUPED)) {
    yield undefined;
    const span = { start: match.index, end: match.index + match[0].length };
    const named = match[2] === '-' || follows(text, match.index, NAMED);
    if (named && isIssued(match[1]!, match[3]!, match[4]!) && standsAlone(text, span)) yield span;
  }
  for (const match of text.matchAll(BARE)) {
    yield undefined;
    const span = { start: match.index, end: match.index + match[0].length };
    if (!isIssued(match[1]!, match[2]!, match[3]!) || !standsAlone(text, span)) continue;
    if (follows(text, match.index, NAMED)) yield span;
  }
}

function isIssued(area: string, group: string, serial: string): boolean {
  if (group === '00' || serial === '0000') return false;
  if (area.startsWith('9')) return /^(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])$/.test(group);
  return area !== '000' && area !== '666';
}
