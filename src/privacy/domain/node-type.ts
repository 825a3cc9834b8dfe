import { foldedKey, isPlain } from './folded-key.js';
import { hasUnseen, NAME_IS_SEEN } from '../../kernel/text/unseen-characters.js';

/** The key by which types are the same (rule 3.5b). */
export const nodeTypeKey = foldedKey;

/** True if every database folds this type alike. */
export const isPlainType = isPlain;

/** A word with the character behind it, which may be a sign or number of an alphabet. */
const WORDS = /[\p{L}\p{M}\u212E]+.?/gsu;
const LATIN = /\p{Script=Latin}/u;
const SIMILAR = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\u212E]/u;

/**
 * Letters since Unicode 12 that are equal to others by case or form. A database whose Unicode is older does not know that, and
 * would show a node of such a type in lists from which a rule leaves it out (ADR 39).
 */
const NEWER =
  /[\u1c89\u1c8a\u2c2f\u2c5f\ua7ba-\ua7f6\uab69\u{10570}-\u{105ff}\u{10780}-\u{107bf}\u{10d50}-\u{10d8f}\u{16ea0}-\u{16eff}\u{1ccd6}-\u{1ccf9}\u{1e030}-\u{1e06d}\u{1fbf0}-\u{1fbf9}]/u;

/** The reason why no node can take this type any longer; null if one can (rule 1.17). */
export function typeFault(type: string): string | null {
  if (isPlain(type)) return null;
  if (hasUnseen(type)) return NAME_IS_SEEN;
  if (NEWER.test(type)) return 'must not have letters that are newer than Unicode 11 and equal to others';
  return isMixed(type.normalize('NFKC'))
    ? 'must not mix Latin letters with Cyrillic, Greek or Armenian ones, or the sign ℮, in one word'
    : null;
}

/**
 * True if a word of Latin letters also contains a similar letter of another alphabet, or a similar sign. In linear time:
 * one expression for both would begin again at each letter.
 */
const isMixed = (text: string): boolean =>
  (text.match(WORDS) ?? []).some((word) => LATIN.test(word) && SIMILAR.test(word));
