import { type Moment } from '../../privacy/index.js';

/**
 * What a client holds, said without naming a node. Every node has a key: the position of its last change up to the end
 * of a pass. A pass visits the changed nodes in the order of their keys and brings each to the moment of its page.
 */
export interface Seam {
  /** Nodes with keys up to this one, and above the seam before, … */
  readonly upTo: number;
  /** … are held as they were seen at this moment. */
  readonly at: Moment;
}

/** A pass that has come to its end. */
export interface Base {
  /** The pass visited keys above `start` up to `end.changes`; whatever it did not visit is held as seen at `end`. */
  readonly start: number;
  readonly end: Moment;
  /** Empty: everything is held as seen at `end`. */
  readonly seams: readonly Seam[];
}

/** A pass under way: keys up to `reached` have been visited. */
export interface Pass extends Base {
  readonly reached: number;
}

/** Base null: nothing is held but what the pass has brought. */
export interface Replica {
  readonly base: Base | null;
  readonly pass: Pass | null;
  /** The number of the last entry that was delivered; 0: none was. */
  readonly counted: number;
}

export const NOTHING: Replica = { base: null, pass: null, counted: 0 };

export const isSameMoment = (one: Moment, other: Moment): boolean =>
  one.changes === other.changes && one.app === other.app;

/** As seen at which moment a node of that key (up to the base's end) is held. */
export function heldAt({ start, end, seams }: Base, key: number): Moment {
  if (key <= start) return end;
  return seams.find(({ upTo }) => key <= upTo)?.at ?? end;
}

/** All moments at which something of the base was seen. */
export const momentsOf = ({ end, seams }: Base): Moment[] => [end, ...seams.map(({ at }) => at)];

/** @param isUnruled no rule has changed since any moment of the base: only changed nodes are to be visited */
export function beginPass(base: Base | null, now: Moment, isUnruled: boolean): Pass {
  const start = base !== null && isUnruled ? base.end.changes : 0;
  return { start, end: now, seams: [], reached: start };
}

/** The pass, having brought everything up to a key to the given moment. */
export function advance(pass: Pass, reached: number, now: Moment): Pass {
  if (reached <= pass.reached) return pass;
  const last = pass.seams.at(-1);
  const before = last !== undefined && isSameMoment(last.at, now) ? pass.seams.slice(0, -1) : pass.seams;
  return { ...pass, reached, seams: [...before, { upTo: reached, at: now }] };
}

/** What is held when the pass has reached its end. */
export function completed({ start, end, seams }: Pass): Base {
  return seams.every(({ at }) => isSameMoment(at, end))
    ? { start: 0, end, seams: [] }
    : { start, end, seams };
}

/** Up to which number everything was delivered (decisions 7.10). */
export const deliveredUpTo = ({ base }: Pick<Replica, 'base'>): number => base?.end.changes ?? 0;

/** Up to which position of the log anything was delivered. */
export const reachedBy = ({ base, pass }: Pick<Replica, 'base' | 'pass'>): number =>
  Math.max(deliveredUpTo({ base }), pass?.reached ?? 0);
