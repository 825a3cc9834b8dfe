import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  carriesAnyOf,
  compileVisibility,
  type IncomingShares,
  type SharedAccess,
  type Visibility,
  type VisibilityColumns,
} from '../../../privacy/index.js';
import { FACT_COLUMNS, type NodeFilter, passing, readableNodes } from './node-filter.js';
import { type ListPosition } from './list-positions.js';
import { STORED_TIME } from './shown-time.js';

type Exposure = Access['exposure'];
type Atom = Extract<Visibility, { kind: 'tagged-any' | 'id-in' }>;

/**
 * The shares of several owners, sorted by form, so that a thousand shares stay one short condition. An id
 * counts for the owner beside it only, because accounts that an earlier version imported may hold ids of
 * another.
 */
export interface GrantsByShape {
  /** Owners who share everything. */
  whole: string[];
  /** Pairs of an owner and a tag. */
  tagOwners: string[];
  tagIds: string[];
  nodeOwners: string[];
  nodeIds: string[];
  /** Accesses of any other form. */
  others: SharedAccess[];
}

export function grantsByShape(accesses: readonly SharedAccess[]): GrantsByShape {
  const found: GrantsByShape = {
    whole: [],
    tagOwners: [],
    tagIds: [],
    nodeOwners: [],
    nodeIds: [],
    others: [],
  };
  for (const access of accesses) {
    const { ownerId, granted } = access;
    const parts = granted.kind === 'or' ? granted.parts : [granted];
    if (granted.kind === 'none') continue;
    if (granted.kind === 'all') found.whole.push(ownerId);
    else if (!parts.every(isAtom)) found.others.push(access);
    else for (const part of parts as readonly Atom[]) addAtom(found, ownerId, part);
  }
  return found;
}

const isAtom = ({ kind }: Visibility): boolean => kind === 'tagged-any' || kind === 'id-in';

function addAtom(found: GrantsByShape, ownerId: string, atom: Atom): void {
  if (atom.kind === 'tagged-any') {
    found.tagOwners.push(...atom.tagIds.map(() => ownerId));
    found.tagIds.push(...atom.tagIds);
  } else {
    found.nodeOwners.push(...atom.ids.map(() => ownerId));
    found.nodeIds.push(...atom.ids);
  }
}

const TRUE = sql.raw('TRUE');
const FALSE = sql.raw('FALSE');

/** True if a row of nodes is received, its owner included; never NULL. */
export function receivedIn(
  { accesses, within }: Pick<IncomingShares, 'accesses' | 'within'>,
  ownerId: Sql,
  columns: VisibilityColumns,
): Sql {
  const { whole, tagOwners, tagIds, nodeOwners, nodeIds, others } = grantsByShape(accesses);
  const owned = (ids: readonly string[]): Sql => sql`${ownerId} = ANY(${[...new Set(ids)]}::uuid[])`;
  const any = [
    ...(whole.length > 0 ? [owned(whole)] : []),
    ...(tagIds.length > 0
      ? [sql`(${owned(tagOwners)} AND ${carriesGiven(columns.tagIds, ownerId, [tagOwners, tagIds])})`]
      : []),
    ...(nodeIds.length > 0
      ? [
          sql`(${owned(nodeOwners)} AND ${columns.id} = ANY(${nodeIds}::uuid[]) AND ${isGiven(columns.id, ownerId, [nodeOwners, nodeIds])})`,
        ]
      : []),
    ...others.map(
      (access) => sql`(${ownerId} = ${access.ownerId} AND ${compileVisibility(access.granted, columns)})`,
    ),
  ];
  if (any.length === 0) return FALSE;
  return sql`(${owned(accesses.map((access) => access.ownerId))} AND (${sql.join(any, ' OR ')}) AND ${compileVisibility(within, columns)})`;
}

/** Owners and ids of theirs, pair by pair. */
type Pairs = readonly [ownerIds: readonly string[], ids: readonly string[]];

/**
 * True if the owner and the id are one of the pairs, which are hashed once for a statement; a single owner
 * needs no check.
 */
