import type { Finding } from './entities.js';

/** Length of an IBAN per country: the IBAN registry (ISO 13616), release 99, and the partial list of banks. */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AO25 AT20 AZ28 BA20 BE16 BF28 BG22 BH22 BI27 BJ28 BR29 BY28 CF27 CG27 CH21 CI28 CM27 CR22 ' +
    'CV25 CY28 CZ24 DE22 DJ27 DK18 DO28 DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GA27 GB22 GE22 GI23 GL18 GQ27 ' +
    'GR27 GT28 GW25 HN28 HR21 HU28 IE22 IL23 IQ23 IR26 IS26 IT27 JO30 KM27 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 ' +
    'LV21 LY25 MA28 MC27 MD24 ME22 MG27 MK19 ML28 MN20 MR27 MT31 MU30 MZ25 NE28 NI28 NL18 NO15 OM23 PK24 PL28 ' +
    'PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SN28 SO23 ST25 SV28 TD27 TG28 TL23 TN24 ' +
    'TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const BEGINNING = /(?<![\p{L}\d])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z\d])/gu;

/**
 * Finds IBANs of the registry's countries with the right length and check digits; single spaces or dashes may
 * be in them.
 */
export function* findIbans(text: string): Finding {
  for (const match of text.matchAll(BEGINNING)) {
    yield undefined;
    const length = LENGTHS.get(match[0].slice(0, 2).toUpperCase());
    const end = length === undefined ? null : endOf(text, match.index, length);
    if (end !== null && isChecked(text.slice(match.index, end))) yield { start: match.index, end };
  }
}

/** The position after the given number of letters and digits from `start` on; null when they end earlier. */
function endOf(text: string, start: number, length: number): number | null {
  let position = start;
  for (let read = 0; read < length; position += 1) {
    if (/[A-Za-z\d]/.test(text[position] ?? '')) read += 1;
    else if (!/[ -]/.test(text[position] ?? '') || !/[A-Za-z\d]/.test(text[position - 1] ?? '')) return null;
  }
  return /[\p{L}\d]/u.test(text[position] ?? '') ? null : position;
}

/** ISO 7064 mod 97-10 over the number with its first four characters moved to the end. */
function isChecked(written: string): boolean {
  const compact = written.replace(/[ -]/g, '').toUpperCase();
  let rest = 0;
  for (const char of compact.slice(4) + compact.slice(0, 4)) {
    const value = parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
