import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Access, compileVisibility } from '../../privacy/index.js';
import { type GraphView } from '../domain/node-record.js';

/** Which vectors are compared (decisions 4.17). */
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
 * The vectors of the nodes that the caller can read, as the condition of a query over `embeddings AS e`: the same
 * visibility as of nodes, over the copy of their facts.
 */
export function readableEmbeddings(access: Access, { dimensions, model, view }: EmbeddingFilter): Sql {
  return sql.and([
    sql`e.owner_id = ${access.ownerId}`,
    sql`e.dimensions = ${dimensions}`,
    sql`NOT e.is_deleted`,
    sql`e.graph_view = ${view}`,
    model !== undefined && sql`e.model = ${model}`,
    compileVisibility(access.nodes.read, FACT_COLUMNS),
  ]);
}

/**
 * Whether this caller may compare vectors at all. A vector is made of the whole of a node, so whoever is shown less
 * than all of its fields would learn from it what he is not shown (decisions 3.16).
 */
export const comparesVectors = ({ exposure }: Access): boolean =>
  exposure.detail === 'full' && !exposure.transforms('similarity_score');