function isGiven(id: Sql, ownerId: Sql, [ownerIds, ids]: Pairs): Sql {
  if (new Set(ownerIds).size < 2) return TRUE;
  return sql`(((${ownerId}, ${id}) IN (SELECT * FROM unnest(${[...ownerIds]}::uuid[], ${[...ids]}::uuid[]))) IS TRUE)`;
}

/**
 * True if an array column, never NULL, contains a tag that this owner shares; pairs are compared only where
 * an id matches.
 */
function carriesGiven(column: Sql, ownerId: Sql, pairs: Pairs): Sql {
  const carries = carriesAnyOf(column, pairs[1]);
  if (new Set(pairs[0]).size < 2) return carries;
  return sql`(${carries} AND EXISTS (SELECT FROM unnest(${column}) AS met (id) WHERE ${isGiven(sql.raw('met.id'), ownerId, pairs)}))`;
}

/** The accesses to some of several owners; accesses to others are not built. */
export const sharesOfOwners = (
  { within, accessTo }: IncomingShares,
  ownerIds: Iterable<string>,
): Pick<IncomingShares, 'accesses' | 'within'> => ({
  within,
  accesses: [...new Set(ownerIds)].flatMap((ownerId) => accessTo(ownerId) ?? []),
});

/** Nodes at these places that are still received and pass the filter, as rows of `nodes AS n`. */
export function nodesAt(
  { within, accesses }: Pick<IncomingShares, 'accesses' | 'within'>,
  filter: NodeFilter,
  { places, columns }: { places: readonly ListPosition[]; columns: (exposure: Exposure) => Sql },
): Sql[] {
  return [...groupByExposure(accesses)].map(([exposure, those]) => {
    const ownerIds = new Set(those.map(({ ownerId }) => ownerId));
    const given = places.filter(({ ownerId }) => ownerIds.has(ownerId));
    const received = receivedIn({ within, accesses: those }, sql.raw('n.owner_id'), FACT_COLUMNS);
    return sql`(SELECT ${columns(exposure)} FROM ${rowsAt(given, 'nodes', 'n')}
      WHERE ${passing(filter, exposure.detail, received)} AND ${received})`;
  });
}

/**
 * The rows at these places, under their alias. OFFSET 0 is a fence: the planner would otherwise start with
 * the owners and read all of their rows.
 */
export function rowsAt(
  places: readonly Pick<ListPosition, 'ownerId' | 'id'>[],
  table: 'nodes' | 'relationships' | 'tags',
  alias: 'n' | 'r' | 't',
): Sql {
  const [ownerIds, ids] = [places.map(({ ownerId }) => ownerId), places.map(({ id }) => id)];
  return sql`unnest(${ownerIds}::uuid[], ${ids}::uuid[]) AS place (owner_id, id) CROSS JOIN LATERAL (
      SELECT found.* FROM ${sql.raw(table)} AS found WHERE found.owner_id = place.owner_id AND found.id = place.id OFFSET 0
    ) AS ${sql.raw(alias)}`;
}

export function groupByExposure(accesses: readonly SharedAccess[]): Map<Exposure, SharedAccess[]> {
  const found = new Map<Exposure, SharedAccess[]>();
  for (const access of accesses) {
    const same = found.get(access.exposure);
    if (same) same.push(access);
    else found.set(access.exposure, [access]);
  }
  return found;
}

/** Rows of nodes that are found in one way. No node is in two arms. */
export interface SubQuery {
  exposure: Exposure;
  /** The time of change as the caller is shown it. */
  updatedAt: Sql;
  /** All rows that satisfy `also`, without an order. */
  select(columns: Sql, also?: Sql): Sql;
  /** The first `most` rows in this order; of several owners, possibly as many of each. */
  first(order: InOrder): Sql;
}

interface InOrder {
  key: Sql;
  direction: Sql;
  most: number;
  also: Sql;
}

/** The nodes of a graph that is not received, as an arm beside the received ones. */
export function ownSubQuery(own: Access, filter: NodeFilter, updatedAt: Sql): SubQuery {
  const readable = readableNodes(own, filter);
  return {
    exposure: own.exposure,
    updatedAt,
    select: (columns, also = TRUE) => sql`(SELECT ${columns} FROM nodes AS n WHERE ${readable} AND ${also})`,
    first: ({ key, direction, most, also }) =>
      sql`(SELECT n.owner_id, n.id, ${key} AS key FROM nodes AS n WHERE ${readable} AND ${also}
        ORDER BY ${key} ${direction}, n.id ${direction} LIMIT ${most})`,
  };
}

