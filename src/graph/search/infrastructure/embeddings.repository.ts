import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Embedding, type UnitVector } from '../domain/embedding.js';

/** The text form of pgvector. */
export const vectorText = (unit: UnitVector): string => `[${unit.join(',')}]`;

const BYTES_OF_NUMBER = 4;

/** Vectors as stored, without permission checks. Writes need a unit of work. */
@Injectable()
export class EmbeddingsRepository {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangeLog,
  ) {}

  /**
   * Saves vectors of nodes that this unit has locked: the facts for a Visibility are copied from the node,
   * which cannot change meanwhile. No two of the same node, model and length.
   */
  async save(ownerId: string, embeddings: readonly Embedding[], at: Date): Promise<void> {
    const nodeIds = embeddings.map(({ nodeId }) => nodeId);
    const models = embeddings.map(({ model }) => model);
    const units = embeddings.map(({ unit }) => vectorText(unit));
    const written = await this.database.write<{ dimensions: number; is_new: boolean }>(
      sql`INSERT INTO embeddings (owner_id, node_id, dimensions, model, graph_view, tag_ids, schema_id, node_type,
          node_created_at, is_deleted, unit, updated_at)
        SELECT n.owner_id, n.id, vector_dims(r.unit), r.model, n.graph_view, n.tag_ids, n.schema_id, n.node_type,
          n.created_at, n.deleted_at IS NOT NULL, r.unit, ${at}
        FROM (
          SELECT node_id, model, unit::vector AS unit
          FROM unnest(${nodeIds}::uuid[], ${models}::text[], ${units}::text[]) AS given (node_id, model, unit)
        ) AS r
        JOIN nodes AS n ON n.owner_id = ${ownerId} AND n.id = r.node_id
        ON CONFLICT (owner_id, node_id, dimensions, model) DO UPDATE SET graph_view = EXCLUDED.graph_view,
          tag_ids = EXCLUDED.tag_ids, schema_id = EXCLUDED.schema_id, node_type = EXCLUDED.node_type,
          node_created_at = EXCLUDED.node_created_at, is_deleted = EXCLUDED.is_deleted, unit = EXCLUDED.unit,
          vector_id = EXCLUDED.vector_id, updated_at = EXCLUDED.updated_at, past_tag_ids = NULL, past_schema_id = NULL,
          past_node_type = NULL, made_of = NULL
        RETURNING dimensions, xmax = 0 AS is_new`,
      'embeddings-save',
    );
    const numbers = written.reduce((sum, { dimensions, is_new }) => sum + (is_new ? dimensions : 0), 0);
    if (numbers > 0) this.changes.count(ownerId, { graph_bytes: numbers * BYTES_OF_NUMBER });
    await this.database.write(
      sql`UPDATE embeddings AS e SET is_alone = FALSE
        WHERE e.owner_id = ${ownerId} AND e.node_id = ANY(${[...new Set(nodeIds)]}::uuid[]) AND e.is_alone AND EXISTS (
          SELECT FROM embeddings AS other WHERE other.owner_id = e.owner_id AND other.node_id = e.node_id
            AND other.dimensions = e.dimensions AND other.model <> e.model)`,
      'embeddings-mark',
    );
  }
}
