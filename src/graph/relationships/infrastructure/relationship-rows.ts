import { isId } from '../../../kernel/ids.js';
import { contentBytes, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  compileVisibility,
  type NodeFacts,
  type IncomingShares,
  type VisibilityColumns,
} from '../../../privacy/index.js';
import { type GraphView } from '../../common/index.js';
import { type Relationship } from '../domain/relationship.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { receivedIn, type Searched } from '../../lists/index.js';

/**
 * The filter of a list of relationships; an absent field does not restrict. Ids are the caller's text:
 * anything but an id matches nothing.
 */
export interface RelationshipFilter {
  /** `shared`: relationships that others share with the caller. */
  access: 'owned' | 'shared' | 'all';
  fromNodeId?: string;
  toNodeId?: string;
  /** A node at either end. */
  nodeId?: string;
  type?: string;
  view?: GraphView;
}

export interface RelationshipListing {
  filter: RelationshipFilter;
  limit: number;
  offset: number;
}

/** A page of relationships. `total` is the exact number that the caller can read in all (rule 4.8). */
export interface RelationshipPage {
  edges: EdgeWithEnds[];
  total: number;
}

type EndFacts<End extends 'from' | 'to'> = {
  [Fact in 'tag_ids' | 'schema_id' | 'node_type' | 'created_at' as `${End}_${Fact}`]: unknown;
};
export type EdgeRow = Relationship & EndFacts<'from'> & EndFacts<'to'>;

const columnsOf = (alias: string): VisibilityColumns => ({
  id: sql.raw(`${alias}.id`),
  tagIds: sql.raw(`${alias}.tag_ids`),
  schemaId: sql.raw(`${alias}.schema_id`),
  nodeType: sql.raw(`${alias}.node_type`),
  createdAt: sql.raw(`${alias}.created_at`),
});
const FROM_COLUMNS = columnsOf('f');
const TO_COLUMNS = columnsOf('t');

/** Joined to `relationships AS r`. */
export const WITH_LIVING_ENDS = sql.raw(`
  JOIN nodes AS f ON f.owner_id = r.owner_id AND f.id = r.from_node_id AND f.deleted_at IS NULL
  JOIN nodes AS t ON t.owner_id = r.owner_id AND t.id = r.to_node_id AND t.deleted_at IS NULL`);

/** Living relationships between living nodes: those of a deleted node are hidden until it is restored (rule 4.16). */
export const LIVING_EDGES = sql`relationships AS r ${WITH_LIVING_ENDS}`;

const endsOneByOne = (condition: string): Sql => {
  const end = (alias: 'f' | 't', column: 'from_node_id' | 'to_node_id') => `CROSS JOIN LATERAL (
    SELECT n.id, n.tag_ids, n.schema_id, n.node_type, n.created_at FROM nodes AS n
    WHERE n.owner_id = r.owner_id AND n.id = r.${column} ${condition} OFFSET 0) AS ${alias}`;
  return sql.raw(`relationships AS r ${end('f', 'from_node_id')} ${end('t', 'to_node_id')}`);
};

/**
 * The same for the first few in order: each edge's nodes are looked up by their ids. Without this the
 * planner reads all nodes of the owner for each edge, because its statistics only know owners of a few
 * hundred nodes.
 */
export const LIVING_EDGES_ONE_BY_ONE = endsOneByOne('AND n.deleted_at IS NULL');

/** The same between deleted nodes, too. */
export const EDGES_ONE_BY_ONE = endsOneByOne('');

const FACTS_OF_ENDS = `
  f.tag_ids AS from_tag_ids, f.schema_id AS from_schema_id, f.node_type AS from_node_type, f.created_at AS from_created_at,
  t.tag_ids AS to_tag_ids, t.schema_id AS to_schema_id, t.node_type AS to_node_type, t.created_at AS to_created_at`;

export const EDGE_WITH_ENDS = sql.raw(`r.*, ${FACTS_OF_ENDS}`);

const EDGE_COLUMNS: readonly (keyof EdgeRow)[] = [
  'owner_id',
  'id',
  'from_node_id',
  'to_node_id',
  'relationship_type',
  'strength',
  'confidence',
  'context',
  'bidirectional',
  'graph_view',
  'emotion_type',
  'sentiment_score',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
  'from_tag_ids',
  'from_schema_id',
  'from_node_type',
  'from_created_at',
  'to_tag_ids',
  'to_schema_id',
  'to_node_type',
  'to_created_at',
];
const columnsOfEdge = (alias: string): Sql =>
  sql.raw(EDGE_COLUMNS.map((name) => `${alias}.${name}`).join(', '));

/**
 * The first of these relationships that fill a part of a page.
 * @param edges rows of EDGE_WITH_ENDS, in any order
 * @param order an order of `r`
 */
