import { isId } from '../../../kernel/ids.js';
import { type Access, RAW_FILE_SCHEMA_ID } from '../../../privacy/index.js';
import { askableTags } from '../../common/index.js';
import { FoundPlaces, type NodeFilter } from '../../lists/index.js';
import { type NodeListing } from '../../nodes/index.js';
import { type FilesDto, type FilesQuery } from './files.dto.js';

/** The requested page; limit and offset take precedence over per_page and page (rule 6.3). */
export function pageOf(query: FilesQuery): Pick<FilesDto, 'page' | 'per_page' | 'limit' | 'offset'> {
  const limit = query.limit ?? query.per_page;
  const offset = query.offset ?? (query.page - 1) * limit;
  return { page: Math.floor(offset / limit) + 1, per_page: limit, limit, offset };
}

/**
 * The listing that a query requests. Files are never found by hidden values, or by tags that the caller may
 * not know.
 */
export function fileListingOf(access: Access, query: FilesQuery): NodeListing {
  const { limit, offset } = pageOf(query);
  const filter: NodeFilter = {
    schemaIds: [RAW_FILE_SCHEMA_ID],
    dataType: query.data_type,
    contentType: query.content_type?.trim().toLowerCase(),
    ...tagFilter(access, query),
  };
  const asksHidden = query.content_type !== undefined && access.exposure.detail === 'minimal';
  return {
    filter: asksHidden ? { ...filter, matchesNothing: true } : filter,
    sort: 'updated_at',
    order: 'desc',
    limit,
    offset,
    found: new FoundPlaces(),
  };
}

/** The filter by any of `tag_ids`; a `tag_id` beside it is a filter of its own. */
function tagFilter(access: Access, { tag_id, tag_ids = [] }: FilesQuery): NodeFilter {
  const known = (given: readonly string[]): string[] =>
    askableTags(access, [...new Set(given.filter(isId).map((id) => id.toLowerCase()))]).sort();
  const lists = [...(tag_id === undefined ? [] : [[tag_id]]), ...(tag_ids.length === 0 ? [] : [tag_ids])].map(
    known,
  );
  if (lists.some((ids) => ids.length === 0)) return { matchesNothing: true };
  const [tagIds, alsoTagIds] = lists;
  return { ...(tagIds === undefined ? {} : { tagIds }), ...(alsoTagIds === undefined ? {} : { alsoTagIds }) };
}
