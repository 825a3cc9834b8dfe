import { type CompiledTransformation } from './compiled-transformation.js';

/** The most work done in one go. Its unit is one character that one transformation searches: about a microsecond. */
const MOST_AT_ONCE = 16 * 1024;
/** One part of a value, such as an element of a list: it is walked to, and hashed. */
const WORK_OF_A_PART = 32;
/** One character that is copied or hashed, not searched. */
const WORK_OF_A_CHARACTER = 1 / 64;

/**
 * True if these transformations would do more work on a value than may be done in one go: such a value is shown in
 * slices. Counts no further than that itself.
 */
export function isLong(value: unknown, by: readonly CompiledTransformation[]): boolean {
  if (by.length === 0) return false;
  const aPart = by.length * WORK_OF_A_PART;
  const aCharacter = by.length * WORK_OF_A_CHARACTER + by.filter(({ searches }) => searches).length;
  const open = [value];
  let work = 0;
  while (open.length > 0 && work <= MOST_AT_ONCE) {
    const one = open.pop();
    if (typeof one === 'string') work += one.length * aCharacter;
    if (typeof one !== 'object' || one === null) continue;
    const keys = Object.keys(one);
    work += keys.length * aPart;
    if (work > MOST_AT_ONCE) break;
    if (!Array.isArray(one)) work += keys.join('').length * aCharacter;
    open.push(...Object.values(one));
  }
  return work > MOST_AT_ONCE;
}
