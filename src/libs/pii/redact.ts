import type { PiiEntity } from './entities.js';
import { NAMED_AS_PHONE } from './phone-words.js';
import { atOnce, recognisePii, recognition } from './recognise.js';

export interface Redaction {
  entities: ReadonlySet<PiiEntity>;
  /** The text that replaces an identifier; `<entity>` in it stands for the kind. */
  replacement: string;
}

export const USUAL_REPLACEMENT = '[REDACTED:<entity>]';
/** The most rounds: a replacement may, with the text around it, read as another identifier. */
const ROUNDS = 4;
const NAMES_SOMETHING = /ssn|itin|social|security|tax|card|visa|amex|karte|carte|tarjeta/i;

/**
 * The text with every identifier replaced. Redacting the result again changes nothing.
 * @param label words that name the text (its key): after `phone` bare digits count as a telephone number
 */
export function redactPii(text: string, redaction: Redaction, label = ''): string {
  return atOnce(redactingPii(text, redaction, label));
}

/** The same in steps, between which the work may pause. */
export function* redactingPii(
  text: string,
  { entities, replacement }: Redaction,
  label = '',
): Generator<undefined, string> {
  const prefix = label === '' ? '' : `${label}: `;
  let current = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const findings = (yield* recognition(prefix + current, entities)).filter(
      ({ end }) => end > prefix.length,
    );
    if (findings.length === 0) break;
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, entity } of findings) {
      parts.push(
        current.slice(from, Math.max(0, start - prefix.length)),
        replacement.replaceAll('<entity>', entity),
      );
      from = end - prefix.length;
    }
    const redacted = parts.join('') + current.slice(from);
    if (redacted === current) break;
    current = redacted;
  }
  return current;
}

/** True if the text contains an identifier. */
export function holdsPii(text: string, { entities }: Redaction): boolean {
  return recognisePii(text, entities).length > 0;
}

/** The same in steps. */
export function* holdingPii(text: string, { entities }: Redaction): Generator<undefined, boolean> {
  return (yield* recognition(text, entities)).length > 0;
}

/** A key as words (`mobilePhone` → `mobile Phone`) if it names a kind of number, else null. */
export function labelOf(key: string): string | null {
  if (key.length > 40) return null;
  const words = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ');
  return NAMES_SOMETHING.test(words) || NAMED_AS_PHONE.test(`${words}: `) ? words : null;
}
