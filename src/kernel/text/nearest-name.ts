import { editDistance } from './edit-distance.js';

/** Longer names are cut before they are compared: the work grows with their length, and callers choose it. */
const MOST_CHARACTERS = 64;

/** Shorter parts of a name say nothing about it. */
const LEAST_PART = 3;

/**
 * The known name that a misspelt one most likely means, by the number of letters to add, remove, replace or exchange, less twice
 * those of a common beginning or of a name that is a part of the other. Undefined if there are none.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.slice(0, MOST_CHARACTERS).toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const one of known) {
    const distance =
      editDistance([...wanted], [...one]) - 2 * Math.max(commonBeginning(wanted, one), partOf(wanted, one));
    if (distance < least) [nearest, least] = [one, distance];
  }
  return nearest;
}

function commonBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** The length of a name that is a part of the other; 0 if neither is. */
function partOf(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= LEAST_PART && long.includes(short) ? short.length : 0;
}
