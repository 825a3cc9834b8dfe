import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility, hasType } from '../../../privacy/index.js';
import { type PropertyFilter } from '../../common/index.js';
import { among, FACT_COLUMNS, type NodeFilter, passing, propertiesPass } from '../../lists/index.js';

/** The filter of a search; an absent field does not restrict. */
export interface SearchFilter extends Pick<
  NodeFilter,
  'view' | 'meaningLevel' | 'tagIds' | 'schemaIds' | 'properties' | 'matchesNothing'
> {
  /** Nodes of any of these types. */
  nodeTypes?: readonly string[] | undefined;
  /** Nodes that were created at this time or later. */
  createdFrom?: Date | undefined;
  /** Nodes that were created before this time. */
  createdBefore?: Date | undefined;
}

/**
 * The readable nodes that pass the filter, as the condition of a query over `nodes AS n`, or over rows that have its facts
 * under the same names, as those of `node_words` do. Callers who are shown another time of creation find no such node by
 * its time (rule 3.16).
 */
export function searchedNodes({ ownerId, nodes, exposure }: Access, filter: SearchFilter): Sql {
  const readable = compileVisibility(nodes.read, FACT_COLUMNS);
  return sql`n.owner_id = ${ownerId} AND ${passingNodes(exposure, filter, readable)} AND ${readable}`;
}

/**
 * The filter alone, for callers who are shown nodes in this way.
 * @param readable the condition of the nodes of which more than the facts may be read
 */
export function passingNodes(exposure: Access['exposure'], filter: SearchFilter, readable: Sql): Sql {
  const { nodeTypes, createdFrom, createdBefore, properties, ...others } = filter;
  const asksTime = createdFrom !== undefined || createdBefore !== undefined;
  return sql.and([
    passing(others, exposure.detail, readable),
    nodeTypes !== undefined && hasType(FACT_COLUMNS.nodeType, nodeTypes),
    asksTime && compileVisibility(exposure.unaltered('created_at'), FACT_COLUMNS),
    createdFrom !== undefined && sql`n.created_at >= ${createdFrom}`,
    createdBefore !== undefined && sql`n.created_at < ${createdBefore}`,
    properties !== undefined && among(readable, withProperties(exposure, properties)),
  ]);
}

/**
 * The condition on properties alone. Rows that have the facts of nodes have no metadata: it is read by the id. OFFSET 0 is a
 * fence: without it the planner reads the metadata of all nodes at once, hidden ones and those of other owners.
 */
export const withProperties = (exposure: Access['exposure'], properties: readonly PropertyFilter[]): Sql =>
  exposure.shows('metadata')
    ? sql`EXISTS (SELECT FROM nodes AS filtered WHERE filtered.owner_id = n.owner_id AND filtered.id = n.id
      AND ${propertiesPass(sql.raw('filtered.metadata'), properties)} OFFSET 0)`
    : sql`FALSE`;

/** True if the filter restricts more than the view does. */
export const isRestricting = ({ view: _, ...others }: SearchFilter): boolean =>
  Object.values(others).some((value) => value !== undefined);

/**
 * The node of one id. OFFSET 0 is a fence: for an owner whom its statistics do not know the planner would read all of the
 * owner's nodes for each hit, and the time would tell hidden hits.
 */
export const nodeOf = (id: Sql, condition: Sql): Sql =>
  sql`SELECT n.* FROM nodes AS n WHERE n.id = ${id} AND ${condition} OFFSET 0`;

/** The same in the graph of one owner. */
export const nodeAt = (owner: Sql, id: Sql, condition: Sql): Sql =>
  sql`SELECT n.* FROM nodes AS n WHERE n.owner_id = ${owner} AND n.id = ${id} AND ${condition} OFFSET 0`;
