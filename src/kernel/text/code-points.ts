/** The length of a text as readers count it: an emoji is one character, but two units of UTF-16. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

/** The first code points of a text, at most a number of them; the text itself if it has no more. */
export function firstCodePoints(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (let count = 0; count < most && end < text.length; count++) end += isPair(text, end + 1) ? 2 : 1;
  return text.slice(0, end);
}

const isPair = (text: string, second: number): boolean =>
  (text.charCodeAt(second) & 0xfc00) === 0xdc00 && (text.charCodeAt(second - 1) & 0xfc00) === 0xd800;
