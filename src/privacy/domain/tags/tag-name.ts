// 'ı' (U+0131) is the only letter that upper-casing merges with another ('i') although case folding does not.
const KEEPS = 'ı';

const ASCII = /^[\x00-\x7f]*$/;

export const isAscii = (name: string): boolean => ASCII.test(name);

/** The most characters of a tag name, counted as code points (rule 4.14a). */
export const TAG_NAME_LENGTH = 100;

/**
 * The key by which names are the same: trimmed, Unicode NFC, case folded (rule 4.14). Lower, upper, lower: so 'ẞ',
 * 'ß' and 'SS' match. A Greek final sigma is a sigma in any position.
 */
export function tagNameKey(name: string): string {
  const trimmed = name.trim();
  if (ASCII.test(trimmed)) return trimmed.toLowerCase();
  return trimmed.normalize('NFC').split(KEEPS).map(folded).join(KEEPS).normalize('NFC');
}

/** Selectors after a picture that choose how it is drawn. */
const DRAWN_AS = /[\ufe0e\ufe0f]/g;

/**
 * A key that is equal for two names that a screen draws alike: names that differ only in compatibility forms
 * (Unicode NFKC) or in the way in which pictures are drawn (rule 4.14e). Names with one name key have one of
 * these.
 */
export function alikeKey(name: string): string {
  const key = tagNameKey(name);
  return ASCII.test(key) ? key : tagNameKey(key.replace(DRAWN_AS, '').normalize('NFKC'));
}

/** The same as folding each letter alone: only the final sigma depends on its neighbours. */
const folded = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
