import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';

export interface NodeAtTime {
  id: string;
  title: string;
  node_type: string;
  meaning_level: string;
  importance_score: number | null;
  created_at: Date;
}

export interface EdgeAtTime {
  id: string;
  from_node_id: string;
  to_node_id: string;
  relationship_type: string;
  strength: number | null;
}

/** The owner, the time, and the end of the log at the request: later changes are ignored. */
export interface SnapshotMoment {
  ownerId: string;
  time: Date;
  head: number;
}

/** The rows read at a time: other work is served in between, and little memory is held. */
const AT_ONCE = 1_000;

const NODE = sql.raw(`title text, node_type text, meaning_level text, importance_score double precision`);
const EDGE = sql.raw(`from_node_id uuid, to_node_id uuid, relationship_type text, strength double precision`);

/** Everything of one owner as it was (rule 7.6): only for the owner in person, so nothing is hidden. */
@Injectable()
export class GraphSnapshotQueries {
  constructor(private readonly database: Database) {}

  async moment(ownerId: string, time: Date): Promise<SnapshotMoment> {
    const [row] = await this.database.read<{ head: number }>(
      sql`SELECT coalesce((SELECT changes FROM sequences WHERE id = ${ownerId}), 0) AS head`,
      'graph-snapshot-head',
    );
    return { ownerId, time, head: row?.head ?? 0 };
  }

  /** Oldest first, in parts. */
  nodes(moment: SnapshotMoment): AsyncGenerator<NodeAtTime[]> {
    return this.things('node', NODE, moment);
  }

  /**
   * Oldest first, in parts; with the nodes of that time, because a merge moves edges. Their nodes may have been deleted
   * before.
   */
  edges(moment: SnapshotMoment): AsyncGenerator<EdgeAtTime[]> {
    return this.things('relationship', EDGE, moment);
  }

  private async *things<Thing extends object>(
    entity: 'node' | 'relationship',
    fields: Sql,
    moment: SnapshotMoment,
  ): AsyncGenerator<Thing[]> {
    const ids = await this.ids(`${entity}s`, moment.ownerId);
    yield* this.database.readPieces<string, Thing>(ids, (some) => lastOf(entity, some, { fields, moment }), {
      name: `graph-snapshot-${entity}s`,
      most: AT_ONCE,
    });
  }

  private async ids(table: 'nodes' | 'relationships', ownerId: string): Promise<string[]> {
    const [row] = await this.database.read<{ ids: string[] | null }>(
      sql`SELECT array_agg(id ORDER BY created_at, id) AS ids FROM ${sql.raw(table)} WHERE owner_id = ${ownerId}`,
      'graph-snapshot-ids',
    );
    return row?.ids ?? [];
  }
}

/**
 * The state of each entity at the moment: its change with the highest number up to then, unless that deleted it. Each
 * snapshot is unpacked once, however many fields are taken out.
 */
const lastOf = (
  entity: 'node' | 'relationship',
  ids: readonly string[],
  { fields, moment: { ownerId, time, head } }: { fields: Sql; moment: SnapshotMoment },
): Sql =>
  sql`SELECT asked.id, s.*, c.node_created_at AS created_at
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place) CROSS JOIN LATERAL (
      SELECT c.action, c.snapshot, c.node_created_at FROM changes AS c
      WHERE c.owner_id = ${ownerId} AND c.entity_id = asked.id AND c.entity = ${sql.raw(`'${entity}'`)}
        AND c.sequence <= ${head} AND c.changed_at <= ${time}
      ORDER BY c.sequence DESC LIMIT 1
    ) AS c CROSS JOIN LATERAL jsonb_to_record(c.snapshot) AS s (${fields}, deleted_at text)
    WHERE c.action <> 'deleted' AND s.deleted_at IS NULL ORDER BY asked.place`;
