import { factsOf, type NodeSnapshot } from '../../graph/index.js';
import { type Access, sees } from '../../privacy/index.js';
import { isInScope, type Scope } from './scope.js';

/** A row of the change log about a node, with the state after the change. */
export interface LoggedNode {
  /** Position in the owner's log. */
  sequence: number;
  id: string;
  node: NodeSnapshot;
  changedAt: Date;
}

/**
 * The place of a state in a view: shown, or the reason why not. Checked in this order: lost access precedes a left
 * scope.
 */
export type NodePresence = 'absent' | 'deleted' | 'hidden' | 'elsewhere' | 'shown';

/** @param access null: nothing was visible */
export function presenceOf(logged: LoggedNode | null, access: Access | null, scope: Scope): NodePresence {
  if (logged === null) return 'absent';
  if ((logged.node.deleted_at ?? null) !== null) return 'deleted';
  const facts = factsOf(logged.node);
  if (access === null || !sees(access.nodes.read, facts)) return 'hidden';
  return isInScope(scope, facts) ? 'shown' : 'elsewhere';
}
