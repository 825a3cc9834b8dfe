import { type Moment, type PastAccess, type Viewer } from '../../privacy/index.js';
import { type Scope } from '../domain/scope.js';

/** The caller, scope and access of a request at its moment. */
export interface View {
  viewer: Viewer;
  scope: Scope;
  now: Moment;
  access: PastAccess;
}
