import { foldedKey, isPlain } from './folded-key.js';
import { hasUnseen, NAME_IS_SEEN } from '../../kernel/unseen-characters.js';

/** The key by which types are the same (rule 3.5b). */
export const nodeTypeKey = foldedKey;

/** True if every database folds this type alike. */
export const isPlainType = isPlain;

/** A word of Latin letters that also contains a similar letter of another alphabet, or a similar sign. */
const MIXED =
  /(?=[\p{L}\p{M}\u212E]*\p{Script=Latin})[\p{L}\p{M}\u212E]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\u212E]/u;

/** The reason why no node can take this type any longer; null if one can (rule 1.17). */
export function typeFault(type: string): string | null {
  if (isPlain(type)) return null;
  if (hasUnseen(type)) return NAME_IS_SEEN;
  return MIXED.test(type.normalize('NFKC'))
    ? 'must not mix Latin letters with Cyrillic, Greek or Armenian ones, or the sign ℮, in one word'
    : null;
}
