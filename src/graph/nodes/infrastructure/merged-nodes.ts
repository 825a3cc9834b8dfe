import { type Sql, sql } from '../../../kernel/database/sql.js';
import { compileVisibility } from '../../../privacy/index.js';
import {
  among,
  inFactsAndTexts,
  type SubQuery,
  ownSubQuery,
  sharedSubQueries,
  groupByExposure,
  FACT_COLUMNS,
  GIVEN_NODE,
  type LivePart,
  type MergedList,
  nodesAt,
  nodesWithinBytes,
  type ListPosition,
  type SharesOfOwners,
  searchSharers,
  STORED_TIME,
} from '../../lists/index.js';
import { type NodeListing } from './node-listing.js';
import { type AccessibleGraphs, type AccessibleListing } from './accessible-nodes.js';

type Sort = NodeListing['sort'];
type Order = Pick<NodeListing, 'sort' | 'order'>;

/** The own nodes beside the received ones. */
interface OwnPart {
  /** The number of those that pass the filter. */
  total: number;
  /** Their time of change as the caller is shown it. */
  updatedAt: Sql;
}

/** Own and received nodes as one list. Own nodes come from the list index. */
export function mergedNodes(
  { own, received }: AccessibleGraphs,
  { access, filter, receivedFilter, sort, order }: Omit<AccessibleListing, 'limit' | 'offset'>,
  { total, updatedAt }: OwnPart,
): MergedList {
  const direction = sql.raw(order === 'asc' ? 'ASC' : 'DESC');
  const stored = (exposure: SubQuery['exposure']): Sql => sortKey({ exposure, updatedAt: STORED_TIME }, sort);
  return {
    name: 'nodes',
    filter: JSON.stringify(receivedFilter),
    sort,
    direction: order,
    callerId: own.ownerId,
    received,
    own: total,
    search: ({ accesses, within }) =>
      [...groupByExposure(accesses)].flatMap(([exposure, those]) => {
        const { facts, texts } = inFactsAndTexts(receivedFilter, exposure.detail);
        const allowed = compileVisibility(within, FACT_COLUMNS);
        const passes = sql`${facts} AND ${allowed}`;
        return searchSharers(those, {
          columns: sql`n.owner_id, n.id, ${placeKey(stored(exposure), sort)} AS key`,
          from: (owner) => sql`FROM nodes AS n WHERE n.owner_id = ${owner} AND ${passes}`,
          fromNodes: sql`CROSS JOIN LATERAL ${GIVEN_NODE} WHERE ${passes}`,
          nodes: [FACT_COLUMNS],
          texts: texts && among(allowed, texts),
        });
      }),
    count: (from) => {
      const counts = sharedSubQueries(from, receivedFilter).map((arm) => arm.select(sql`count(*)`));
      return counts.length === 0 ? sql`0::bigint` : sql.join(counts, ' + ');
    },
    parts: (many) =>
      [
        ...(access === 'shared' ? [] : [ownSubQuery(own, filter, updatedAt)]),
        ...sharedSubQueries(many, receivedFilter),
      ].map((arm) => livePart(arm, { sort, order })),
    at: (places, from: SharesOfOwners) =>
      nodesAt(from, receivedFilter, {
        places,
        columns: (exposure) => sql`n.owner_id, n.id, ${stored(exposure)} AS key`,
      }),
    page: (rows, { limit, skip }) =>
      nodesWithinBytes(
        sql`(SELECT * FROM (${rows}) AS found ORDER BY key ${direction}, id ${direction} LIMIT ${limit} OFFSET ${skip}) AS place
          JOIN nodes AS n ON n.owner_id = place.owner_id AND n.id = place.id`,
        sql`place.key ${direction}, place.id ${direction}`,
      ),
  };
}

const TRUE = sql.raw('TRUE');

function livePart(arm: SubQuery, { sort, order }: Order): LivePart {
  const key = sortKey(arm, sort);
  const behind = { key, sort, order };
  const before = { key, sort, order: order === 'asc' ? 'desc' : 'asc' } as const;
  return {
    countBetween: (after, end) =>
      arm.select(
        sql`count(*)`,
        after === null ? beyond(before, end) : sql`${beyond(before, end)} AND ${beyond(behind, after)}`,
      ),
    first: (most, after) =>
      arm.first({
        key,
        direction: sql.raw(order === 'asc' ? 'ASC' : 'DESC'),
        most,
        also: after === null ? TRUE : beyond(behind, after),
      }),
  };
}

/** Titles in the order of their code points; a hidden one sorts as null (rule 3.16). */
function sortKey({ exposure, updatedAt }: Pick<SubQuery, 'exposure' | 'updatedAt'>, sort: Sort): Sql {
  if (sort === 'updated_at') return updatedAt;
  if (sort === 'created_at') return sql.raw('n.created_at');
  return sql.raw(exposure.detail === 'minimal' ? `''::text COLLATE "C"` : 'n.title COLLATE "C"');
}

/** The bytes of the longest title in a place: places of all sharers are compared in memory. */
const LONGEST_KEY = 200;

/**
 * Times as microseconds, as the database stores them; JavaScript's dates only have milliseconds. A long title has no key: its
 * owner's nodes are read from the database, like those of an owner with many.
 */
const placeKey = (key: Sql, sort: Sort): Sql =>
  sort === 'title'
    ? sql`CASE WHEN octet_length(${key}) <= ${LONGEST_KEY} THEN ${key} END`
    : sql`(extract(epoch FROM ${key}) * 1000000)::bigint`;

/** The entries after a place in this order. */
function beyond({ key, sort, order }: Order & { key: Sql }, place: ListPosition): Sql {
  const value =
    sort === 'title'
      ? sql`${place.key}::text`
      : sql`(timestamptz 'epoch' + ${place.key}::double precision * interval '1 microsecond')`;
  return sql`(${key}, n.id) ${sql.raw(order === 'asc' ? '>' : '<')} (${value}, ${place.id}::uuid)`;
}
