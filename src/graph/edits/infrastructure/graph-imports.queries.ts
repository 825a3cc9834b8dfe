import { Injectable } from '@nestjs/common';
import { IMPORT_REASON } from '../../../kernel/change-log/reasons.js';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type NodeSnapshot } from '../../common/index.js';

/** A node with the origin in `metadata.source` that an import wrote there last. */
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
   * Nodes that an import wrote, deleted ones too: a node that a person deleted must not return with the next import. The
   * mark is that of the last change for an import's reason, which no caller can write. What stands in the node counts for
   * nothing: with a copied mark it would receive the texts of another note, and without its own its text would return in
   * a second node, without the tags that hide it.
   */
  listMarked(ownerId: string, importer: string): Promise<MarkedNode[]> {
    return this.database.read<MarkedNode>(
      sql`SELECT n.id, written.snapshot #>> '{metadata,source,ref}' AS ref, written.version AS written_version,
          n.deleted_at IS NOT NULL AS is_deleted
        FROM (
          SELECT DISTINCT ON (c.entity_id) c.entity_id, c.sequence FROM changes AS c
          WHERE c.owner_id = ${ownerId} AND c.entity = 'node' AND c.changed_by_app_id IS NULL
            AND starts_with(c.reason, ${IMPORT_REASON}) AND (c.action = 'created' OR c.changed_fields -> 'metadata' IS NOT NULL)
          ORDER BY c.entity_id, c.sequence DESC
        ) AS last
        JOIN changes AS written ON written.owner_id = ${ownerId} AND written.sequence = last.sequence
        JOIN nodes AS n ON n.owner_id = ${ownerId} AND n.id = last.entity_id
        WHERE written.snapshot #>> '{metadata,source,importer}' = ${importer}
          AND written.snapshot #>> '{metadata,source,ref}' IS NOT NULL
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

  /**
   * Names that people gave tags, which may have been renamed or deleted since. An app could give a tag of its own any name
   * for a moment, and receive under it what is tagged by that name in the source.
   */
  async formerTagNames(ownerId: string): Promise<{ id: string; name: string }[]> {
    return this.database.read(
      sql`SELECT DISTINCT entity_id AS id, snapshot ->> 'name' AS name FROM changes
        WHERE owner_id = ${ownerId} AND entity = 'tag' AND snapshot ->> 'name' IS NOT NULL AND changed_by_app_id IS NULL`,
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
