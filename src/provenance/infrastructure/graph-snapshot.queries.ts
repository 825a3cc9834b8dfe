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

/** The nodes of an account that did not exist at the moment; of more than a few their ids are not held. */
export class AbsentNodes {
  private readonly ids = new Set<string>();

  /** True if ends of relationships must be looked up, one by one. */
  get areMany(): boolean {
    return this.ids.size > MOST_ABSENT;
  }

  add(asked: readonly string[], found: ReadonlySet<string>): void {
    for (const id of asked) if (!this.areMany && !found.has(id)) this.ids.add(id);
  }

  has({ from_node_id, to_node_id }: EdgeAtTime): boolean {
    return this.ids.has(from_node_id) || this.ids.has(to_node_id);
  }
}

const MOST_ABSENT = 10_000;

/** The rows of the log, and of things, that are read at a time, however large the account is. */
const AT_ONCE = 1_000;

/** The fields of a snapshot that an answer shows. */
const FIELDS = {
  node: sql.raw(`title text, node_type text, meaning_level text, importance_score double precision`),
  relationship: sql.raw(
    `from_node_id uuid, to_node_id uuid, relationship_type text, strength double precision`,
  ),
};
type Entity = keyof typeof FIELDS;

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

  /** The nodes of the moment in the order of their creation in this graph, in parts; collects the others. */
  async *nodes(moment: SnapshotMoment, absent: AbsentNodes): AsyncGenerator<NodeAtTime[]> {
    const states = (some: readonly string[]): Sql =>
      sql`SELECT id, title, node_type, meaning_level, importance_score, created_at
        FROM (${lastStatesQuery('node', some, moment)}) AS node ORDER BY place`;
    for await (const ids of this.nodeIds(moment)) {
      const found = new Set<string>();
      for await (const part of this.pieces<NodeAtTime>(ids, states, 'graph-snapshot-nodes')) {
        for (const { id } of part) found.add(id);
        yield part;
      }
      absent.add(ids, found);
    }
  }

  /**
   * The relationships of the moment between its nodes, in parts, with the ends of that time: a merge moves edges.
   * @param absent as `nodes` has left it
   */
  async *edges(moment: SnapshotMoment, absent: AbsentNodes): AsyncGenerator<EdgeAtTime[]> {
    const [states, name] = absent.areMany
      ? [edgesBetween, 'graph-snapshot-relationships-between']
      : [edgesOf, 'graph-snapshot-relationships'];
    for await (const ids of this.edgeIds(moment))
      for await (const part of this.pieces<EdgeAtTime>(ids, (some) => states(some, moment), name))
        yield absent.areMany ? part : part.filter((edge) => !absent.has(edge));
  }

  private pieces<Thing extends object>(
    ids: readonly string[],
    statementOf: (some: readonly string[]) => Sql,
    name: string,
  ): AsyncGenerator<Thing[]> {
    return this.database.readPieces<string, Thing>(ids, statementOf, { name, most: AT_ONCE });
  }

  /** Walks along the log of nodes, whose order needs no index on the table. */
  private async *nodeIds({ ownerId, head }: SnapshotMoment): AsyncGenerator<string[]> {
    for (let reached: number | null = 0; ;) {
      const [row]: { reached: number | null; ids: string[] | null }[] = await this.database.read(
        sql`SELECT max(c.sequence) AS reached,
            array_agg(c.entity_id ORDER BY c.sequence) FILTER (WHERE c.version = 1) AS ids
          FROM (SELECT sequence, entity_id, version FROM changes
            WHERE owner_id = ${ownerId} AND entity = 'node' AND sequence > ${reached} AND sequence <= ${head}
            ORDER BY sequence LIMIT ${AT_ONCE}) AS c`,
        'graph-snapshot-created-nodes',
      );
      reached = row?.reached ?? null;
      if (reached === null) return;
      yield row?.ids ?? [];
    }
  }

  private async *edgeIds({ ownerId }: SnapshotMoment): AsyncGenerator<string[]> {
    let ids: string[] = [];
    do {
      const last = ids.at(-1);
      const rows = await this.database.read<{ id: string }>(
        sql`SELECT id FROM relationships
          WHERE owner_id = ${ownerId} AND ${last === undefined ? sql`TRUE` : sql`id > ${last}`}
          ORDER BY id LIMIT ${AT_ONCE}`,
        'graph-snapshot-relationship-ids',
      );
      yield (ids = rows.map(({ id }) => id));
    } while (ids.length === AT_ONCE);
  }
}

/** The last change of an entity up to the moment. */
const lastChange = (entity: Entity, id: Sql, { ownerId, time, head }: SnapshotMoment): Sql =>
  sql`SELECT c.action, c.snapshot, c.node_created_at FROM changes AS c
    WHERE c.owner_id = ${ownerId} AND c.entity_id = ${id} AND c.entity = ${sql.raw(`'${entity}'`)}
      AND c.sequence <= ${head} AND c.changed_at <= ${time}
    ORDER BY c.sequence DESC LIMIT 1`;

/**
 * The states at the moment of those entities that existed, with their places in the list. Each snapshot is unpacked
 * once, however many fields are taken out.
 */
const lastStatesQuery = (entity: Entity, ids: readonly string[], moment: SnapshotMoment): Sql =>
  sql`SELECT asked.place, asked.id, s.*, c.node_created_at AS created_at
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS asked (id, place)
      CROSS JOIN LATERAL (${lastChange(entity, sql`asked.id`, moment)}) AS c
      CROSS JOIN LATERAL jsonb_to_record(c.snapshot) AS s (${FIELDS[entity]}, deleted_at text)
    WHERE c.action <> 'deleted' AND s.deleted_at IS NULL`;

const EDGE = sql.raw('edge.id, edge.from_node_id, edge.to_node_id, edge.relationship_type, edge.strength');

const edgesOf = (ids: readonly string[], moment: SnapshotMoment): Sql =>
  sql`SELECT ${EDGE} FROM (${lastStatesQuery('relationship', ids, moment)}) AS edge`;

/** Relationships whose two nodes existed at the moment. Each node is looked up once in a statement. */
const edgesBetween = (ids: readonly string[], moment: SnapshotMoment): Sql =>
  sql`WITH edge AS (${lastStatesQuery('relationship', ids, moment)}),
      node AS (
        SELECT asked.id FROM (SELECT from_node_id AS id FROM edge UNION SELECT to_node_id FROM edge) AS asked
          CROSS JOIN LATERAL (${lastChange('node', sql`asked.id`, moment)}) AS c
        WHERE c.action <> 'deleted' AND c.snapshot ->> 'deleted_at' IS NULL
      )
    SELECT ${EDGE} FROM edge
    WHERE edge.from_node_id IN (SELECT id FROM node) AND edge.to_node_id IN (SELECT id FROM node)`;
