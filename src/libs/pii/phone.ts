import type { Finding, Span } from './entities.js';
import { internationalFit, isDialledWithTrunk } from './phone-plans.js';
import { NAMED_AS_PHONE } from './phone-words.js';
import { follows, isDigit, isWord } from './text.js';

/** The most groups of adjacent digits in one number. */
const MOST_GROUPS = 8;
const MOST_DIGITS = 15;
const GAP = /^[ ./()-]{1,3}$/;
const EXTENSION = /^ ?(?:ext(?:ension)?\.?:?|x|#|durchwahl|dw|poste|доб\.?) ?\d{1,6}(?!\d)/i;

/** National forms that are recognizable without a country code. */
const NATIONAL_SHAPES = [
  // (212) 555-0123, 212-555-0123, 415.555.2671, 1-800-555-0199
  /^(?:1[ .-])?(?:\([2-9]\d\d\)[ .-]?|[2-9]\d\d[.-]|\d{3}-)\d{3}[ .-]\d{4}$/,
  /^(?:1[ .-])?[2-9]\d\d [2-9]\d\d[ -]\d{4}$/,
  // (11) 91234-5678, (02) 9876 5432; not (2019) 123456
  /^\((?!(?:19|20)\d\d\))\d{2,5}\)[ -]?\d{3,5}[ -]?\d{3,5}$/,
  // 8 (495) 123-45-67
  /^8[ -]?\(?[3489]\d\d\)?[ -]\d{3}[ -]\d{2}[ -]\d{2}$/,
  // 138 0013 8000
  /^1[3-9]\d([ -])\d{4}\1\d{4}$/,
];
const WITH_TRUNK = /^\(?0[1-9]\d{0,4}\)?(?:[ ./-]{1,3}\d{2,8}){1,5}$/;
const BARE_MOBILE = /^0[1-9]\d{8,9}$/;

type Group = Span;

/** Some groups in a row, read as one number. */
interface Candidate extends Span {
  written: string;
  digits: string;
  groups: number;
}

/**
 * Finds telephone numbers. With `+` or an international prefix libphonenumber's plans decide; without one the
 * written form decides (a trunk 0 before a number of some country's plan, the North American 3-3-4, …) or a
 * word before it (`tel`, `móvil`, `call me on`). `taken` are spans known to be something else.
 */
export function* findPhones(text: string, taken: readonly Span[]): Finding {
  const groups = freeGroups(text, taken);
  yield undefined;
  for (let index = 0; index < groups.length;) {
    const candidates = candidatesFrom(text, groups, index);
    const hit = international(text, groups[index]!, candidates) ?? national(text, candidates);
    yield hit ? { start: hit.start, end: hit.end + extensionAt(text, hit.end) } : undefined;
    index += hit?.groups ?? 1;
  }
}

function freeGroups(text: string, taken: readonly Span[]): Group[] {
  const sorted = [...taken].sort((a, b) => a.start - b.start);
  const groups: Group[] = [];
  let next = 0;
  let takenUntil = 0;
  for (const match of text.matchAll(/\d+/g)) {
    const end = match.index + match[0].length;
    for (; next < sorted.length && sorted[next]!.start < end; next += 1) {
      takenUntil = Math.max(takenUntil, sorted[next]!.end);
    }
    if (match.index >= takenUntil) groups.push({ start: match.index, end });
  }
  return groups;
}

/** Every row of groups from the one at `index`, longest first. */
function candidatesFrom(text: string, groups: readonly Group[], index: number): Candidate[] {
  const first = groups[index]!;
  const candidates: Candidate[] = [];
  let digits = '';
  for (let last = index; last < groups.length && last < index + MOST_GROUPS; last += 1) {
    const group = groups[last]!;
    if (last > index && !GAP.test(text.slice(groups[last - 1]!.end, group.start))) break;
    const optionalTrunk = last > index && text.slice(group.start - 1, group.end + 1) === '(0)';
    if (!optionalTrunk) digits += text.slice(group.start, group.end);
    if (digits.length > MOST_DIGITS + 2) break;
    if (digits.length < 6 || isWord(text[group.end])) continue;
    const start = text[first.start - 1] === '(' && text.slice(first.start, group.end).includes(')') ? 1 : 0;
    candidates.unshift({
      start: first.start - start,
      end: group.end,
      written: text.slice(first.start - start, group.end),
      digits,
      groups: last - index + 1,
    });
  }
  return candidates;
}

