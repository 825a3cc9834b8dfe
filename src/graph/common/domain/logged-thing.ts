/** The last change up to a moment of a thing, or of something that it depends on. */
export interface LoggedStep {
  /** Position in the owner's log. */
  sequence: number;
  at: Date;
  /** True if that change deleted it. */
  isGone: boolean;
  /** True if it merged the node into another: its relationships move in the same transaction. */
  isMerged?: boolean;
}

/** A thing beside nodes as the log has it at one moment. */
export interface LoggedThing {
  id: string;
  /** Its own last change first, then those of what it depends on: the nodes of a relationship. */
  steps: readonly [LoggedStep, ...LoggedStep[]];
}

/** A moment of a thing. */
export interface AskedThing {
  id: string;
  upTo: number;
}

/**
 * The place of a thing's state in what a caller may read: shown, or the reason why not, checked in this order. Every way
 * out that compares states goes by it (rules 7.13, 9.4).
 */
export type Standing = 'absent' | 'deleted' | 'hidden' | 'shown';

/** The position at which a thing that is gone ended: with it ended the first of what it needs. */
export const endOf = ({ steps }: LoggedThing): LoggedStep | null =>
  steps
    .filter(({ isGone }) => isGone)
    .reduce<LoggedStep | null>(
      (first, step) => (first === null || step.sequence < first.sequence ? step : first),
      null,
    );
