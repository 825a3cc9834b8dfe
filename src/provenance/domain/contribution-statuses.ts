import { isEndOfStep, type Steps } from '../../kernel/slices.js';
import { type ContributionStatus } from './contribution.js';

/** One contribution to one path of a node, with the part of its step that a caller is shown. */
export interface ContributedStep {
  version: number;
  /** The stored status, not counting `superseded`. */
  status: 'active' | 'rejected' | 'merged';
  /** True if it no longer has that status. */
  isSuperseded: boolean;
  /** True if its node was merged into another one since. */
  isMoved: boolean;
  /** True if it came with a merge and its path holds nothing now. */
  isCleared: boolean;
  /** Hashes of the stored values, equal for equal values. Null for no value. */
  before: string | null;
  after: string | null;
  /** False if the caller is shown no difference, or may not know of it. */
  isShown: boolean;
}

/** A status for one caller that differs from the stored one; null: this contribution does not exist for them. */
export interface Correction {
  version: number;
  status: ContributionStatus | null;
}

/** A contribution that was active at a path for a while. */
interface Holder {
  version: number;
  after: string | null;
  /** Null: the version that created the node, of which only the value is known. */
  step: ContributedStep | null;
  /** The step that finally replaced it. */
  next: Holder | null;
}

/**
 * Leaves out the steps that a caller is not shown, and keeps the contribution before such a step active as long as it
 * would be without it (rule 3.20c).
 * @param steps to one path of one node, oldest first, without the one that came with the node
 */
export function* correctedStatuses(steps: readonly ContributedStep[]): Steps<Correction[]> {
  const corrections: Correction[] = [];
  for (const [index, { version, isShown }] of steps.entries()) {
    if (isEndOfStep(index)) yield undefined;
    if (!isShown) corrections.push({ version, status: null });
  }
  for (const [index, holder] of (yield* holdersOf(steps)).entries()) {
    if (isEndOfStep(index)) yield undefined;
    corrections.push(...keptActive(holder));
  }
  return corrections;
}

/**
 * A rejected contribution exists beside the holder; it does not take its place. A reverted change gives the path back
 * to an earlier holder, which is recognized by its value.
 */
function* holdersOf(steps: readonly ContributedStep[]): Steps<Holder[]> {
  const holders: Holder[] = [];
  /** The last holder of each value. */
  const holding = new Map<string | null, Holder>();
  const add = (holder: Holder): void => {
    holders.push(holder);
    holding.set(holder.after, holder);
  };
  const first = steps[0]?.before ?? null;
  if (first !== null) add({ version: 1, after: first, step: null, next: null });
  for (const [index, step] of steps.entries()) {
    if (isEndOfStep(index)) yield undefined;
    if (step.status === 'rejected') continue;
    const holder = { version: step.version, after: step.after, step, next: null };
    const before = (step.before === null ? undefined : holding.get(step.before)) ?? holders.at(-1);
    if (before) before.next = holder;
    add(holder);
  }
  return holders;
}

function keptActive({ version, step, next }: Holder): Correction[] {
  if (next === null || isShown(next) || step?.isShown === false || step?.isSuperseded === false) return [];
  const status = statusBefore(next);
  return status === null ? [] : [{ version, status }];
}

/** The status of the contribution before a hidden step; null if it is superseded. */
function statusBefore(hidden: Holder): ContributionStatus | null {
  for (let holder = hidden; ;) {
    const { step, next } = holder;
    if (step === null) return null;
    if (!step.isSuperseded && step.status === 'active') return 'active';
    if (next === null) {
      if (step.isSuperseded || step.isCleared) return null;
      return step.isMoved ? 'merged' : 'active';
    }
    if (isShown(next)) return null;
    holder = next;
  }
}

const isShown = ({ step }: Holder): boolean => step?.isShown !== false;