function international(text: string, first: Group, candidates: readonly Candidate[]): Candidate | null {
  const plus = /(?<![\p{L}\d+])\(?\+\(?$/u.exec(text.slice(Math.max(0, first.start - 4), first.start));
  if (plus) {
    const start = first.start - plus[0].length;
    const fits = candidates.map((c) => internationalFit(c.digits));
    const hit = candidates[fits.indexOf('valid')] ?? candidates[fits.indexOf('possible')];
    return hit ? { ...hit, start: Math.min(hit.start, start) } : null;
  }
  if (!beginsClean(text, first)) return null;
  const prefix = /^(?:00|011)(?=\d|$)/.exec(text.slice(first.start, first.end));
  if (!prefix || /\d $/.test(text.slice(Math.max(0, first.start - 2), first.start))) return null;
  const hit = candidates.find((c) => {
    const digits = c.digits.slice(prefix[0].length);
    if (digits.length < 9 || !endsClean(text, c)) return false;
    const fit = internationalFit(digits);
    return fit === 'valid' || (fit === 'possible' && prefix[0] === '00' && c.groups > 1);
  });
  return hit ?? null;
}

function national(text: string, candidates: readonly Candidate[]): Candidate | null {
  const usable = candidates.filter((c) => c.digits.length <= 13 && endsClean(text, c));
  const first = usable[0];
  if (!first || isWord(text[first.start - 1]) || text[first.start - 1] === '+') return null;
  const named = follows(text, first.start, NAMED_AS_PHONE);
  if (!named && !beginsClean(text, first)) return null;
  const telling = usable.find((c) => tellsByItself(text, c));
  if (telling) return telling;
  return (named && usable.find(isDiallable)) || null;
}

/**
 * True if it counts as a number after a word that announces one: groups of two digits or more after the
 * first.
 */
function isDiallable({ written, digits, groups }: Candidate): boolean {
  return (digits.length > 6 || groups > 1) && !/\D\d(?:\D|$)/.test(written);
}

function tellsByItself(text: string, candidate: Candidate): boolean {
  const { written, digits } = candidate;
  if (NATIONAL_SHAPES.some((shape) => shape.test(written))) return true;
  if (digits.length < 9 || !digits.startsWith('0') || '01234567890123'.includes(digits)) return false;
  if (BARE_MOBILE.test(written)) return isDialledWithTrunk(digits, 'mobile');
  if (!WITH_TRUNK.test(written) || isOneOfAList(text, candidate) || goesOnFrom(text, candidate)) return false;
  return isDialledWithTrunk(digits, 'any');
}

/** True for `01 02 03 04 05 06`: more than five pairs are a count, not a number to dial. */
function isOneOfAList(text: string, { written, start, end }: Candidate): boolean {
  if (!/^\d\d(?: \d\d){4,}$/.test(written)) return false;
  if (written.length > 14 || /^ \d\d(?!\d)/.test(text.slice(end, end + 4))) return true;
  return /(?<!\d)\d\d $/.test(text.slice(Math.max(0, start - 4), start));
}

/** True for `3704 0044 0532 …`: digits before it that were not read as a number of their own. */
function goesOnFrom(text: string, { start }: Span): boolean {
  return /\d\d $/.test(text.slice(Math.max(0, start - 3), start));
}

/** True unless a sign before it makes it part of another number, of an amount or of a name. */
function beginsClean(text: string, { start }: Span): boolean {
  const before = text[start - 1];
  if (isWord(before) || /[+#$€£¥]/.test(before ?? '')) return false;
  if (before === '-') return !isWord(text[start - 2]);
  return !(before !== undefined && '.,/:'.includes(before) && isDigit(text[start - 2]));
}

function endsClean(text: string, { end }: Span): boolean {
  if (/^ ?[€$£¥%°]/.test(text.slice(end, end + 2))) return false;
  return !(/[-.,/:]/.test(text[end] ?? '') && isDigit(text[end + 1]));
}

function extensionAt(text: string, position: number): number {
  return EXTENSION.exec(text.slice(position, position + 20))?.[0].length ?? 0;
}