export const edgesWithinBytes = (edges: Sql, order: Sql): Sql =>
  withinPageBytes({
    from: sql`(${edges}) AS r`,
    columns: columnsOfEdge('r'),
    order,
    bytes: contentBytes('r', { texts: ['context'] }),
    names: columnsOfEdge('page'),
  });

/** Enough of a relationship to show its type. */
export const TYPE_WITH_ENDS = sql.raw(
  `r.id, r.from_node_id, r.to_node_id, r.relationship_type, ${FACTS_OF_ENDS}`,
);
export type TypedEdgeRow = Pick<EdgeRow, 'id' | 'from_node_id' | 'to_node_id' | 'relationship_type'> &
  EndFacts<'from'> &
  EndFacts<'to'>;

/**
 * True if a filter by type cannot be decided by the database: the caller is shown other types than the
 * stored ones, and a filter must not reveal hidden ones (rule 3.16).
 */
export const isByShownType = ({ exposure }: Access, { type }: RelationshipFilter): boolean =>
  type !== undefined && exposure.detail !== 'minimal' && exposure.transforms('value');

/**
 * Readable relationships of this access's own graph that pass the filter, except for a type that
 * {@link isByShownType}.
 */
export function readableEdges(access: Access, filter: RelationshipFilter): Sql {
  if (filter.access === 'shared') return sql.raw('FALSE');
  return sql`r.owner_id = ${access.ownerId} AND ${compileVisibility(access.nodes.read, FROM_COLUMNS)}
    AND ${compileVisibility(access.nodes.read, TO_COLUMNS)} AND ${passing(access, filter)}`;
}

/** Relationships whose two ends one owner shares with the caller (rule 10.7). */
export function receivedEdges(
  access: Access,
  received: Pick<IncomingShares, 'accesses' | 'within'>,
  filter: RelationshipFilter,
): Sql {
  const owner = sql.raw('r.owner_id');
  const [from, to] = [receivedIn(received, owner, FROM_COLUMNS), receivedIn(received, owner, TO_COLUMNS)];
  return sql`${from} AND ${to} AND ${passing(access, filter)}`;
}

/** The search for a sharer's relationships; it finds the same ones as {@link receivedEdges}. */
export function searchedEdges(
  access: Access,
  { within }: IncomingShares,
  { filter, key }: { filter: RelationshipFilter; key: Sql },
): Searched {
  const passes = sql`${passing(access, filter)} AND ${compileVisibility(within, FROM_COLUMNS)} AND ${compileVisibility(within, TO_COLUMNS)}`;
  return {
    columns: sql`r.owner_id, r.id, ${key} AS key`,
    from: (owner) => sql`FROM ${LIVING_EDGES_ONE_BY_ONE} WHERE r.owner_id = ${owner} AND ${passes}`,
    fromNodes: sql`, ${LIVING_EDGES_ONE_BY_ONE} WHERE r.owner_id = given.owner_id AND r.from_node_id = given.id AND ${passes}`,
    nodes: [FROM_COLUMNS, TO_COLUMNS],
  };
}

function passing(access: Access, filter: RelationshipFilter): Sql {
  const { fromNodeId, toNodeId, nodeId, type, view } = filter;
  if ([fromNodeId, toNodeId, nodeId].some((id) => id !== undefined && !isId(id))) return sql.raw('FALSE');
  return sql.and([
    sql`r.deleted_at IS NULL`,
    fromNodeId !== undefined && sql`r.from_node_id = ${fromNodeId}`,
    toNodeId !== undefined && sql`r.to_node_id = ${toNodeId}`,
    nodeId !== undefined && sql`(r.from_node_id = ${nodeId} OR r.to_node_id = ${nodeId})`,
    type !== undefined && !isByShownType(access, filter) && ofType(access, type),
    view !== undefined && sql`r.graph_view = ${view}`,
  ]);
}

/** At detail minimal the type is hidden, so none matches. */
const ofType = ({ exposure }: Access, type: string): Sql =>
  exposure.detail === 'minimal' ? sql.raw('FALSE') : sql`r.relationship_type = ${type}`;

export function withEnds<Row extends TypedEdgeRow>(row: Row) {
  const {
    from_tag_ids,
    from_schema_id,
    from_node_type,
    from_created_at,
    to_tag_ids,
    to_schema_id,
    to_node_type,
    to_created_at,
    ...edge
  } = row;
  return {
    edge,
    from: facts(edge.from_node_id, [from_tag_ids, from_schema_id, from_node_type, from_created_at]),
    to: facts(edge.to_node_id, [to_tag_ids, to_schema_id, to_node_type, to_created_at]),
  };
}

function facts(
  id: string,
  [tagIds, schemaId, nodeType, createdAt]: [unknown, unknown, unknown, unknown],
): NodeFacts {
  return { id, tagIds, schemaId, nodeType, createdAt } as NodeFacts;
}
