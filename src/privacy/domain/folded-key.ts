import { withFewMarks } from '../../kernel/text/marks.js';

/** A printable text without spaces, as nearly all types and keys are: only letter case can differ. */
const PLAIN = /^[!-~]+$/;

/**
 * Invisible characters, including the joiners and selectors of pictures, which `hasUnseen` lets through. The
 * migration has the same list.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/gu;

/**
 * A key that is equal for two node types, or two keys of metadata, that a rule, a mask or a filter treats as
 * one (rules 3.5b and 3.15i): compatibility forms (NFKC), letter case, surrounding spaces, invisible characters
 * and the dot of an `i` make no difference. Lower, upper, lower: so 'ẞ', 'ß' and 'SS' match, 'ı' and 'i', and
 * both sigmas. In the database it is `node_type_key`. Long runs of marks take quadratic time.
 */
export function foldedKey(text: string): string {
  if (isPlain(text)) return text.toLowerCase();
  const seen = withoutSpacesAround(text.replace(UNSEEN, '').normalize('NFKC'));
  const folded = seen.toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKC').replaceAll('i\u0307', 'i');
}

/** The most UTF-16 units that become one: a mathematical letter with three marks has five. */
const MOST_UNITS = 8;

/**
 * The folded key of a text of any length, in linear time: of a run of marks the first 30 count.
 * @param longest the length of the longest key that it is compared with. A text whose key is longer may come back
 *   unfolded, and is longer itself
 */
export function keyOfLength(text: string, longest = Infinity): string {
  if (isPlain(text)) return text.toLowerCase();
  const seen = withFewMarks(text.replace(UNSEEN, '')).trim();
  return seen.length > MOST_UNITS * longest ? seen : foldedKey(seen);
}

/**
 * True if every database folds this text alike: databases may not know case or form of letters newer than
 * their Unicode.
 */
export const isPlain = (text: string): boolean => PLAIN.test(text);

/** An expression for the spaces at the end would take quadratic time where many spaces are within the text. */
function withoutSpacesAround(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === ' ') from += 1;
  while (to > from && text[to - 1] === ' ') to -= 1;
  return text.slice(from, to);
}
