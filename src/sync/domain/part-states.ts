import { type EdgeWithEnds, type Tag } from '../../graph/index.js';
import { type Access, grants, type NodeFacts, sees } from '../../privacy/index.js';
import { type NodePresence } from './logged-node.js';
import { isInScope, type Scope } from './scope.js';

/** The last change up to a moment of a thing, or of something that it depends on. */
export interface LoggedStep {
  /** Position in the owner's log. */
  sequence: number;
  at: Date;
  /** True if that change deleted it. */
  isGone: boolean;
}

/** A thing of a part as the log has it at one moment. */
export interface LoggedThing {
  id: string;
  /** Its own last change first, then those of what it depends on: the nodes of a relationship. */
  steps: readonly [LoggedStep, ...LoggedStep[]];
}

/** A relationship with the facts of its nodes; facts are null for a node that does not exist yet. */
export interface LoggedEdge extends LoggedThing {
  edge: EdgeWithEnds['edge'];
  from: NodeFacts | null;
  to: NodeFacts | null;
}

export interface LoggedTag extends LoggedThing {
  tag: Tag;
}

/** The position at which a thing that is gone ended: with it ended the first of what it needs. */
export const endOf = ({ steps }: LoggedThing): LoggedStep | null =>
  steps
    .filter(({ isGone }) => isGone)
    .reduce<LoggedStep | null>(
      (first, step) => (first === null || step.sequence < first.sequence ? step : first),
      null,
    );

/** The relationship with its two nodes; null if it lacks one. */
export const withEnds = ({ edge, from, to }: LoggedEdge): EdgeWithEnds | null =>
  from === null || to === null ? null : { edge, from, to };

/** Checked in the order of {@link presenceOf} for nodes. @param access null: nothing was visible */
export function presenceOfEdge(logged: LoggedEdge | null, access: Access | null, scope: Scope): NodePresence {
  const whole = logged === null ? null : withEnds(logged);
  if (logged === null || whole === null) return 'absent';
  if (endOf(logged) !== null) return 'deleted';
  const ends = [whole.from, whole.to];
  if (access === null || !ends.every((end) => sees(access.nodes.read, end))) return 'hidden';
  return ends.every((end) => isInScope(scope, end)) ? 'shown' : 'elsewhere';
}

/** Tags are in every scope. */
export function presenceOfTag(logged: LoggedTag | null, access: Access | null): NodePresence {
  if (logged === null) return 'absent';
  if (endOf(logged) !== null) return 'deleted';
  return access !== null && grants(access.tags.discover, logged.id) ? 'shown' : 'hidden';
}
