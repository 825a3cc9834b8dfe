import { Injectable } from '@nestjs/common';
import { type IncomingShares } from '../../../privacy/index.js';
import { SnapshotCache } from './snapshot-cache.js';
import { mergeInSlices, rest, sortInSlices } from '../../../kernel/slices.js';
import { comparePositions, type ListPosition } from './list-positions.js';

/** The received part of a list: places in order, and owners with too many things for that. */
export interface SharedItems {
  /** From the smallest to the greatest. */
  readonly places: readonly ListPosition[];
  /** Owners whose things are read from the database, page by page. */
  readonly many: ReadonlySet<string>;
  /** Owners with more things than were looked at. */
  readonly beyond: ReadonlySet<string>;
}

interface IndexedItems extends SharedItems {
  /** The sum of the owners' change counters, and each of them. */
  readonly changes: number;
  readonly changesOf: ReadonlyMap<string, number>;
}

/** A place that was found; without a key, its owner's things are read from the database. */
export type FoundPlace = Omit<ListPosition, 'key'> & {
  readonly key: ListPosition['key'] | null;
  /** True: it says only that its owner has more things than were looked at. */
  readonly isBeyond?: boolean;
};

/**
 * Finds the places of these owners' things, in any order. More than {@link MANY} of one owner, or
 * {@link MOST} in all, need not be found.
 */
export type FindPlaces = (ownerIds: readonly string[]) => Promise<readonly FoundPlace[]>;

/**
 * An owner who shares more than this is read like the own graph: few people share so much, and an index has
 * it in order.
 */
export const MANY = 2_000;
export const MOST = 100_000;
/** The limit for all callers together: places without a text, of about 130 bytes each. */
const KEPT = 300_000;
/** The characters of a text, at two bytes each, that weigh as much as a place. */
const CHARACTERS = 64;

const NOTHING: IndexedItems = {
  places: [],
  many: new Set(),
  beyond: new Set(),
  changes: 0,
  changesOf: new Map(),
};

/**
 * The list positions of received things, from any number of sharers. Cached like totals until the sharers'
 * graphs change; when one of them changes, only that one is read again. They state positions and counts
 * only: the statement that fetches a row decides again if it is visible.
 */
@Injectable()
export class SharedItemIndex {
  private readonly answers = new SnapshotCache<IndexedItems>({
    maxSize: KEPT,
    sizeCalculation: ({ places, many, changesOf }) =>
      places.reduce((sum, place) => sum + weightOf(place), many.size + changesOf.size + 3),
  });

  /** @param question names the filter, the order and everything else that the places depend on */
  async of(received: IncomingShares, question: string, find: FindPlaces): Promise<SharedItems> {
    if (received.ownerIds.length === 0) return NOTHING;
    return this.answers.of(`${question} ${received.key}`, received.changes, (last = NOTHING) =>
      found(last, received, find),
    );
  }
}

/** A place by title holds it. */
const weightOf = ({ key }: ListPosition): number =>
  1 + (typeof key === 'string' ? Math.ceil(key.length / CHARACTERS) : 0);

/**
 * Counters were read before the places: a change in between is read again the next time, and never missed.
 */
async function found(known: IndexedItems, received: IncomingShares, find: FindPlaces): Promise<IndexedItems> {
  const { ownerIds, changes } = received;
  const changesOf = new Map(ownerIds.map((ownerId) => [ownerId, received.changesOf(ownerId)]));
  const hasMoved = (ownerId: string): boolean => known.changesOf.get(ownerId) !== changesOf.get(ownerId);
  const moved = new Set(ownerIds.filter((ownerId) => hasMoved(ownerId) && !known.many.has(ownerId)));
  const all = moved.size === 0 ? [] : await find([...moved]);
  const rows = all.filter(({ isBeyond }) => isBeyond !== true);
  const beyond = new Set([
    ...[...known.beyond].filter((ownerId) => !moved.has(ownerId)),
    ...all.flatMap(({ ownerId, isBeyond }) => (isBeyond === true ? [ownerId] : [])),
  ]);
  const many = new Set([...known.many, ...(await ownersOfMany(rows))]);
  const places = await mergeInSlices(
    known.places.filter(({ ownerId }) => !moved.has(ownerId)),
    await sortInSlices(await distinct(rows, many), comparePositions),
    comparePositions,
  );
  if (rows.length > MOST || places.length > MOST)
    return { places: [], many: new Set(ownerIds), beyond, changes, changesOf };
  return { places, many, beyond, changes, changesOf };
}

/** Owners with too many things for places, or one without a key. */
async function ownersOfMany(rows: readonly FoundPlace[]): Promise<Set<string>> {
  const counts = new Map<string, number>();
  for (const { ownerId, key } of rows) {
    counts.set(ownerId, (counts.get(ownerId) ?? 0) + (key === null ? MANY + 1 : 1));
    const pause = rest();
    if (pause !== undefined) await pause;
  }
  return new Set([...counts].flatMap(([ownerId, count]) => (count > MANY ? [ownerId] : [])));
}

/** The places of other owners than these, without duplicates of things received in two ways. */
async function distinct(rows: readonly FoundPlace[], many: ReadonlySet<string>): Promise<ListPosition[]> {
  const places = new Map<string, ListPosition>();
  for (const row of rows) {
    if (!many.has(row.ownerId)) places.set(row.id, row as ListPosition);
    const pause = rest();
    if (pause !== undefined) await pause;
  }
  return [...places.values()];
}
