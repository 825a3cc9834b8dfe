import { type ListPosition, type OrderedPositions } from './list-positions.js';

/** The other part of a list: stored in the database in the same order, and counted there. */
export interface CountedPart {
  total: number;
  /** The number of its entries after one place and before another; null is the beginning of the list. */
  between(after: ListPosition | null, before: ListPosition): Promise<number>;
}

/**
 * The start of a page: the live part after `after`, the places from `index` on, and the number of entries
 * of both together to skip.
 */
export interface PageStart {
  after: ListPosition | null;
  index: number;
  skip: number;
}

/** The number of entries of each part that are simply read and skipped. */
const NEAR = 200;
const TRIES = 4;

interface Found {
  place: ListPosition | null;
  index: number;
  /** The rank in the whole list. */
  rank: number;
}

/**
 * Finds the start of a page in two lists read as one. Near the beginning both are read from the start.
 * Farther on, a place a little before the page is guessed, and the live part before it is counted, which
 * costs as much as skipping it; between two guesses only the entries between them are counted.
 */
export async function startOf(
  places: OrderedPositions,
  offset: number,
  live: CountedPart,
): Promise<PageStart> {
  if (live.total === 0 && offset <= places.length) return { after: null, index: offset, skip: 0 };
  let found: Found = { place: null, index: 0, rank: 0 };
  let beyond: Found = { place: null, index: places.length, rank: places.length + live.total };
  for (let tries = 0; tries < TRIES && offset - found.rank > NEAR; tries++) {
    const index = guess(offset, found, beyond);
    if (index <= found.index || index >= beyond.index) break;
    const place = places.at(index);
    const passed = await live.between(found.place, place);
    const rank = found.rank + (index - found.index) + passed;
    if (rank <= offset) found = { place, index, rank };
    else beyond = { place, index, rank };
  }
  return { after: found.place, index: found.index, skip: offset - found.rank };
}

/**
 * The index of the page if both parts were mixed evenly, and a little before that to allow for chance: a
 * guess beyond the page must be repeated.
 */
function guess(offset: number, from: Found, to: Found): number {
  const share = (to.index - from.index) / (to.rank - from.rank);
  const distance = offset - from.rank;
  return from.index + Math.floor((distance - 20 - Math.sqrt(distance)) * share);
}
