import { codePoints } from '../../kernel/text/code-points.js';
import { isAscii } from './tags/tag-name.js';

/**
 * The reason why a new name must not be so long; null if it may. Its compatibility form counts: names are compared by
 * it, and some letters are eighteen there. Names stored earlier stay valid.
 */
export function lengthFault(name: string, most: number): string | null {
  if (isAscii(name) || codePoints(name.normalize('NFKC')) <= most) return null;
  return `must have at most ${most} characters, also in its compatibility form (Unicode NFKC)`;
}
