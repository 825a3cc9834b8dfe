import { labelOf } from '../../../libs/pii/redact.js';

/** The mark of a hidden value: its key is left out. */
export const REMOVED: unique symbol = Symbol('removed');

/**
 * Changes one text, number, boolean or date. A value that a mask should alter and cannot becomes
 * {@link REMOVED}: it is never shown unchanged (rule 3.15g).
 * @param keys the keys that lead to it, the nearest last
 * @param isNamed true if a path of the transformation ends at this very value, or at its array
 */
export type LeafChange = (leaf: unknown, keys: readonly string[], isNamed: boolean) => unknown;

/** The least number redacted: fewer digits are no telephone, card or security number. */
const FEWEST_DIGITS = 100_000;

/** Redacts texts; a whole number that reads as an identifier becomes its replacement text. */
export function redactingLeaf(redact: (text: string, label: string) => string): LeafChange {
  return (leaf, keys) => {
    if (typeof leaf === 'string') return redact(leaf, labelFrom(leaf, keys));
    if (typeof leaf !== 'number' || !Number.isInteger(leaf) || Math.abs(leaf) < FEWEST_DIGITS) return leaf;
    const text = String(leaf);
    const redacted = redact(text, labelFrom(text, keys));
    return redacted === text ? leaf : redacted;
  };
}

function labelFrom(text: string, keys: readonly string[]): string {
  if (keys.length === 0 || !/\d/.test(text)) return '';
  for (let index = keys.length - 1; index >= Math.max(0, keys.length - 3); index -= 1) {
    const label = labelOf(keys[index]!);
    if (label !== null) return label;
  }
  return '';
}

/** The last four characters after `****`; only `****` for a value that is not longer. */
export function lastFour(leaf: unknown): unknown {
  if (leaf === null || leaf === undefined) return leaf;
  // Five characters have at most ten UTF-16 units; the rest of a long text does not matter.
  const characters = [...textOf(leaf).slice(-10)];
  return `****${characters.length > 4 ? characters.slice(-4).join('') : ''}`;
}

/** Characters of the longest number or boolean as text. */
export const LONGEST_NUMBER = String(-0.0000012345678901234567).length;

/** At most `max` characters (code points, so that no character is cut in two). Half a number would be another one. */
export function cutTo(max: number): LeafChange {
  return (leaf) => {
    if (leaf === null || leaf === undefined) return leaf;
    if (typeof leaf !== 'string') return textOf(leaf).length <= max ? leaf : REMOVED;
    if (leaf.length <= max) return leaf;
    let end = 0;
    for (let count = 0; count < max && end < leaf.length; count += 1)
      end += leaf.codePointAt(end)! > 0xffff ? 2 : 1;
    return leaf.slice(0, end);
  };
}

export function textOf(leaf: unknown): string {
  return leaf instanceof Date ? leaf.toJSON() : String(leaf);
}
