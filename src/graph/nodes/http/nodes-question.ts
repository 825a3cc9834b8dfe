import { isId } from '../../../kernel/ids.js';
import { type Access, FREEFORM } from '../../../privacy/index.js';
import { askableTags, propertyFiltersIn } from '../../common/index.js';
import { FoundPlaces, type NodeFilter } from '../../lists/index.js';
import { type AccessibleListing } from '../infrastructure/accessible-nodes.js';
import { type CountQuery, type NodeFilterQuery, type NodesQuery } from './nodes.dto.js';

/** The listing that a query requests. */
export function listingOf(access: Access, query: NodesQuery): AccessibleListing {
  const { sort, order, limit, offset } = query;
  return { ...filtersOf(access, query), sort, order, limit, offset, found: new FoundPlaces() };
}

/**
 * The nodes that a query is about. Deleted nodes are listed for their owner only (rule 4.12); a tag that
 * the caller may not know matches nothing, like an absent one.
 */
export function filtersOf(
  access: Access,
  query: NodeFilterQuery,
): Pick<AccessibleListing, 'access' | 'filter' | 'receivedFilter'> {
  const common: NodeFilter = {
    nodeType: query.node_type,
    meaningLevel: query.meaning_level,
    view: query.view,
    search: query.search === '' ? undefined : query.search,
    properties:
      query.properties === undefined ? undefined : propertyFiltersIn('properties', query.properties),
  };
  const tags = query.tag_id === undefined ? null : [query.tag_id];
  const filter: NodeFilter = {
    ...common,
    deleted: query.deleted || undefined,
    ...(tags === null ? {} : anyTag(access, tags)),
    ...(query.deleted && !access.isOwner ? { matchesNothing: true } : {}),
  };
  const receivedFilter: NodeFilter = {
    ...common,
    ...(tags === null ? {} : anyReceivedTag(access, tags)),
    ...(query.deleted ? { matchesNothing: true } : {}),
  };
  return { access: query.access, filter, receivedFilter };
}

/**
 * The filter of a count: any of the tags, and any of the schemas (rule 4.11). An empty list does not
 * restrict.
 */
export function countFilterOf(
  access: Access,
  { tag_ids = [], schema_ids = [] }: CountQuery,
): Pick<AccessibleListing, 'filter' | 'receivedFilter'> {
  const schemas = schema_ids.length === 0 ? {} : anySchema(schema_ids);
  if (tag_ids.length === 0) return { filter: schemas, receivedFilter: schemas };
  return {
    filter: { ...schemas, ...anyTag(access, tag_ids) },
    receivedFilter: { ...schemas, ...anyReceivedTag(access, tag_ids) },
  };
}

/** Recipients of a node know all its tags, unless the detail level of their app hides them. */
function anyReceivedTag({ exposure }: Access, given: readonly string[]): NodeFilter {
  const tagIds = exposure.shows('tags') ? lowerIds(given) : [];
  return tagIds.length === 0 ? { matchesNothing: true } : { tagIds };
}

function anyTag(access: Access, given: readonly string[]): NodeFilter {
  const tagIds = askableTags(access, lowerIds(given));
  return tagIds.length === 0 ? { matchesNothing: true } : { tagIds };
}

function anySchema(given: readonly string[]): NodeFilter {
  const schemaIds = [...(given.includes(FREEFORM) ? [null] : []), ...lowerIds(given)];
  return schemaIds.length === 0 ? { matchesNothing: true } : { schemaIds };
}

/** Sorted, so that equal questions share a cache entry. */
const lowerIds = (given: readonly string[]): string[] =>
  [...new Set(given.filter(isId).map((id) => id.toLowerCase()))].sort();
