import { type Access, type IncomingShares } from '../../../privacy/index.js';
import { type NodeFilter } from '../../lists/index.js';
import { type NodeListing, type NodePage } from './node-listing.js';

/** The owners of a list's nodes. */
type Whose = 'owned' | 'shared' | 'all';

export interface AccessibleListing extends NodeListing {
  access: Whose;
  /** The same question for shared nodes, whose tags are not the caller's. */
  receivedFilter: NodeFilter;
}

/** A page with the access to the owner of each node that is not the caller's own. */
export interface AccessiblePage extends NodePage {
  /** The accesses to the owners of the page's nodes other than the caller's own. */
  accesses: ReadonlyMap<string, Access>;
}

/** The accessible nodes: the graph in question, and nodes received from others. */
export interface AccessibleGraphs {
  own: Access;
  received: IncomingShares;
}
