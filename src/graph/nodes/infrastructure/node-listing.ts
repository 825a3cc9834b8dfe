import { type NodeRecord } from '../../common/index.js';
import { type NodeFilter } from '../../lists/index.js';

export const NODE_SORTS = ['updated_at', 'created_at', 'title'] as const;

export interface NodeListing {
  filter: NodeFilter;
  sort: (typeof NODE_SORTS)[number];
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/**
 * A page of nodes. `total` is the exact number that the caller can read in all (rule 4.8). The records are
 * the first of the page; large ones may not fill it.
 */
export interface NodePage {
  records: NodeRecord[];
  total: number;
}
