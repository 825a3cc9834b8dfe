import type { Finding } from './entities.js';
import { follows, standsAlone } from './text.js';

interface Network {
  starts: RegExp;
  lengths: readonly number[];
}

/** First digits and lengths of the card networks (ISO/IEC 7812 ranges as the networks publish them). */
const NETWORKS: readonly Network[] = [
  { starts: /^4/, lengths: [13, 16, 19] }, // Visa
  { starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { starts: /^3[47]/, lengths: [15] }, // American Express
  { starts: /^3(?:0[0-5]|095|[689])/, lengths: [14, 16] }, // Diners Club
  { starts: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19] }, // JCB
  { starts: /^6(?:011|4[4-9]|5)/, lengths: [16, 17, 18, 19] }, // Discover, RuPay, Elo
  { starts: /^(?:62|81)/, lengths: [16, 17, 18, 19] }, // UnionPay
  { starts: /^220[0-4]/, lengths: [16, 17, 18, 19] }, // Mir
  { starts: /^(?:50(?:18|20|38|6|8|90)|5893|6304|67(?:59|6[1-3]))/, lengths: [16, 17, 18, 19] }, // Maestro, Verve
  { starts: /^(?:60[678]|8[12]|9792|63(?:6297|6368))/, lengths: [16] }, // RuPay, Hipercard, Troy, Elo
];

const GROUPINGS = [
  /(?<!\d)\d{4}([ .-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?(?!\d)/g,
  /(?<!\d)\d{4}([ .-])\d{6}\1\d{4,5}(?!\d)/g,
  /(?<!\d)\d{13,19}(?!\d)/g,
];
const NAMED =
  /(?:card|visa|mastercard|\bmc\b|amex|american express|diners|discover|\bjcb\b|maestro|unionpay|karte|carte|tarjeta|cart[aã]o|карт|credit|debit|\bpan\b|卡|カード)[^\d\n]{0,24}$/i;

/**
 * Payment card numbers: a network's first digits and length, the Luhn check digit, and printed in the groups
 * of a card, or 15 or 16 digits on end; other lengths (13 is also a barcode's) only where a card is named.
 */
export function* findCreditCards(text: string): Finding {
  for (const grouping of GROUPINGS) {
    for (const match of text.matchAll(grouping)) {
      yield undefined;
      const digits = match[0].replace(/\D/g, '');
      const span = { start: match.index, end: match.index + match[0].length };
      const usual = digits.length === match[0].length ? /^(?:3[47]\d{13}|\d{16})$/.test(digits) : true;
      if (!isCard(digits) || !standsAlone(text, span)) continue;
      if (usual || follows(text, match.index, NAMED)) yield span;
    }
  }
}

function isCard(digits: string): boolean {
  const known = NETWORKS.some((n) => n.lengths.includes(digits.length) && n.starts.test(digits));
  return known && passesLuhn(digits);
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const value = Number(digits[digits.length - 1 - index]) * (index % 2 === 1 ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
