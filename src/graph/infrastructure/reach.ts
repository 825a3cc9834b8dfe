import { type Access, type Received } from '../../privacy/index.js';
import { type NodeFilter } from './node-filter.js';
import { type NodeListing, type NodePage } from './nodes.queries.js';

/** Whose nodes a list is about. */
type Whose = 'owned' | 'shared' | 'all';

export interface ReachedListing extends NodeListing {
  access: Whose;
  /** The same question about nodes that others share, whose tags are not the caller's. */
  receivedFilter: NodeFilter;
}

/** With the access to the owner of each node that is not the caller's own. */
export interface ReachedPage extends NodePage {
  /** To the owner of each node of the page that is not the caller's own. */
  accesses: ReadonlyMap<string, Access>;
}

/** The graph that is asked about, and what comes to it from others. */
export interface Reach {
  own: Access;
  received: Received;
}
