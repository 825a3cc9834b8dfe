import { factsOf, type NodeSnapshot } from '../../graph/index.js';
import { type Access, sees } from '../../privacy/index.js';
import { isInScope, type Scope } from './scope.js';

/** A row of the change log about a node: the state that the change left. */
export interface LoggedNode {
  /** Position in the owner's log. */
  sequence: number;
  id: string;
  node: NodeSnapshot;
  changedAt: Date;
}

/** Why a state is not in a view, or that it is. Looked at in this order: lost access counts more than a left scope. */
export type Standing = 'absent' | 'deleted' | 'hidden' | 'elsewhere' | 'shown';

/** @param access null: nothing could be seen */
export function standingOf(logged: LoggedNode | null, access: Access | null, scope: Scope): Standing {
  if (logged === null) return 'absent';
  if ((logged.node.deleted_at ?? null) !== null) return 'deleted';
  const facts = factsOf(logged.node);
  if (access === null || !sees(access.nodes.read, facts)) return 'hidden';
  return isInScope(scope, facts) ? 'shown' : 'elsewhere';
}
