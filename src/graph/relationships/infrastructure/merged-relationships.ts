import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type IncomingShares } from '../../../privacy/index.js';
import {
  type LivePart,
  type MergedList,
  newestFirst,
  type ListPosition,
  type SharesOfOwners,
  rowsAt,
  searchSharers,
} from '../../lists/index.js';
import {
  EDGE_WITH_ENDS,
  edgesWithinBytes,
  LIVING_EDGES,
  LIVING_EDGES_ONE_BY_ONE,
  readableEdges,
  receivedEdges,
  type RelationshipFilter,
  searchedEdges,
  WITH_LIVING_ENDS,
} from './relationship-rows.js';

interface AccessibleEdges {
  access: Access;
  received: IncomingShares;
  /** The number of own relationships that pass the filter. */
  own: number;
}

/** Own and received relationships as one list. */
export function mergedRelationships(
  { access, received, own }: AccessibleEdges,
  filter: RelationshipFilter,
): MergedList {
  const order = orderOf(access);
  return {
    name: 'relationships',
    filter: JSON.stringify(filter),
    sort: '',
    direction: order.direction,
    callerId: access.ownerId,
    received,
    own,
    search: ({ accesses }) =>
      searchSharers(accesses, searchedEdges(access, received, { filter, key: order.key })),
    count: (from) => sql`(SELECT count(*) FROM ${LIVING_EDGES} WHERE ${receivedEdges(access, from, filter)})`,
    parts: (many) => [
      ...(filter.access === 'shared' ? [] : [ownPart(access, filter, order)]),
      ...(many.accesses.length > 0 ? [sharedPart(access, { filter, many, order })] : []),
    ],
    at: (places, from) => [
      sql`(SELECT ${EDGE_WITH_ENDS} FROM ${rowsAt(places, 'relationships', 'r')} ${WITH_LIVING_ENDS}
        WHERE ${receivedEdges(access, from, filter)})`,
    ],
    page: (rows, { limit, skip }) => {
      const byTime = newestFirst(access, 'r');
      const page = sql`SELECT r.* FROM (${rows}) AS r ORDER BY ${byTime} LIMIT ${limit} OFFSET ${skip}`;
      return edgesWithinBytes(page, byTime);
    },
  };
}

interface Order {
  direction: 'asc' | 'desc';
  by: Sql;
  key: Sql;
  beyond(place: ListPosition | null): Sql;
  between(after: ListPosition | null, before: ListPosition): Sql;
}

/** The order of {@link newestFirst}. */
function orderOf(access: Access): Order {
  const isById = access.exposure.transforms('created_at');
  const { position, at } = isById
    ? { position: sql.raw('r.id'), at: ({ id }: ListPosition) => sql`${id}::uuid` }
    : { position: sql.raw('(r.created_at, r.id)'), at: timeAndId };
  const [further, nearer] = isById ? [sql.raw('>'), sql.raw('<')] : [sql.raw('<'), sql.raw('>')];
  const beyond = (place: ListPosition | null): Sql =>
    place === null ? sql.raw('TRUE') : sql`${position} ${further} ${at(place)}`;
  return {
    direction: isById ? 'asc' : 'desc',
    by: sql`ORDER BY ${newestFirst(access, 'r')}`,
    key: sql.raw(isById ? '0::bigint' : '(extract(epoch FROM r.created_at) * 1000000)::bigint'),
    beyond,
    between: (after, before) => sql`${position} ${nearer} ${at(before)} AND ${beyond(after)}`,
  };
}

const timeAndId = ({ id, key }: ListPosition): Sql =>
  sql`(timestamptz 'epoch' + ${key}::double precision * interval '1 microsecond', ${id}::uuid)`;

function ownPart(access: Access, filter: RelationshipFilter, order: Order): LivePart {
  const from = sql`FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE ${readableEdges(access, filter)}`;
  return {
    countBetween: (after, before) => sql`(SELECT count(*) ${from} AND ${order.between(after, before)})`,
    first: (most, after) =>
      sql`(SELECT ${EDGE_WITH_ENDS} ${from} AND ${order.beyond(after)} ${order.by} LIMIT ${most})`,
  };
}

function sharedPart(
  access: Access,
  { filter, many, order }: { filter: RelationshipFilter; many: SharesOfOwners; order: Order },
): LivePart {
  const owners = many.accesses.map(({ ownerId }) => ownerId);
  const given = receivedEdges(access, many, filter);
  return {
    countBetween: (after, before) =>
      sql`(SELECT count(*) FROM ${LIVING_EDGES_ONE_BY_ONE}
        WHERE r.owner_id = ANY(${owners}::uuid[]) AND ${given} AND ${order.between(after, before)})`,
    first: (most, after) =>
      sql`(SELECT each.* FROM unnest(${owners}::uuid[]) AS sharer (owner_id) CROSS JOIN LATERAL (
        SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES_ONE_BY_ONE}
        WHERE r.owner_id = sharer.owner_id AND ${given} AND ${order.beyond(after)} ${order.by} LIMIT ${most}
      ) AS each)`,
  };
}
