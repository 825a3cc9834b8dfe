import { Injectable } from '@nestjs/common';
import { IMPORT_REASON } from '../../../kernel/change-log/reasons.js';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type NodeSnapshot } from '../../common/index.js';

/** A node with the origin in `metadata.source` that an import wrote there. */
export interface MarkedNode {
  id: string;
  ref: string;
  /** The version that its import made last. */
  written_version: number;
  is_deleted: boolean;
}

/** An edge, with its creator and its last editor from the change log. */
export interface Edge {
  id: string;
  from_node_id: string;
  to_node_id: string;
  relationship_type: string;
  context: string | null;
  /** The reasons of its first and its last change, if no app made them. */
  made_for: string | null;
  changed_for: string | null;
  is_deleted: boolean;
}

/** The facts about an owner's graph that importers need, without permission checks. */
@Injectable()
export class GraphImportsQueries {
  constructor(private readonly database: Database) {}

  /**
   * Marked nodes, deleted ones too: a node that a person deleted must not return with the next import. A mark counts where
   * an import wrote it: anybody who writes metadata can copy one, and would receive the texts of another note.
   */
  listMarked(ownerId: string, importer: string): Promise<MarkedNode[]> {
    return this.database.read<MarkedNode>(
      sql`SELECT n.id, written.ref, written.version AS written_version, n.deleted_at IS NOT NULL AS is_deleted
        FROM nodes AS n CROSS JOIN LATERAL (
          SELECT c.snapshot #>> '{metadata,source,ref}' AS ref, c.version FROM changes AS c
          WHERE c.owner_id = n.owner_id AND c.entity_id = n.id AND c.entity = 'node' AND c.changed_by_app_id IS NULL
            AND starts_with(c.reason, ${IMPORT_REASON}) AND (c.action = 'created' OR c.changed_fields -> 'metadata' IS NOT NULL)
          ORDER BY c.sequence DESC LIMIT 1) AS written
        WHERE n.owner_id = ${ownerId} AND md5(n.metadata #>> '{source,importer}') = md5(${importer}::text)
          AND n.metadata #>> '{source,importer}' = ${importer}
          AND n.metadata #>> '{source,ref}' = written.ref
        ORDER BY n.created_at, n.id`,
    );
  }

  /** Nodes at one of their versions, by id; those with an unknown version are left out. */
  async statesAt(
    ownerId: string,
    versions: readonly { id: string; version: number }[],
  ): Promise<Map<string, NodeSnapshot>> {
    if (versions.length === 0) return new Map();
    const rows = await this.database.read<{ entity_id: string; snapshot: NodeSnapshot }>(
      sql`SELECT DISTINCT ON (c.entity_id) c.entity_id, c.snapshot
        FROM jsonb_to_recordset(${JSON.stringify(versions)}::jsonb) AS r (id uuid, version integer)
        JOIN changes AS c ON c.owner_id = ${ownerId} AND c.entity_id = r.id AND c.entity = 'node' AND c.version = r.version
        WHERE c.snapshot IS NOT NULL
        ORDER BY c.entity_id, c.sequence DESC`,
    );
    return new Map(rows.map(({ entity_id, snapshot }) => [entity_id, snapshot]));
  }

  /** Former names of tags that were renamed or deleted since, with their tags. */
  async formerTagNames(ownerId: string): Promise<{ id: string; name: string }[]> {
    return this.database.read(
      sql`SELECT DISTINCT entity_id AS id, snapshot ->> 'name' AS name FROM changes
        WHERE owner_id = ${ownerId} AND entity = 'tag' AND snapshot ->> 'name' IS NOT NULL`,
    );
  }

  /** Edges that start from these nodes, deleted ones too, the living first. */
  listEdges(ownerId: string, fromIds: readonly string[]): Promise<Edge[]> {
    return this.database.read<Edge>(
      sql`SELECT r.id, r.from_node_id, r.to_node_id, r.relationship_type, r.context, r.deleted_at IS NOT NULL AS is_deleted,
          log.made_for, log.changed_for
        FROM relationships AS r
        CROSS JOIN LATERAL (
          SELECT (array_agg(c.reason ORDER BY c.sequence) FILTER (WHERE c.action = 'created'))[1] AS made_for,
            (array_agg(c.reason ORDER BY c.sequence DESC))[1] AS changed_for
          FROM (
            SELECT sequence, action, CASE WHEN changed_by_app_id IS NULL THEN reason END AS reason
            FROM changes WHERE owner_id = ${ownerId} AND entity_id = r.id AND entity = 'relationship'
          ) AS c
        ) AS log
        WHERE r.owner_id = ${ownerId} AND r.from_node_id = ANY(${fromIds}::uuid[])
        ORDER BY r.deleted_at IS NOT NULL, r.created_at, r.id`,
    );
  }
}
