import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { USUAL_REPLACEMENT } from '../../../libs/pii/redact.js';
import type { Transformation } from './transformation.js';

/** A hash, as keyedHash makes it: 32 hexadecimal digits, or for an id an id of version 8. */
const HASH = /^(?:[\da-f]{32}|[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12})$/;
const PSEUDONYM = /^(?:pseudonym-[\da-f]{16}|[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12})$/;
const LAST_FOUR = /^\*{4}.{0,4}$/su;

/**
 * The pattern of the text that a transformation puts in the place of another; null if it has none (a removed,
 * cut or rounded value, an empty replacement). Depends on the rules alone.
 */
export function markOf(transformation: Transformation): RegExp | null {
  switch (transformation.type) {
    case 'pii_redaction':
      return redactionMark(transformation.config ?? {});
    case 'field_mask':
      if (transformation.config.strategy === 'hash') return HASH;
      return transformation.config.strategy === 'last4' ? LAST_FOUR : null;
    case 'pseudonymize':
      return PSEUDONYM;
    case 'truncate':
    case 'round_date':
      return null;
  }
}

/** The pattern of a replacement anywhere in a text; a replacement that is a word matches as a whole word. */
function redactionMark({
  entities = PII_ENTITIES,
  replacement = USUAL_REPLACEMENT,
}: {
  entities?: readonly string[];
  replacement?: string;
}): RegExp | null {
  if (replacement.trim() === '') return null;
  const names = replacement.includes('<entity>') ? entities : [''];
  const marks = names.map((name) => asPattern(replacement.replaceAll('<entity>', name)));
  return new RegExp(marks.join('|'), 'u');
}

function asPattern(mark: string): string {
  const literal = mark.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const isWordAt = (end: number) => /[\p{L}\p{N}]/u.test(mark.at(end)!);
  return `${isWordAt(0) ? '(?<![\\p{L}\\p{N}])' : ''}${literal}${isWordAt(-1) ? '(?![\\p{L}\\p{N}])' : ''}`;
}
