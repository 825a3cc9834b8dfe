import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';

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

/** The owner, the time, and the end of the log at the request: later changes are ignored. */
export interface SnapshotMoment {
  ownerId: string;
  time: Date;
  head: number;
}

/** The rows read at a time: other work is served in between, and little memory is held. */
const AT_ONCE = 1_000;

const NODE = sql.raw(`asked.id, c.snapshot ->> 'title' AS title, c.snapshot ->> 'node_type' AS node_type,
  c.snapshot ->> 'meaning_level' AS meaning_level, (c.snapshot ->> 'importance_score')::double precision AS importance_score,
  c.node_created_at AS created_at`);
const EDGE = sql.raw(`asked.id, (c.snapshot ->> 'from_node_id')::uuid AS from_node_id,
  (c.snapshot ->> 'to_node_id')::uuid AS to_node_id, c.snapshot ->> 'relationship_type' AS relationship_type,
  (c.snapshot ->> 'strength')::double precision AS strength`);

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
  async *nodes(moment: SnapshotMoment): AsyncGenerator<NodeThen[]> {
    for (const ids of inParts(await this.ids('nodes', moment.ownerId)))
      yield await this.database.read<NodeThen>(
        sql`SELECT ${NODE} FROM ${lastOf('node', ids, moment)} AND NOT c.snapshot ? 'deleted_at' ORDER BY asked.place`,
        'graph-snapshot-nodes',
      );
  }

  /**
   * Oldest first, in parts; with the nodes of that time, because a merge moves edges. Their nodes may have been deleted
   * before.
   */
  async *edges(moment: SnapshotMoment): AsyncGenerator<EdgeThen[]> {
    for (const ids of inParts(await this.ids('relationships', moment.ownerId)))
      yield await this.database.read<EdgeThen>(
        sql`SELECT ${EDGE} FROM ${lastOf('relationship', ids, moment)} ORDER BY asked.place`,
        'graph-snapshot-edges',
      );
  }

  private async ids(table: 'nodes' | 'relationships', ownerId: string): Promise<string[]> {
    const [row] = await this.database.read<{ ids: string[] | null }>(
      sql`SELECT array_agg(id ORDER BY created_at, id) AS ids FROM ${sql.raw(table)} WHERE owner_id = ${ownerId}`,
      'graph-snapshot-ids',
    );
    return row?.ids ?? [];
  }
}

/** The state of each entity at the moment: its change with the highest number up to then, unless that deleted it. */
const lastOf = (
  entity: 'node' | 'relationship',
  ids: readonly string[],
  { ownerId, time, head }: SnapshotMoment,
): Sql =>
  sql`unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place) CROSS JOIN LATERAL (
      SELECT c.action, c.snapshot, c.node_created_at FROM changes AS c
      WHERE c.owner_id = ${ownerId} AND c.entity_id = asked.id AND c.entity = ${sql.raw(`'${entity}'`)}
        AND c.sequence <= ${head} AND c.changed_at <= ${time}
      ORDER BY c.sequence DESC LIMIT 1
    ) AS c WHERE c.action <> 'deleted'`;

function* inParts(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE);
}