/**
 * Arms of received nodes. Lists merge the first few of each owner, which an index returns in order, instead
 * of sorting everything that is received.
 */
export function sharedSubQueries(
  { accesses, within }: Pick<IncomingShares, 'accesses' | 'within'>,
  filter: NodeFilter,
): SubQuery[] {
  return [...groupByExposure(accesses)].flatMap(([exposure, those]) => {
    const passes = (shared: Sql): Sql => {
      const allowed = sql`${compileVisibility(within, FACT_COLUMNS)} AND ${shared}`;
      return sql`${passing(filter, exposure.detail, allowed)} AND ${allowed}`;
    };
    return armsOfExposure(grantsByShape(those), passes).map((arm) => ({
      exposure,
      updatedAt: STORED_TIME,
      ...arm,
    }));
  });
}

/** @param passes the condition of a node that is shared by this one */
function armsOfExposure(
  { whole, tagOwners, tagIds, nodeOwners, nodeIds, others }: GrantsByShape,
  passes: (shared: Sql) => Sql,
): Omit<SubQuery, 'exposure' | 'updatedAt'>[] {
  const tagged = carriesGiven(FACT_COLUMNS.tagIds, sql.raw('n.owner_id'), [tagOwners, tagIds]);
  return [
    ...(whole.length > 0 ? [ofOwners(whole, passes(TRUE))] : []),
    ...(tagIds.length > 0 ? [ofOwners([...new Set(tagOwners)], passes(tagged))] : []),
    ...(nodeIds.length > 0
      ? [ofNodes([nodeOwners, nodeIds], passes(tagIds.length > 0 ? sql`NOT ${tagged}` : TRUE))]
      : []),
    ...others.map(({ ownerId, granted }) =>
      ofOwners([ownerId], passes(compileVisibility(granted, FACT_COLUMNS))),
    ),
  ];
}

/**
 * The node of a row of `given (owner_id, id)`. OFFSET 0 is a fence: for many ids the planner would look for the conditions,
 * those on texts among them, in all nodes, hidden ones and those of other owners.
 */
export const GIVEN_NODE = sql.raw(
  '(SELECT found.* FROM nodes AS found WHERE found.owner_id = given.owner_id AND found.id = given.id OFFSET 0) AS n',
);

function ofOwners(ownerIds: readonly string[], passes: Sql): Omit<SubQuery, 'exposure' | 'updatedAt'> {
  return {
    select: (columns, also = TRUE) =>
      sql`(SELECT ${columns} FROM nodes AS n WHERE n.owner_id = ANY(${ownerIds}::uuid[]) AND ${passes} AND ${also})`,
    first: ({
      key,
      direction,
      most,
      also,
    }) => sql`(SELECT each.* FROM unnest(${ownerIds}::uuid[]) AS sharer (owner_id)
      CROSS JOIN LATERAL (
        SELECT n.owner_id, n.id, ${key} AS key FROM nodes AS n WHERE n.owner_id = sharer.owner_id AND ${passes} AND ${also}
        ORDER BY ${key} ${direction}, n.id ${direction} LIMIT ${most}
      ) AS each)`,
  };
}

function ofNodes(
  [ownerIds, ids]: [readonly string[], readonly string[]],
  passes: Sql,
): Omit<SubQuery, 'exposure' | 'updatedAt'> {
  const from = sql`unnest(${ownerIds}::uuid[], ${ids}::uuid[]) AS given (owner_id, id)
    CROSS JOIN LATERAL ${GIVEN_NODE} WHERE ${passes}`;
  return {
    select: (columns, also = TRUE) => sql`(SELECT ${columns} FROM ${from} AND ${also})`,
    first: ({
      key,
      direction,
      most,
      also,
    }) => sql`(SELECT n.owner_id, n.id, ${key} AS key FROM ${from} AND ${also}
      ORDER BY ${key} ${direction}, n.id ${direction} LIMIT ${most})`,
  };
}
