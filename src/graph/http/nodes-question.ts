import { isId } from '../../kernel/ids.js';
import { type Access, FREEFORM } from '../../privacy/index.js';
import { discovers } from '../domain/known-tags.js';
import { type NodeFilter } from '../infrastructure/node-filter.js';
import { type NodeListing } from '../infrastructure/nodes.queries.js';
import { type CountQuery, type NodesQuery } from './nodes.dto.js';

/**
 * What a list's query asks for. Deleted nodes are listed for their owner only (decisions 4.12); a tag that the caller
 * cannot know matches nothing, like one that does not exist.
 */
export function listingOf(access: Access, query: NodesQuery): NodeListing {
  const { sort, order, limit, offset } = query;
  const filter: NodeFilter = {
    nodeType: query.node_type,
    meaningLevel: query.meaning_level,
    view: query.view,
    search: query.search === '' ? undefined : query.search,
    deleted: query.deleted || undefined,
    ...(query.tag_id === undefined ? {} : anyTag(access, [query.tag_id])),
  };
  // Nobody shares nodes with anybody yet.
  const isEmpty = query.access === 'shared' || (query.deleted && !access.isOwner);
  return { filter: isEmpty ? { ...filter, matchesNothing: true } : filter, sort, order, limit, offset };
}

/** Any of the tags, and any of the schemas (decisions 4.11). An empty list does not restrict. */
export function countFilterOf(access: Access, { tag_ids = [], schema_ids = [] }: CountQuery): NodeFilter {
  return {
    ...(tag_ids.length === 0 ? {} : anyTag(access, tag_ids)),
    ...(schema_ids.length === 0 ? {} : anySchema(schema_ids)),
  };
}

function anyTag(access: Access, given: readonly string[]): NodeFilter {
  const tagIds = lowerIds(given).filter((id) => discovers(access, id));
  return tagIds.length === 0 ? { matchesNothing: true } : { tagIds };
}

function anySchema(given: readonly string[]): NodeFilter {
  const schemaIds = [...(given.includes(FREEFORM) ? [null] : []), ...lowerIds(given)];
  return schemaIds.length === 0 ? { matchesNothing: true } : { schemaIds };
}

/** Sorted, so that the same question is recognised. */
const lowerIds = (given: readonly string[]): string[] =>
  [...new Set(given.filter(isId).map((id) => id.toLowerCase()))].sort();
