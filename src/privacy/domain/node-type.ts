import { hasUnseen, NAME_IS_SEEN } from '../../kernel/unseen-characters.js';

/** A printable type without spaces, as nearly all are: only letter case can differ. */
const PLAIN = /^[!-~]+$/;

/**
 * Invisible characters, including the joiners and selectors of pictures, which `hasUnseen` lets through. The
 * migration has the same list.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/gu;

/**
 * A key that is equal for two node types that a rule, a mask or a filter treats as one (rule 3.5):
 * compatibility forms (NFKC), letter case, surrounding spaces, invisible characters and the dot of an `i`
 * make no difference. Lower, upper, lower: so 'ẞ', 'ß' and 'SS' match, 'ı' and 'i', and both sigmas. In the
 * database it is `node_type_key`.
 */
export function nodeTypeKey(type: string): string {
  if (PLAIN.test(type)) return type.toLowerCase();
  const seen = type
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(/^ +| +$/g, '');
  const folded = seen.toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKC').replaceAll('i\u0307', 'i');
}

/**
 * True if every database folds this type alike: databases may not know case or form of letters newer than
 * their Unicode.
 */
export const isPlainType = (type: string): boolean => PLAIN.test(type);

/** A word of Latin letters that also contains a similar letter of another alphabet, or a similar sign. */
const MIXED =
  /(?=[\p{L}\p{M}\u212E]*\p{Script=Latin})[\p{L}\p{M}\u212E]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\u212E]/u;

/** The reason why no node can take this type any more; null if one can (rule 1.17). */
export function typeFault(type: string): string | null {
  if (PLAIN.test(type)) return null;
  if (hasUnseen(type)) return NAME_IS_SEEN;
  return MIXED.test(type.normalize('NFKC'))
    ? 'must not mix Latin letters with Cyrillic, Greek or Armenian ones, or the sign ℮, in one word'
    : null;
}
