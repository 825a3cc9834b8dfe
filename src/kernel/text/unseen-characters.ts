/**
 * Parts of emoji in their proper places: the joiner between two (a family of three), the selector after one (a red
 * heart instead of a black one), and the selector inside a keycap.
 */
const OF_PICTURES =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3)/u;

/** Characters with an empty glyph that Unicode counts among the symbols. */
const BLANKS = '\\u2800\\u{1D159}';

/**
 * Characters that are invisible, or that change the order of the visible ones: control and format characters, line and
 * paragraph separators, lone surrogates, blanks, and characters that Unicode lets a font leave out.
 */
const UNSEEN = new RegExp(
  `(?!${OF_PICTURES.source})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Default_Ignorable_Code_Point}${BLANKS}]`,
  'gu',
);

const NAMES: Readonly<Record<number, string>> = {
  0x00ad: 'SOFT HYPHEN',
  0x061c: 'ARABIC LETTER MARK',
  0x180e: 'MONGOLIAN VOWEL SEPARATOR',
  0x200b: 'ZERO WIDTH SPACE',
  0x200c: 'ZERO WIDTH NON-JOINER',
  0x200d: 'ZERO WIDTH JOINER',
  0x200e: 'LEFT-TO-RIGHT MARK',
  0x200f: 'RIGHT-TO-LEFT MARK',
  0x2028: 'LINE SEPARATOR',
  0x2029: 'PARAGRAPH SEPARATOR',
  0x202a: 'LEFT-TO-RIGHT EMBEDDING',
  0x202b: 'RIGHT-TO-LEFT EMBEDDING',
  0x202c: 'POP DIRECTIONAL FORMATTING',
  0x202d: 'LEFT-TO-RIGHT OVERRIDE',
  0x202e: 'RIGHT-TO-LEFT OVERRIDE',
  0x2060: 'WORD JOINER',
  0x2066: 'LEFT-TO-RIGHT ISOLATE',
  0x2067: 'RIGHT-TO-LEFT ISOLATE',
  0x2068: 'FIRST STRONG ISOLATE',
  0x2069: 'POP DIRECTIONAL ISOLATE',
  0xfeff: 'ZERO WIDTH NO-BREAK SPACE',
};

/** Characters that are normal in a text, but not in a name. */
const OF_TEXTS = new Set(['\n', '\r', '\t']);
/** The refusal of invisible characters in names and addresses, by which people choose and trust (rule 1.17). */
export const NAME_IS_SEEN =
  'must not contain invisible characters, such as line breaks, control, zero-width, bidirectional and blank ones';

export const hasUnseen = (name: string): boolean => name.search(UNSEEN) >= 0;

/** @param instead the replacement of each */
export const withoutUnseen = (name: string, instead = ''): string => name.replace(UNSEEN, instead);

/**
 * Each invisible character of a text once, such as `U+202E RIGHT-TO-LEFT OVERRIDE`; tabs and ends of lines are not
 * included.
 */
export function unseenIn(text: string): string[] {
  const found = text.match(UNSEEN) ?? [];
  return [...new Set(found)].filter((character) => !OF_TEXTS.has(character)).map(called);
}

/** A name with `[U+202E]` in place of an invisible character. */
export const visibly = (name: string): string =>
  name.replace(UNSEEN, (character) => `[${codeOf(character)}]`);

/** The same for a text, whose ends of lines are normal. */
export const textVisibly = (text: string): string =>
  text.replace(UNSEEN, (character) => (OF_TEXTS.has(character) ? character : `[${codeOf(character)}]`));

function called(character: string): string {
  const name = NAMES[character.codePointAt(0) as number];
  return name === undefined ? codeOf(character) : `${codeOf(character)} ${name}`;
}

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
