import { isIPv4, isIPv6 } from 'node:net';
import type { Finding } from './entities.js';
import { follows } from './text.js';

const FOUR_NUMBERS = /(?<![\w.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\w|\.\d|[-+][A-Za-z\d])/g;
/** Words before a number of four parts that mark it as a version or a section, not an address. */
const COUNTED =
  /(?:\b(?:v|ver|vers|version|versión|release|rel|rev|revision|build|firmware|update|patch|section|sect?|chapter|clause|figure|kapitel|abschnitt|oid)\.?:?\s?|[§^~]\s?|[=<>]=\s?|[A-Za-z]\/)$/i;
const HEX_RUN = /[\dA-Fa-f:.]{2,}/g;
const LONGEST_V6 = 48;

/** Finds IPv4 and IPv6 addresses, the IPv6 ones with their `%zone`. */
export function* findIps(text: string): Finding {
  yield* findV6(text);
  yield* findV4(text);
}

function* findV4(text: string): Finding {
  for (const match of text.matchAll(FOUR_NUMBERS)) {
    yield undefined;
    if (!isIPv4(match[0]) || follows(text, match.index, COUNTED)) continue;
    yield { start: match.index, end: match.index + match[0].length };
  }
}

function* findV6(text: string): Finding {
  if (!text.includes(':')) return;
  for (const match of text.matchAll(HEX_RUN)) {
    yield undefined;
    if (match[0].length > LONGEST_V6) continue;
    // The colon of a label before an address and the full stop of a sentence after it are not part of it.
    const lead = /^:(?!:)/.test(match[0]) ? 1 : 0;
    const address = match[0].slice(lead).replace(/(?:\.|(?<!:):)+$/, '');
    const start = match.index + lead;
    const end = start + address.length;
    if (!isIPv6(address) || !looksMeant(address)) continue;
    if (/\w/.test(text[end] ?? '') || (lead === 0 && /\w/.test(text[start - 1] ?? ''))) continue;
    yield { start, end: end + (/^%[\w.-]{1,16}/.exec(text.slice(end, end + 17))?.[0].length ?? 0) };
  }
}

/** True if an IPv6 text is a real address: `a::b`, `1::2` and `::` are valid and nearly always code. */
function looksMeant(address: string): boolean {
  if (!/\d/.test(address)) return false;
  if (address === '::1' || /::ffff:/i.test(address)) return true;
  return /^[\dA-Fa-f]{3,4}:/.test(address) || address.split(':').filter(Boolean).length >= 4;
}
