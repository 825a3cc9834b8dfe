import { type NodeRecord } from '../../common/index.js';
import { type FoundPlaces, type NodeFilter } from '../../lists/index.js';

export const NODE_SORTS = ['updated_at', 'created_at', 'title'] as const;

export interface NodeListing {
  filter: NodeFilter;
  sort: (typeof NODE_SORTS)[number];
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
  /**
   * The places of a page by shown values, for its further parts: without them, each part is found by a look at all nodes.
   */
  found?: FoundPlaces<FoundNode>;
}

/** A node of a list by shown values. */
export interface FoundNode {
  id: string;
  /** Its shown value of the field by which the list is sorted. */
  key: string;
  /** The size of its record as stored. */
  bytes: number;
}

/**
 * A page of nodes. `total` is the exact number that the caller can read in all (rule 4.8). The records are
 * the first of the page; large ones may not fill it.
 */
export interface NodePage {
  records: NodeRecord[];
  total: number;
}
