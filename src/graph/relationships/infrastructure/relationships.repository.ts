import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Relationship } from '../domain/relationship.js';
import { relationshipMapping } from './relationships.mapping.js';

/** Relationships as stored, without permission checks. Writes need a unit of work. */
@Injectable()
export class RelationshipsRepository {
  constructor(private readonly database: Database) {}

  /** A living relationship, locked until the unit of work ends. */
  async lock(ownerId: string, id: string): Promise<Relationship | null> {
    const [edge] = await this.database.write<Relationship>(
      sql`SELECT * FROM relationships WHERE owner_id = ${ownerId} AND id = ${id} AND deleted_at IS NULL FOR UPDATE`,
      'relationship-lock',
    );
    return edge ?? null;
  }

  /** Locks relationships, deleted ones too; in the order of ids, so that two units cannot deadlock. */
  async lockMany(ownerId: string, ids: readonly string[]): Promise<Map<string, Relationship>> {
    const edges = await this.database.write<Relationship>(
      sql`SELECT * FROM relationships WHERE owner_id = ${ownerId} AND id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`,
      'relationships-lock',
    );
    return new Map(edges.map((edge) => [edge.id, edge]));
  }

  /** True if a living relationship is at the node, living or deleted. */
  async isConnected(ownerId: string, nodeId: string): Promise<boolean> {
    const edges = await this.database.read(sql`${at(ownerId, [nodeId])} LIMIT 1`, 'relationships-at');
    return edges.length > 0;
  }

  /** The number of living relationships at these nodes, living or deleted; no more than the limit are counted. */
  async countAt(ownerId: string, nodeIds: readonly string[], limit: number): Promise<number> {
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM (${at(ownerId, nodeIds, sql.raw('id'))} LIMIT ${limit}) AS r`,
      'relationships-count-at',
    );
    return counted?.total ?? 0;
  }

  /** The first living relationships at these nodes, living or deleted, locked. */
  lockAt(ownerId: string, nodeIds: readonly string[], limit: number): Promise<Relationship[]> {
    return this.database.write<Relationship>(
      sql`${at(ownerId, nodeIds)} LIMIT ${limit} FOR UPDATE`,
      'relationships-lock-at',
    );
  }

  /** Locks one living relationship at this node for each {@link sameness} that there is. */
  lockSame(ownerId: string, nodeId: string, samenesses: readonly string[]): Promise<Relationship[]> {
    return this.database.write<Relationship>(
      sql`${same(ownerId, { nodeId, samenesses, except: [] })} FOR UPDATE`,
      'relationships-lock-same',
    );
  }

  /** The same without a lock, and without some relationships. */
  findSame(ownerId: string, at: SamePlace): Promise<Relationship[]> {
    return this.database.read<Relationship>(same(ownerId, at), 'relationships-same');
  }

  async insert(edges: Relationship[]): Promise<void> {
    await (await this.database.repository(relationshipMapping)).insert(edges);
  }

  /** Saves other ends, or the deletion, as the next versions of relationships of one owner. */
  async saveMoved(edges: readonly Relationship[]): Promise<void> {
    const [first] = edges;
    if (first === undefined) return;
    const rows = edges.map(({ id, from_node_id, to_node_id, version, updated_at, deleted_at }) => ({
      id,
      from_node_id,
      to_node_id,
      version,
      updated_at,
      deleted_at,
    }));
    await this.database.write(
      sql`UPDATE relationships AS e SET from_node_id = r.from_node_id, to_node_id = r.to_node_id, version = r.version,
          updated_at = r.updated_at, deleted_at = r.deleted_at
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, from_node_id uuid, to_node_id uuid,
          version integer, updated_at timestamptz, deleted_at timestamptz)
        WHERE e.owner_id = ${first.owner_id} AND e.id = r.id`,
      'relationships-save-moved',
    );
  }

  /** Saves the next version of a relationship that this unit has locked. */
  async update({ owner_id, id, ...rest }: Relationship): Promise<void> {
    await (await this.database.repository(relationshipMapping)).update({ owner_id, id }, rest);
  }
}

/** The {@link sameness} of `relationships AS r`. */
const SAMENESS = sql.raw(
  `(r.from_node_id || ' ' || r.to_node_id || ' ' || r.graph_view || ' ' || r.relationship_type)`,
);

interface SamePlace {
  nodeId: string;
  samenesses: readonly string[];
  except: readonly string[];
}

/** One pass over the relationships of the node, however many there are: the list of texts is hashed. */
const same = (ownerId: string, { nodeId, samenesses, except }: SamePlace): Sql =>
  sql`SELECT * FROM relationships WHERE owner_id = ${ownerId} AND deleted_at IS NULL AND id = ANY(ARRAY(
    SELECT DISTINCT ON (${SAMENESS}) r.id FROM relationships AS r
    WHERE r.owner_id = ${ownerId} AND r.deleted_at IS NULL AND (r.from_node_id = ${nodeId} OR r.to_node_id = ${nodeId})
      AND ${SAMENESS} = ANY(${samenesses}::text[]) AND r.id <> ALL(${except}::uuid[])
    ORDER BY ${SAMENESS}, r.id)) ORDER BY id`;

const at = (ownerId: string, nodeIds: readonly string[], columns = sql.raw('*')): Sql =>
  sql`SELECT ${columns} FROM relationships WHERE owner_id = ${ownerId} AND deleted_at IS NULL
    AND (from_node_id = ANY(${nodeIds}::uuid[]) OR to_node_id = ANY(${nodeIds}::uuid[])) ORDER BY id`;
