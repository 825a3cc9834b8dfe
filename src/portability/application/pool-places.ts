/** The most exports, and the most imports, that hold a connection of a server at a time. */
const MOST = 2;
const PART_OF_POOL = 5;

/** The number of connections that the exports, or the imports, of all people may hold of a pool of this size. */
export const placesIn = (pool: number): number =>
  Math.max(1, Math.min(Math.floor(pool / PART_OF_POOL), MOST));
