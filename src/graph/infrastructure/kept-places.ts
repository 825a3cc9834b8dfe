import { Injectable } from '@nestjs/common';
import { type Received } from '../../privacy/index.js';
import { KeptAnswers } from './kept-answers.js';
import { comparePlaces, mergedPlaces, type Place } from './places.js';

/** What a list has of received things: places in order, and the owners who give too many for that. */
export interface Kept {
  /** From the least to the greatest. */
  readonly places: readonly Place[];
  /** Whose things are found in the database, page by page. */
  readonly many: ReadonlySet<string>;
}

interface Known extends Kept {
  /** The sum of the owners' change counters, and each of them. */
  readonly changes: number;
  readonly changesOf: ReadonlyMap<string, number>;
}

/**
 * Finds the places of these owners' things, in any order; more than {@link MANY} of one owner need not be looked for,
 * nor more than {@link MOST} in all.
 */
export type FindPlaces = (ownerIds: readonly string[]) => Promise<readonly Place[]>;

/** An owner who gives more than this is read like the own graph: few people give so much, and an index has it in order. */
export const MANY = 2_000;
export const MOST = 100_000;
/** Over all callers; about 130 bytes each. */
const KEPT = 300_000;

const NOTHING: Known = { places: [], many: new Set(), changes: 0, changesOf: new Map() };

/**
 * Where received things stand in a list, of as many givers as there may be. Kept like totals, as long as the givers'
 * graphs stand still; when one of them has moved, only that one is read again. It says where to look and how many there
 * are: whether a row may be seen is decided again by the statement that fetches it.
 */
@Injectable()
export class KeptPlaces {
  private readonly answers = new KeptAnswers<Known>({
    maxSize: KEPT,
    sizeCalculation: ({ places, changesOf }) => places.length + changesOf.size + 1,
  });

  /** @param question names the filter, the order and what else decides which places there are */
  async of(received: Received, question: string, find: FindPlaces): Promise<Kept> {
    if (received.ownerIds.length === 0) return NOTHING;
    return this.answers.of(`${question} ${received.key}`, received.changes, (last = NOTHING) =>
      found(last, received, find),
    );
  }
}

/** Counters were read before the places: what has changed between is read once more the next time, and never missed. */
async function found(known: Known, received: Received, find: FindPlaces): Promise<Known> {
  const { ownerIds, changes } = received;
  const changesOf = new Map(ownerIds.map((ownerId) => [ownerId, received.changesOf(ownerId)]));
  const hasMoved = (ownerId: string): boolean => known.changesOf.get(ownerId) !== changesOf.get(ownerId);
  const moved = new Set(ownerIds.filter((ownerId) => hasMoved(ownerId) && !known.many.has(ownerId)));
  const rows = moved.size === 0 ? [] : await find([...moved]);
  const counts = new Map<string, number>();
  for (const { ownerId } of rows) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1);
  const many = new Set(known.many);
  for (const [ownerId, count] of counts) if (count > MANY) many.add(ownerId);
  const places = mergedPlaces(
    known.places.filter(({ ownerId }) => !moved.has(ownerId)),
    distinct(rows.filter(({ ownerId }) => !many.has(ownerId))).sort(comparePlaces),
  );
  if (rows.length > MOST || places.length > MOST)
    return { places: [], many: new Set(ownerIds), changes, changesOf };
  return { places, many, changes, changesOf };
}

/** What is received in two ways is one thing. */
function distinct(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [place.id, place])).values()];
}
