import { type Sql, sql } from '../../kernel/persistence/sql.js';
import {
  type Access,
  compileVisibility,
  type NodeFacts,
  sees,
  type Visibility,
  visibility,
} from '../../privacy/index.js';
import { type GraphView } from '../domain/node-record.js';

/** Which vectors are compared (rule 4.17). */
export interface EmbeddingFilter {
  dimensions: number;
  /** Absent: those of every model. */
  model?: string | undefined;
  view: GraphView;
}

/** What a Visibility looks at, as it stands beside each vector. */
const FACT_COLUMNS = {
  id: sql.raw('e.node_id'),
  tagIds: sql.raw('e.tag_ids'),
  schemaId: sql.raw('e.schema_id'),
  nodeType: sql.raw('e.node_type'),
  createdAt: sql.raw('e.node_created_at'),
};

/**
 * Of these nodes this caller may compare vectors. A vector is made of the texts of a node, so whoever is shown less than
 * all of them would learn from it what he is not shown (rule 3.16): below detail full none takes part, else those
 * whose texts no transformation concerns.
 */
export const comparableNodes = ({ exposure }: Access): Visibility =>
  exposure.detail === 'full' ? exposure.unaltered('title', 'value', 'metadata') : visibility.none;

/** Whether there can be any. */
export const comparesVectors = (access: Access): boolean => comparableNodes(access).kind !== 'none';

/** Whether this one is, in each of its states. */
export const isComparable = (access: Access, ...states: readonly NodeFacts[]): boolean =>
  states.every((facts) => sees(comparableNodes(access), facts));

/**
 * The vectors of the nodes that the caller can read and compare, as the condition of a query over `embeddings AS e`: the
 * same visibility as of nodes, over the copy of their facts.
 */
export function readableEmbeddings(access: Access, { dimensions, model, view }: EmbeddingFilter): Sql {
  return sql.and([
    sql`e.owner_id = ${access.ownerId}`,
    sql`e.dimensions = ${dimensions}`,
    sql`NOT e.is_deleted`,
    sql`e.graph_view = ${view}`,
    model !== undefined && sql`e.model = ${model}`,
    compileVisibility(access.nodes.read, FACT_COLUMNS),
    compileVisibility(comparableNodes(access), FACT_COLUMNS),
  ]);
}
