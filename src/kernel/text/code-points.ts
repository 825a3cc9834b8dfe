/** The length of a text as readers count it: an emoji is one character, but two units of UTF-16. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

const isPair = (text: string, second: number): boolean =>
  (text.charCodeAt(second) & 0xfc00) === 0xdc00 && (text.charCodeAt(second - 1) & 0xfc00) === 0xd800;
