import {
  type LoggedEdge,
  type LoggedTag,
  standingOfEdge,
  standingOfTag,
  withEnds,
} from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { type NodePresence } from './logged-node.js';
import { isInScope, type Scope } from './scope.js';

/** The standing of a relationship, by which webhooks go as well, within a scope. @param access null: nothing was visible */
export function presenceOfEdge(logged: LoggedEdge | null, access: Access | null, scope: Scope): NodePresence {
  const standing = standingOfEdge(logged, access);
  if (standing !== 'shown' || logged === null) return standing;
  const whole = withEnds(logged);
  const isWithin = whole !== null && isInScope(scope, whole.from) && isInScope(scope, whole.to);
  return isWithin ? 'shown' : 'elsewhere';
}

/** Tags are in every scope. */
export const presenceOfTag = (logged: LoggedTag | null, access: Access | null): NodePresence =>
  standingOfTag(logged, access);
