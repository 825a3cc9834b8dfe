import { hasUnseen, NAME_IS_SEEN } from '../../kernel/unseen-characters.js';

/** Printable and without spaces, as nearly all types are: letter case is all that can differ. */
const PLAIN = /^[!-~]+$/;

/** Without the joiners and selectors of pictures, too, which `hasUnseen` lets through. The migration has the same list. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/gu;

/**
 * Equal for two node types that a rule, a mask or a filter takes for one (rule 3.5): compatibility forms (NFKC), letter
 * case, spaces around them, characters that nobody sees and the dot of an `i` make no difference. Lower, upper, lower: so
 * 'ẞ', 'ß' and 'SS' meet, 'ı' and 'i', and both sigmas. In the database it is `node_type_key`.
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

/** True if every database folds this type alike; of letters newer than its Unicode one knows neither case nor form. */
export const isPlainType = (type: string): boolean => PLAIN.test(type);

/** A word of Latin letters with one of another alphabet, or a sign, that is drawn like them. */
const MIXED =
  /(?=[\p{L}\p{M}\u212E]*\p{Script=Latin})[\p{L}\p{M}\u212E]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\u212E]/u;

/** Says why no node can take this type any more; null if it can (rule 1.17). */
export function typeFault(type: string): string | null {
  if (PLAIN.test(type)) return null;
  if (hasUnseen(type)) return NAME_IS_SEEN;
  return MIXED.test(type.normalize('NFKC'))
    ? 'must not mix Latin letters with Cyrillic, Greek or Armenian ones, or the sign ℮, in one word'
    : null;
}
