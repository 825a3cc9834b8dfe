/** The position of an entry: lists are ordered by key, then by id. */
export interface ListPosition {
  readonly ownerId: string;
  readonly id: string;
  /** Microseconds, or text in the order of its code points. */
  readonly key: number | string;
  /** The number of nodes of a tag. */
  readonly count?: number;
}

export function comparePositions(a: ListPosition, b: ListPosition): number {
  return compareKeys(a.key, b.key) || compareText(a.id, b.id);
}

function compareKeys(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a), String(b));
}

/**
 * Compares by code points, as the database orders titles: surrogates come after everything that is one unit
 * long.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit <= 0xdfff ? unit + 0x2000 : unit - 0x800;
}

/** Places in the order in which a list is read. */
export interface OrderedPositions {
  readonly length: number;
  at(index: number): ListPosition;
  slice(from: number, to: number): ListPosition[];
}

/** @param places from the smallest to the greatest */
export function inOrder(places: readonly ListPosition[], order: 'asc' | 'desc'): OrderedPositions {
  const { length } = places;
  if (order === 'asc')
    return {
      length,
      at: (index) => places[index] as ListPosition,
      slice: (from, to) => places.slice(from, to),
    };
  return {
    length,
    at: (index) => places[length - 1 - index] as ListPosition,
    slice: (from, to) => places.slice(Math.max(0, length - to), Math.max(0, length - from)).reverse(),
  };
}
