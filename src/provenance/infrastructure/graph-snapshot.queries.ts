import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';

export interface NodeThen {
  id: string;
  title: string;
  node_type: string;
  meaning_level: string;
  importance_score: number | null;
  created_at: Date;
}

export interface EdgeThen {
  id: string;
  from_node_id: string;
  to_node_id: string;
  relationship_type: string;
  strength: number | null;
}

type Row = ({ kind: 'node' } & NodeThen) | ({ kind: 'edge' } & EdgeThen);

/** The state of a thing at that time: of its changes up to then the one with the highest number, unless that ended it. */
const last = (entity: 'node' | 'relationship', time: Date) =>
  sql`CROSS JOIN LATERAL (
    SELECT c.action, c.snapshot, c.node_created_at FROM changes AS c
    WHERE c.owner_id = x.owner_id AND c.entity_id = x.id AND c.entity = ${sql.raw(`'${entity}'`)} AND c.changed_at <= ${time}
    ORDER BY c.sequence DESC LIMIT 1
  ) AS c`;

/** Everything of one owner as it was (decisions 7.6): for the owner in person, so nothing is hidden. */
@Injectable()
export class GraphSnapshotQueries {
  constructor(private readonly database: Database) {}

  /** One statement, so that nodes and edges are of one moment. Each thing's last change is one step in the index by entity. */
  async at(ownerId: string, time: Date): Promise<{ nodes: NodeThen[]; edges: EdgeThen[] }> {
    const rows = await this.database.read<Row>(
      sql`WITH then_nodes AS MATERIALIZED (
          SELECT x.id, c.snapshot ->> 'title' AS title, c.snapshot ->> 'node_type' AS node_type,
            c.snapshot ->> 'meaning_level' AS meaning_level, (c.snapshot ->> 'importance_score')::double precision AS importance_score,
            c.node_created_at AS created_at
          FROM nodes AS x ${last('node', time)}
          WHERE x.owner_id = ${ownerId} AND c.action <> 'deleted' AND NOT c.snapshot ? 'deleted_at'
        )
        SELECT 'node' AS kind, n.id, n.title, n.node_type, n.meaning_level, n.importance_score, n.created_at,
          NULL::uuid AS from_node_id, NULL::uuid AS to_node_id, NULL AS relationship_type, NULL::double precision AS strength
        FROM then_nodes AS n
        UNION ALL
        -- The ends of then: a merge moves edges.
        SELECT 'edge', x.id, NULL, NULL, NULL, NULL, (c.snapshot ->> 'created_at')::timestamptz,
          (c.snapshot ->> 'from_node_id')::uuid, (c.snapshot ->> 'to_node_id')::uuid,
          c.snapshot ->> 'relationship_type', (c.snapshot ->> 'strength')::double precision
        FROM relationships AS x ${last('relationship', time)}
        WHERE x.owner_id = ${ownerId} AND c.action <> 'deleted'
          AND (c.snapshot ->> 'from_node_id')::uuid IN (SELECT id FROM then_nodes)
          AND (c.snapshot ->> 'to_node_id')::uuid IN (SELECT id FROM then_nodes)
        ORDER BY kind, created_at, id`,
      'graph-snapshot',
    );
    return {
      nodes: rows.filter((row) => row.kind === 'node'),
      edges: rows.filter((row) => row.kind === 'edge'),
    };
  }
}
