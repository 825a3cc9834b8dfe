import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
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

  /** Living relationships at these nodes, living or deleted. */
  listAt(ownerId: string, nodeIds: readonly string[]): Promise<Relationship[]> {
    return this.database.read<Relationship>(at(ownerId, nodeIds), 'relationships-at');
  }

  /** The same, locked. */
  lockAt(ownerId: string, nodeIds: readonly string[]): Promise<Relationship[]> {
    return this.database.write<Relationship>(
      sql`${at(ownerId, nodeIds)} FOR UPDATE`,
      'relationships-lock-at',
    );
  }

  async insert(edges: Relationship[]): Promise<void> {
    await (await this.database.repository(relationshipMapping)).insert(edges);
  }

  /** Saves the next version of a relationship that this unit has locked. */
  async update({ owner_id, id, ...rest }: Relationship): Promise<void> {
    await (await this.database.repository(relationshipMapping)).update({ owner_id, id }, rest);
  }
}

const at = (ownerId: string, nodeIds: readonly string[]): Sql =>
  sql`SELECT * FROM relationships WHERE owner_id = ${ownerId} AND deleted_at IS NULL
    AND (from_node_id = ANY(${nodeIds}::uuid[]) OR to_node_id = ANY(${nodeIds}::uuid[])) ORDER BY id`;
