import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type IncomingShares } from '../../../privacy/index.js';
import { type ListPosition, type ReadRows, rowsAt } from '../../lists/index.js';
import { discoverable, named, onReceivedNode, type TagFilter, tagsWithinBytes } from './tag-rows.js';

interface AccessibleTags {
  access: Access;
  received: IncomingShares;
  /** The number of own tags that pass the filter. */
  own: number;
}

/** Own tags, and those on nodes that others share, as one list by name (rule 10.7). */
export function mergedTags({ access, received, own }: AccessibleTags, filter: TagFilter): ReadRows {
  const mine = discoverable(access, filter);
  return {
    name: 'tags',
    direction: 'asc',
    received,
    own,
    parts: () => [
      {
        countBetween: (after, before) =>
          sql`(SELECT count(*) FROM tags AS t WHERE ${mine} AND NOT ${behind(before)} AND ${behind(after)})`,
        first: (most, after) =>
          sql`(SELECT t.* FROM tags AS t WHERE ${mine} AND ${behind(after)}
            ORDER BY name_key COLLATE "C", id LIMIT ${most})`,
      },
    ],
    at: (places, from) => [
      sql`(SELECT t.* FROM ${rowsAt(places, 'tags', 't')}
        WHERE t.deleted_at IS NULL AND ${named(filter)} AND ${onReceivedNode(from)})`,
    ],
    page: (rows, { limit, skip }) =>
      tagsWithinBytes(
        sql`(SELECT t.* FROM (${rows}) AS t ORDER BY name_key COLLATE "C", id LIMIT ${limit} OFFSET ${skip}) AS t`,
      ),
  };
}

const behind = (place: ListPosition | null): Sql =>
  place === null
    ? sql.raw('TRUE')
    : sql`(t.name_key COLLATE "C", t.id) > (${place.key}::text, ${place.id}::uuid)`;
