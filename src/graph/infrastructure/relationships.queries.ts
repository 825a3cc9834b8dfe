import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { isId } from '../../kernel/ids.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import {
  type Access,
  compileVisibility,
  type NodeFacts,
  type VisibilityColumns,
} from '../../privacy/index.js';
import { type GraphView } from '../domain/node-record.js';
import { type Relationship } from '../domain/relationship.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { newestFirst } from './newest-first.js';
import { type Counted, NodeTotals } from './node-totals.js';

/** Which relationships a list is about; what is absent does not restrict. Ids are the caller's words: what is no id matches nothing. */
export interface RelationshipFilter {
  /** `shared`: what others share with the caller. */
  access: 'owned' | 'shared' | 'all';
  fromNodeId?: string;
  toNodeId?: string;
  /** At either end. */
  nodeId?: string;
  type?: string;
  view?: GraphView;
}

export interface RelationshipListing {
  filter: RelationshipFilter;
  limit: number;
  offset: number;
}

/** `total`: how many the caller can read in all, exactly (decisions 4.8). */
export interface RelationshipPage {
  edges: EdgeWithEnds[];
  total: number;
}

type EndFacts<End extends 'from' | 'to'> = {
  [Fact in 'tag_ids' | 'schema_id' | 'node_type' | 'created_at' as `${End}_${Fact}`]: unknown;
};
type Row = Relationship & EndFacts<'from'> & EndFacts<'to'>;

const columnsOf = (alias: string): VisibilityColumns => ({
  id: sql.raw(`${alias}.id`),
  tagIds: sql.raw(`${alias}.tag_ids`),
  schemaId: sql.raw(`${alias}.schema_id`),
  nodeType: sql.raw(`${alias}.node_type`),
  createdAt: sql.raw(`${alias}.created_at`),
});
const FROM_COLUMNS = columnsOf('f');
const TO_COLUMNS = columnsOf('t');

/** Living relationships between living nodes: those of a deleted node are hidden until it is restored (decisions 4.16). */
const LIVING = sql.raw(`relationships AS r
  JOIN nodes AS f ON f.owner_id = r.owner_id AND f.id = r.from_node_id AND f.deleted_at IS NULL
  JOIN nodes AS t ON t.owner_id = r.owner_id AND t.id = r.to_node_id AND t.deleted_at IS NULL`);

const WITH_ENDS = sql.raw(`r.*,
  f.tag_ids AS from_tag_ids, f.schema_id AS from_schema_id, f.node_type AS from_node_type, f.created_at AS from_created_at,
  t.tag_ids AS to_tag_ids, t.schema_id AS to_schema_id, t.node_type AS to_node_type, t.created_at AS to_created_at`);

/** Reading relationships. Both ends' visibility is part of each statement (decisions 3.19), so that totals are exact. */
@Injectable()
export class RelationshipsQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
  ) {}

  /** A living relationship of living nodes, whoever asks. */
  async find(ownerId: string, id: string): Promise<EdgeWithEnds | null> {
    const [row] = await this.database.read<Row>(
      sql`SELECT ${WITH_ENDS} FROM ${LIVING} WHERE r.owner_id = ${ownerId} AND r.id = ${id} AND r.deleted_at IS NULL`,
      'relationship',
    );
    return row ? withEnds(row) : null;
  }

  /** What rules look at in living nodes among these, whoever asks. */
  async facts(ownerId: string, nodeIds: readonly string[]): Promise<Map<string, NodeFacts>> {
    const facts = await this.database.read<NodeFacts>(
      sql`SELECT id, tag_ids AS "tagIds", schema_id AS "schemaId", node_type AS "nodeType", created_at AS "createdAt"
        FROM nodes WHERE owner_id = ${ownerId} AND id = ANY(${nodeIds}::uuid[]) AND deleted_at IS NULL`,
      'nodes-facts',
    );
    return new Map(facts.map((fact) => [fact.id, fact]));
  }

  /** Newest first. Two statements, however many: the page, and the total unless it is known. */
  async list(access: Access, { filter, limit, offset }: RelationshipListing): Promise<RelationshipPage> {
    const page = this.database.read<Row>(
      sql`SELECT ${WITH_ENDS} FROM ${LIVING} WHERE ${readable(access, filter)}
        ORDER BY ${newestFirst(access, 'r')} LIMIT ${limit} OFFSET ${offset}`,
      'relationships-page',
    );
    const [rows, total] = await Promise.all([page, this.count(access, filter)]);
    return { edges: rows.map(withEnds), total };
  }

  private count(access: Access, filter: RelationshipFilter): Promise<number> {
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total, coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes
          FROM ${LIVING} WHERE ${readable(access, filter)}`,
        'relationships-count',
      );
      return counted as Counted;
    };
    return this.totals.total(access, `relationships ${JSON.stringify(filter)}`, count);
  }
}

function readable(access: Access, filter: RelationshipFilter): Sql {
  const { fromNodeId, toNodeId, nodeId, type, view } = filter;
  // Nobody can share a node with anybody yet.
  if (filter.access === 'shared') return sql.raw('FALSE');
  if ([fromNodeId, toNodeId, nodeId].some((id) => id !== undefined && !isId(id))) return sql.raw('FALSE');
  return sql.and([
    sql`r.owner_id = ${access.ownerId} AND r.deleted_at IS NULL`,
    compileVisibility(access.nodes.read, FROM_COLUMNS),
    compileVisibility(access.nodes.read, TO_COLUMNS),
    fromNodeId !== undefined && sql`r.from_node_id = ${fromNodeId}`,
    toNodeId !== undefined && sql`r.to_node_id = ${toNodeId}`,
    nodeId !== undefined && sql`(r.from_node_id = ${nodeId} OR r.to_node_id = ${nodeId})`,
    type !== undefined && sql`r.relationship_type = ${type}`,
    view !== undefined && sql`r.graph_view = ${view}`,
  ]);
}

function withEnds(row: Row): EdgeWithEnds {
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
