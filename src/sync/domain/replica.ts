import { type Moment } from '../../privacy/index.js';

/**
 * The meaning of a node's key: the position of its last change up to the end of a pass, or of its first one. The first
 * never moves, so an order by it reveals no hidden changes (ADR 35).
 */
export type PassOrder = 'last change' | 'creation';

/** The place of a node in a pass. */
export interface NodeKey {
  /** Position in the order of the pass. */
  readonly key: number;
  /** A change of the node above the start of the pass; the first one if the order is that of creation; null: none. */
  readonly touched: number | null;
}

/**
 * The state of a client's replica, without naming a node. A pass visits the changed nodes in the order of their keys
 * and brings each to the moment of its page.
 */
export interface Seam {
  /** The highest key of this part; it begins above the seam before. */
  readonly upTo: number;
  /** The moment at which the nodes of this part were seen. */
  readonly at: Moment;
}

/** A completed pass. */
export interface Base {
  readonly order: PassOrder;
  /**
   * The pass visited nodes that had changed above `start`: up to `end` in the order of last changes, up to the moment
   * of the page in that of creation. All other nodes are held as seen at `end`.
   */
  readonly start: number;
  readonly end: Moment;
  /** Empty: everything is held as seen at `end`. */
  readonly seams: readonly Seam[];
}

/** A pass under way: keys up to `reached` have been visited. */
export interface Pass extends Base {
  readonly reached: number;
  /** The last moment at which the caller is known to be shown everything as at the moment of the last page. */
  readonly alike: Moment;
}

/**
 * The way in which this release reads rules. It rises whenever unchanged rules come to hide more than before: what a
 * replica holds is computed by the present reading, which does not know what an earlier one has sent (ADR 10).
 */
export const READING = 1;

/** The delivered part of one kind of things. Base null: only the things of the pass are held. */
export interface Progress {
  readonly base: Base | null;
  readonly pass: Pass | null;
}

/** The kinds of things that a replica holds beside nodes where its client asks for them, in the order of delivery. */
export const PART_NAMES = ['tags', 'relationships'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** Parts of a replica, each with a progress of its own (ADR 84). */
export type Parts = Readonly<Partial<Record<PartName, Progress>>>;

/** Nodes, and the parts that were ever asked for. */
export interface Replica extends Progress {
  readonly parts: Parts;
  /** The number of the last entry that was delivered; 0: none was. */
  readonly counted: number;
  /** The {@link READING} by which it was filled; 0: that of release 0.1.0. */
  readonly reading: number;
}

export const NO_PROGRESS: Progress = { base: null, pass: null };

export const NOTHING: Replica = { ...NO_PROGRESS, parts: {}, counted: 0, reading: READING };

/** The names of the parts that a replica holds. */
export const partsOf = ({ parts }: Pick<Replica, 'parts'>): PartName[] =>
  PART_NAMES.filter((name) => parts[name] !== undefined);

/** The progress of nodes, and of each part. */
export const progressesOf = (replica: Progress & { parts: Parts }): Progress[] => [
  replica,
  ...partsOf(replica).map((name) => replica.parts[name] as Progress),
];

export const isSameMoment = (one: Moment, other: Moment): boolean =>
  one.changes === other.changes && one.app === other.app;

/** The moment of which a node's held state is. */
export function heldAt({ start, end, seams }: Base, { key, touched }: NodeKey): Moment {
  const moment = seams.find(({ upTo }) => key <= upTo)?.at ?? end;
  return touched !== null && touched > start && touched <= moment.changes ? moment : end;
}

/** All moments of which the base holds something. */
export const momentsOf = ({ end, seams }: Base): Moment[] => [end, ...seams.map(({ at }) => at)];

/** The moment of the last page. */
export const lastMomentOf = ({ end, seams }: Base): Moment => seams.at(-1)?.at ?? end;

/** The number of pages that are of another moment than the page before. */
export const turnsOf = ({ end, seams }: Base): number =>
  seams.filter(({ at }, place) => !isSameMoment(at, seams[place - 1]?.at ?? end)).length;

/** A base of which everything is held as seen at one moment. */
export const wholeAt = (end: Moment): Base => ({ order: 'last change', start: 0, end, seams: [] });

/** A replica that is filled only with what changes after this moment, as if it held everything of then. */
export function beginningAt(now: Moment, names: readonly PartName[]): Replica {
  const held: Progress = { base: wholeAt(now), pass: null };
  return { ...NOTHING, ...held, parts: Object.fromEntries(names.map((name) => [name, held])) };
}

/** @param isUnruled no rule has changed since any moment of the base, so only changed nodes are visited */
export function beginPass(
  base: Base | null,
  now: Moment,
  { order, isUnruled }: { order: PassOrder; isUnruled: boolean },
): Pass {
  const start = base !== null && isUnruled ? base.end.changes : 0;
  return { order, start, end: now, seams: [], reached: lowestKey({ order, start }), alike: now };
}

/** The keys of a pass are above this one. */
export const lowestKey = ({ order, start }: Pick<Base, 'order' | 'start'>): number =>
  order === 'creation' ? 0 : start;

/** The pass after it has brought everything up to a key to the given moment. */
export function advance(pass: Pass, reached: number, now: Moment): Pass {
  if (reached <= pass.reached) return pass;
  const last = pass.seams.at(-1);
  const before = last !== undefined && isSameMoment(last.at, now) ? pass.seams.slice(0, -1) : pass.seams;
  const alike = isSameMoment(lastMomentOf(pass), now) ? pass.alike : now;
  return { ...pass, reached, alike, seams: [...before, { upTo: reached, at: now }] };
}

/** The base that remains when the pass has reached its end. */
export function completed({ order, start, end, seams }: Pass): Base {
  return seams.every(({ at }) => isSameMoment(at, end)) ? wholeAt(end) : { order, start, end, seams };
}

/** The highest position of the log of which a replica knows. */
export const newestOf = (replica: Progress & { parts: Parts }): number =>
  Math.max(
    ...progressesOf(replica).map(({ base, pass }) =>
      Math.max(base === null ? 0 : lastMomentOf(base).changes, pass?.alike.changes ?? 0),
    ),
  );

/** The number up to which all nodes were delivered (rule 7.10). */
export const deliveredUpTo = ({ base }: Pick<Progress, 'base'>): number => base?.end.changes ?? 0;

/** The position of the log up to which anything was delivered. */
export const reachedBy = ({ base, pass }: Progress): number =>
  Math.max(deliveredUpTo({ base }), pass?.reached ?? 0);
