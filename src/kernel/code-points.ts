/** How long a text is for whoever reads it: an emoji is one character and two units of UTF-16. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--;
  return count;
}

const isPair = (text: string, second: number): boolean =>
  (text.charCodeAt(second) & 0xfc00) === 0xdc00 && (text.charCodeAt(second - 1) & 0xfc00) === 0xd800;
