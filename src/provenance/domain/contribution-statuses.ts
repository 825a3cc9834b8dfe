import { type ContributionStatus } from './contribution.js';

/** One contribution to one path of a node, and what a caller is shown of the step that it was. */
export interface ContributedStep {
  version: number;
  /** The number of the change that made it. */
  status: 'active' | 'rejected' | 'merged';
  /** True if it no longer has that status. */
  isSuperseded: boolean;
  /** True if its node was merged into another one since. */
  isMoved: boolean;
  /** True if it came with a merge and its path holds nothing now. */
  isCleared: boolean;
  /** Prints of the stored values: equal ones have the same. Null for no value. */
  before: string | null;
  after: string | null;
  /** False if the caller is shown no difference, or may not know of it. */
  isShown: boolean;
}

/** Another status than is stored, for one caller; null: this contribution does not exist for them. */
export interface Correction {
  version: number;
  status: ContributionStatus | null;
}

/** Whose word held at a path for a while. */
interface Holder {
  version: number;
  after: string | null;
  /** Null: the version that made the node, of which nothing else is known. */
  step: ContributedStep | null;
  /** The step that came in its place at last. */
  next: Holder | null;
}

/**
 * Leaves out the steps that a caller is not shown, and lets the contribution before such a step stand as long as it
 * would without it (rule 3.20c).
 * @param steps to one path of one node, oldest first, without the one that came with the node
 */
export function correctedStatuses(steps: readonly ContributedStep[]): Correction[] {
  const holders = holdersOf(steps);
  const leftOut = steps.filter(({ isShown }) => !isShown).map(({ version }) => ({ version, status: null }));
  return [...leftOut, ...holders.flatMap(stillStanding)];
}

/** A rejected contribution stands beside the holder; it does not take their place. */
function holdersOf(steps: readonly ContributedStep[]): Holder[] {
  const holders: Holder[] = [];
  const first = steps[0]?.before ?? null;
  if (first !== null) holders.push({ version: 1, after: first, step: null, next: null });
  for (const step of steps) {
    if (step.status === 'rejected') continue;
    const holder = { version: step.version, after: step.after, step, next: null };
    const before = holderBefore(holders, step.before);
    if (before) before.next = holder;
    holders.push(holder);
  }
  return holders;
}

/** A change that was taken back leaves the word to an earlier one, which is known by its value. */
const holderBefore = (holders: readonly Holder[], value: string | null): Holder | undefined =>
  (value === null ? undefined : holders.findLast(({ after }) => after === value)) ?? holders.at(-1);

function stillStanding({ version, step, next }: Holder): Correction[] {
  if (next === null || isShown(next) || step?.isShown === false || step?.isSuperseded === false) return [];
  const status = standing(next);
  return status === null ? [] : [{ version, status }];
}

/** As what the word before a hidden step stands; null where it does not. */
function standing({ step, next }: Holder): ContributionStatus | null {
  if (step === null) return null;
  if (!step.isSuperseded && step.status === 'active') return 'active';
  if (next !== null) return isShown(next) ? null : standing(next);
  if (step.isSuperseded || step.isCleared) return null;
  return step.isMoved ? 'merged' : 'active';
}

const isShown = ({ step }: Holder): boolean => step?.isShown !== false;
