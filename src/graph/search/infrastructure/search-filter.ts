import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility, hasType } from '../../../privacy/index.js';
import { type PropertyFilter } from '../../common/index.js';
import { FACT_COLUMNS, type NodeFilter, propertiesPass, readableNodes } from '../../lists/index.js';

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
export function searchedNodes(access: Access, filter: SearchFilter): Sql {
  const { nodeTypes, createdFrom, createdBefore, properties, ...others } = filter;
  const asksTime = createdFrom !== undefined || createdBefore !== undefined;
  return sql.and([
    readableNodes(access, others),
    nodeTypes !== undefined && hasType(FACT_COLUMNS.nodeType, nodeTypes),
    asksTime && compileVisibility(access.exposure.unaltered('created_at'), FACT_COLUMNS),
    createdFrom !== undefined && sql`n.created_at >= ${createdFrom}`,
    createdBefore !== undefined && sql`n.created_at < ${createdBefore}`,
    properties !== undefined && withProperties(access, properties),
  ]);
}

/** Rows that have the facts of nodes have no metadata: it is read by the id, of readable nodes only. */
function withProperties(access: Access, properties: readonly PropertyFilter[]): Sql {
  if (!access.exposure.shows('metadata')) return sql`FALSE`;
  return sql`CASE WHEN ${compileVisibility(access.nodes.read, FACT_COLUMNS)} THEN EXISTS (
    SELECT FROM nodes AS filtered WHERE filtered.owner_id = ${access.ownerId} AND filtered.id = n.id
      AND ${propertiesPass(sql.raw('filtered.metadata'), properties)}) ELSE FALSE END`;
}

/** True if the caller is shown other values at the paths of this filter than the stored ones, of some node. */
const isByMaskedProperties = ({ exposure }: Access, { properties = [] }: SearchFilter): boolean =>
  exposure.shows('metadata') &&
  properties.some(({ path }) => exposure.transforms(['metadata.properties', ...path].join('.')));

/** The filter as far as the database decides it; the rest is decided on shown values. */
export const judgedAsStored = (access: Access, filter: SearchFilter): SearchFilter =>
  isByMaskedProperties(access, filter) ? { ...filter, properties: undefined } : filter;

/** True if the filter restricts more than the view does. */
export const isRestricting = ({ view: _, ...others }: SearchFilter): boolean =>
  Object.values(others).some((value) => value !== undefined);

/**
 * The node of one id. OFFSET 0 is a fence: for an owner whom its statistics do not know the planner would read all of the
 * owner's nodes for each hit, and the time would tell hidden hits.
 */
export const nodeOf = (id: Sql, condition: Sql): Sql =>
  sql`SELECT n.* FROM nodes AS n WHERE n.id = ${id} AND ${condition} OFFSET 0`;
