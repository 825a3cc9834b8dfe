// 'ı' (U+0131) is the one letter that upper-casing merges with another ('i') although case folding keeps it.
const KEEPS = 'ı';

const ASCII = /^[\x00-\x7f]*$/;

/**
 * What makes two names the same: trimmed, Unicode NFC, case folded (decisions 4.14). Folding goes letter by letter,
 * lower, upper, lower: so 'ẞ', 'ß' and 'SS' meet, and a Greek final sigma is a sigma wherever it stands.
 */
export function tagNameKey(name: string): string {
  const trimmed = name.trim();
  if (ASCII.test(trimmed)) return trimmed.toLowerCase();
  return Array.from(trimmed.normalize('NFC'), foldLetter).join('').normalize('NFC');
}

/** Signs behind a picture that choose how it is drawn. */
const DRAWN_AS = /[\ufe0e\ufe0f]/g;

/**
 * Equal for two names that a screen draws alike by their compatibility forms (Unicode NFKC), or but for the way in which
 * pictures are drawn (rule 4.14e). Names with one key have one of these.
 */
export function alikeKey(name: string): string {
  const key = tagNameKey(name);
  return ASCII.test(key) ? key : tagNameKey(key.replace(DRAWN_AS, '').normalize('NFKC'));
}

function foldLetter(letter: string): string {
  return letter === KEEPS ? letter : letter.toLowerCase().toUpperCase().toLowerCase();
}
