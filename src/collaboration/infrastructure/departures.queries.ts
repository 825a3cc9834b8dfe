import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Share } from '../domain/share.js';

/** A group that somebody is in, or has made. */
export interface GroupLeft {
  id: string;
  is_active: boolean;
  is_member: boolean;
  /** Members beside that person. */
  others: number;
}

/** What one person has on other people's side, and what becomes of it when they go for good. Writes need a unit of work. */
@Injectable()
export class DeparturesQueries {
  constructor(private readonly database: Database) {}

  groups(userId: string): Promise<GroupLeft[]> {
    return this.database.read<GroupLeft>(
      sql`SELECT g.id, g.is_active,
          EXISTS (SELECT FROM group_members AS m WHERE m.owner_id = g.id AND m.user_id = ${userId}) AS is_member,
          (SELECT count(*) FROM group_members AS m WHERE m.owner_id = g.id AND m.user_id <> ${userId}) AS others
        FROM groups AS g
        WHERE g.created_by = ${userId} OR g.id IN (SELECT m.owner_id FROM group_members AS m WHERE m.user_id = ${userId})
        ORDER BY g.id`,
    );
  }

  /** Every share that the user gave, received or owns the nodes of, and all that hangs on one. */
  async takeShares(userId: string): Promise<Share[]> {
    const doomed = doomedShares(userId);
    await this.database.write(
      sql`UPDATE changes AS c SET snapshot = NULL, changed_fields = NULL FROM follows AS f
        WHERE f.follower_id = ${userId} AND c.owner_id = f.owner_id AND c.entity_id = f.id AND c.entity = 'follow'`,
    );
    await this.database.write(
      sql`DELETE FROM follows WHERE owner_id = ${userId} OR follower_id = ${userId}
        OR (owner_id, share_id) IN (${doomed})`,
    );
    return this.database.write<Share>(
      sql`DELETE FROM shares WHERE (owner_id, id) IN (${doomed}) RETURNING *`,
    );
  }

  /** Words to others, and questions that nobody can answer any more. */
  async takeWords(userId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE group_invitations SET message = NULL WHERE invited_by = ${userId} AND message IS NOT NULL`,
    );
    await this.database.write(sql`DELETE FROM group_invitations WHERE invited_user_id = ${userId}`);
    await this.database.write(
      sql`UPDATE group_connections SET message = NULL WHERE requested_by = ${userId} AND message IS NOT NULL`,
    );
  }
}

const doomedShares = (userId: string): Sql =>
  sql`WITH RECURSIVE doomed AS (
      SELECT s.owner_id, s.id FROM shares AS s
      WHERE s.owner_id = ${userId} OR s.graph_owner_id = ${userId} OR s.shared_with_user_id = ${userId}
      UNION
      SELECT s.owner_id, s.id FROM doomed AS d
      JOIN shares AS s ON s.parent_owner_id = d.owner_id AND s.parent_share_id = d.id
    ) SELECT owner_id, id FROM doomed`;
