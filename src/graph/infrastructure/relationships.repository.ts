import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type Relationship } from '../domain/relationship.js';
import { relationshipMapping } from './relationships.mapping.js';

/** Relationships as they are stored, whoever asks: nothing here looks at permissions. Writes need a unit of work. */
@Injectable()
export class RelationshipsRepository {
  constructor(private readonly database: Database) {}

  /** A living one, kept from being changed by others until the unit of work ends. */
  async lock(ownerId: string, id: string): Promise<Relationship | null> {
    const [edge] = await this.database.write<Relationship>(
      sql`SELECT * FROM relationships WHERE owner_id = ${ownerId} AND id = ${id} AND deleted_at IS NULL FOR UPDATE`,
      'relationship-lock',
    );
    return edge ?? null;
  }

  async insert(edges: Relationship[]): Promise<void> {
    await (await this.database.repository(relationshipMapping)).insert(edges);
  }

  /** Saves the next version of a relationship that this unit has locked. */
  async update({ owner_id, id, ...rest }: Relationship): Promise<void> {
    await (await this.database.repository(relationshipMapping)).update({ owner_id, id }, rest);
  }
}
