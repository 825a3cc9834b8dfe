import { type Place, type PlacesInOrder } from './places.js';

/** The other part of a list: it is in the database, in the same order, and only its own counting tells where. */
export interface LivePart {
  total: number;
  /** How many of it stand behind the one and before the other; null is the beginning of the list. */
  between(after: Place | null, before: Place): Promise<number>;
}

/**
 * From where a page is read: the live part behind `after`, the places from `index` on, and of both together the first
 * `skip` left out.
 */
export interface PageStart {
  after: Place | null;
  index: number;
  skip: number;
}

/** So many entries of each part are read and thrown away without a thought. */
const NEAR = 200;
const TRIES = 4;

interface Found {
  place: Place | null;
  index: number;
  /** Of the whole list. */
  rank: number;
}

/**
 * Where a page of two lists read as one begins. Near the beginning both are read from the start. Farther on a place
 * is guessed that should stand a little before the page, and the live part before it is counted, which is what skipping
 * there would have cost; between two guesses only what lies between is counted.
 */
export async function startOf(places: PlacesInOrder, offset: number, live: LivePart): Promise<PageStart> {
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
 * Where a page would begin if both parts were mixed evenly; a little before that, as far as chance may be wrong: a guess
 * that is too far has to be made again.
 */
function guess(offset: number, from: Found, to: Found): number {
  const share = (to.index - from.index) / (to.rank - from.rank);
  const distance = offset - from.rank;
  return from.index + Math.floor((distance - 20 - Math.sqrt(distance)) * share);
}
