import { type Moment, type PastAccess, type Viewer } from '../../privacy/index.js';
import { type Scope } from '../domain/scope.js';

/** Whose view of what, at the moment of a request. */
export interface View {
  viewer: Viewer;
  scope: Scope;
  now: Moment;
  access: PastAccess;
}
