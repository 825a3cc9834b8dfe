import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type Access, type NodeFacts } from '../../privacy/index.js';
import { type EdgeWithEnds } from '../domain/relationship-view.js';
import { newestFirst } from './newest-first.js';
import { type Counted, NodeTotals } from './node-totals.js';
import {
  EDGE_WITH_ENDS,
  type EdgeRow,
  isByShownType,
  LIVING_EDGES,
  readableEdges,
  type RelationshipFilter,
  type RelationshipListing,
  type RelationshipPage,
  withEnds,
} from './relationship-rows.js';
import { RelationshipsAsShown } from './relationships-as-shown.js';

/** Reading relationships. Both ends' visibility is part of each statement (decisions 3.19), so that totals are exact. */
@Injectable()
export class RelationshipsQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly asShown: RelationshipsAsShown,
  ) {}

  /** A living relationship of living nodes, whoever asks. */
  async find(ownerId: string, id: string): Promise<EdgeWithEnds | null> {
    const [row] = await this.database.read<EdgeRow>(
      sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE r.owner_id = ${ownerId} AND r.id = ${id} AND r.deleted_at IS NULL`,
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
  async list(access: Access, listing: RelationshipListing): Promise<RelationshipPage> {
    const { filter, limit, offset } = listing;
    if (isByShownType(access, filter)) return this.asShown.list(access, listing);
    const page = this.database.read<EdgeRow>(
      sql`SELECT ${EDGE_WITH_ENDS} FROM ${LIVING_EDGES} WHERE ${readableEdges(access, filter)}
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
          FROM ${LIVING_EDGES} WHERE ${readableEdges(access, filter)}`,
        'relationships-count',
      );
      return counted as Counted;
    };
    return this.totals.total(access, `relationships ${JSON.stringify(filter)}`, count);
  }
}
