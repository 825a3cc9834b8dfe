import { type Access, type NodeFacts } from '../../../privacy/index.js';
import { endOf, type LoggedThing, type Standing } from '../../common/index.js';
import { type EdgeWithEnds, isReadable } from './relationship-view.js';

/** A relationship with the facts of its nodes; facts are null for a node that does not exist yet. */
export interface LoggedEdge extends LoggedThing {
  edge: EdgeWithEnds['edge'];
  from: NodeFacts | null;
  to: NodeFacts | null;
}

/** The relationship with its two nodes; null if it lacks one. */
export const withEnds = ({ edge, from, to }: LoggedEdge): EdgeWithEnds | null =>
  from === null || to === null ? null : { edge, from, to };

/** @param access null: nothing was visible */
export function standingOfEdge(logged: LoggedEdge | null, access: Access | null): Standing {
  const whole = logged === null ? null : withEnds(logged);
  if (logged === null || whole === null) return 'absent';
  if (endOf(logged) !== null) return 'deleted';
  return access !== null && isReadable(access, whole) ? 'shown' : 'hidden';
}

/**
 * The standing of the present state, with its end hidden where the relationship would be if it and its nodes lived: nothing
 * may be said of it.
 */
export function presentStandingOfEdge(logged: LoggedEdge | null, access: Access): Standing {
  const standing = standingOfEdge(logged, access);
  const whole = logged === null ? null : withEnds(logged);
  if (whole === null || standing !== 'deleted') return standing;
  return isReadable(access, whole) ? 'deleted' : 'hidden';
}
