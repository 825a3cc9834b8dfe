import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility, type IncomingShares } from '../../../privacy/index.js';
import {
  FACT_COLUMNS,
  type MergedList,
  type ListPosition,
  type SharesOfOwners,
  rowsAt,
  searchSharers,
} from '../../lists/index.js';
import { discoverable, named, onReceivedNode, type TagFilter, tagsWithinBytes, wornBy } from './tag-rows.js';

interface AccessibleTags {
  access: Access;
  received: IncomingShares;
  /** The number of own tags that pass the filter. */
  own: number;
}

/** Own tags, and those on nodes that others share, as one list by name (rule 10.7). */
export function mergedTags({ access, received, own }: AccessibleTags, filter: TagFilter): MergedList {
  return {
    name: 'tags',
    filter: JSON.stringify({ search: filter.search }),
    sort: '',
    direction: 'asc',
    callerId: access.ownerId,
    received,
    own,
    search: ({ accesses, within }) => {
      const passes = sql`n.deleted_at IS NULL AND t.deleted_at IS NULL AND ${named(filter)} AND ${compileVisibility(within, FACT_COLUMNS)}`;
      const worn = sql`CROSS JOIN LATERAL unnest(n.tag_ids) AS worn (id) JOIN tags AS t ON t.owner_id = n.owner_id AND t.id = worn.id`;
      return searchSharers(accesses, {
        columns: sql`DISTINCT t.owner_id, t.id, t.name_key AS key`,
        from: (owner) => sql`FROM nodes AS n ${worn} WHERE n.owner_id = ${owner} AND ${passes}`,
        fromNodes: sql`JOIN nodes AS n ON n.owner_id = given.owner_id AND n.id = given.id ${worn} WHERE ${passes}`,
        nodes: [FACT_COLUMNS],
      });
    },
    count: (from) => sql`(SELECT count(*) FROM tags AS t WHERE ${shared(from, filter)})`,
    parts: (many) => {
      const mine = discoverable(access, filter);
      const live = many.accesses.length === 0 ? mine : sql`((${mine}) OR (${shared(many, filter)}))`;
      return [
        {
          countBetween: (after, before) =>
            sql`(SELECT count(*) FROM tags AS t WHERE ${live} AND NOT ${behind(before)} AND ${behind(after)})`,
          first: (most, after) =>
            sql`(SELECT t.* FROM tags AS t WHERE ${live} AND ${behind(after)}
              ORDER BY name_key COLLATE "C", id LIMIT ${most})`,
        },
      ];
    },
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

/** The tags of sharers with many. */
function shared(many: SharesOfOwners, filter: TagFilter): Sql {
  const owners = many.accesses.map(({ ownerId }) => ownerId);
  return sql`t.owner_id = ANY(${owners}::uuid[]) AND t.deleted_at IS NULL AND ${named(filter)} AND ${wornBy(owners, many)}`;
}
