import { type Moment, type PastAccess, type Viewer } from '../../privacy/index.js';
import { type PartName } from '../domain/replica.js';
import { type Scope } from '../domain/scope.js';

/** The caller, scope and access of a request at its moment. */
export interface View {
  viewer: Viewer;
  scope: Scope;
  now: Moment;
  access: PastAccess;
  /** The parts that are pulled beside nodes. */
  include: readonly PartName[];
  /**
   * The access of the request, where a pass continues by that of its last page (rule 7.10b). Deleted nodes are shown by it:
   * that nothing shown has changed says nothing of them.
   */
  asked?: PastAccess;
}

/** The access by which deleted nodes are shown. */
export const accessNow = ({ access, asked = access }: View): PastAccess['access'] => asked.access;
