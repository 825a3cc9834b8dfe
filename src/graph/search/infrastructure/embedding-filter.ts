import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  compileVisibility,
  type IncomingShares,
  type NodeFacts,
  sees,
  type Visibility,
  type VisibilityColumns,
  visibility,
} from '../../../privacy/index.js';
import { type GraphView } from '../../common/index.js';

/** The filter of compared vectors (rule 4.17). */
export interface EmbeddingFilter {
  dimensions: number;
  /** Absent: any model. */
  model?: string | undefined;
  view: GraphView;
}

/** The facts for a Visibility, copied beside each vector. */
const FACT_COLUMNS = {
  id: sql.raw('e.node_id'),
  tagIds: sql.raw('e.tag_ids'),
  schemaId: sql.raw('e.schema_id'),
  nodeType: sql.raw('e.node_type'),
  createdAt: sql.raw('e.node_created_at'),
};

/** The facts by which texts that the node has no longer were shown last; all NULL while the vector is of the present ones. */
const PAST_COLUMNS = {
  ...FACT_COLUMNS,
  tagIds: sql.raw('e.past_tag_ids'),
  schemaId: sql.raw('e.past_schema_id'),
  nodeType: sql.raw('e.past_node_type'),
};

const ofTexts = (past: string, present: string): Sql =>
  sql.raw(`CASE WHEN e.past_node_type IS NULL THEN e.${present} ELSE e.${past} END`);

/** The facts of a vector's node, and those by which its texts were shown, which are the same while it is of the present ones. */
export const FACTS_OF_BOTH: readonly VisibilityColumns[] = [
  FACT_COLUMNS,
  {
    ...FACT_COLUMNS,
    tagIds: ofTexts('past_tag_ids', 'tag_ids'),
    schemaId: ofTexts('past_schema_id', 'schema_id'),
    nodeType: ofTexts('past_node_type', 'node_type'),
  },
];

/**
 * The nodes whose vectors this caller may compare. A vector is made from a node's texts, so callers who are
 * shown less than all of them would learn hidden text from it (rule 3.16): below detail full there are
 * none, else those whose texts no transformation concerns.
 */
export const comparableNodes = ({ exposure }: Pick<Access, 'exposure'>): Visibility =>
  exposure.detail === 'full' ? exposure.unaltered('title', 'value', 'metadata') : visibility.none;

/** True if there can be any. */
export const comparesVectors = (access: Access): boolean => comparableNodes(access).kind !== 'none';

/** True if this node is one of them in each of its states. */
export const isComparable = (access: Access, ...states: readonly NodeFacts[]): boolean =>
  states.every((facts) => sees(comparableNodes(access), facts));

/**
 * The vectors of the nodes that the caller can read and compare, as a condition of a query over `embeddings
 * AS e`: the same visibility as for nodes, over the copied facts. A vector of past texts is decided as a version in
 * history is: by the facts of then and now (rule 3.20).
 */
export function readableEmbeddings(access: Access, { dimensions, model, view }: EmbeddingFilter): Sql {
  return sql.and([
    sql`e.owner_id = ${access.ownerId}`,
    ofFilter({ dimensions, model, view }),
    passesRules(access),
  ]);
}

const ofFilter = ({ dimensions, model, view }: EmbeddingFilter): Sql =>
  sql.and([
    sql`e.dimensions = ${dimensions}`,
    sql`NOT e.is_deleted`,
    sql`e.graph_view = ${view}`,
    model !== undefined && sql`e.model = ${model}`,
  ]);

/**
 * The same for vectors of received nodes, but for the shares: those decide by {@link FACTS_OF_BOTH}, the facts of now and
 * those of the texts.
 */
export const comparedOfOthers = (
  { within, exposure }: Pick<IncomingShares, 'within'> & Pick<Access, 'exposure'>,
  filter: EmbeddingFilter,
): Sql =>
  sql.and([
    ofFilter(filter),
    ...FACTS_OF_BOTH.flatMap((facts) => [
      compileVisibility(within, facts),
      compileVisibility(comparableNodes({ exposure }), facts),
    ]),
  ]);

/** The condition that both the present and the past facts of a vector pass. */
export const passesRules = (access: Access): Sql =>
  sql`${isCompared(access, FACT_COLUMNS)} AND (e.past_node_type IS NULL OR ${isCompared(access, PAST_COLUMNS)})`;

/** The same for the vectors of one node, of any model and length. */
export const comparableVectorsOf = (access: Access, nodeId: string): Sql =>
  sql.and([
    sql`e.owner_id = ${access.ownerId}`,
    sql`e.node_id = ${nodeId}`,
    sql`NOT e.is_deleted`,
    passesRules(access),
  ]);

const isCompared = (access: Access, facts: VisibilityColumns): Sql =>
  sql.and([compileVisibility(access.nodes.read, facts), compileVisibility(comparableNodes(access), facts)]);
