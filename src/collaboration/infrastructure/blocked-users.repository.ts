import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/** A person from whom another receives nothing. */
export interface BlockedUser {
  user_id: string;
  created_at: Date;
}

/** The people whom a person has blocked, as stored. Writes need a unit of work. */
@Injectable()
export class BlockedUsersRepository {
  constructor(private readonly database: Database) {}

  async find(ownerId: string, userId: string): Promise<BlockedUser | null> {
    const [found] = await this.database.read<BlockedUser>(
      sql`SELECT user_id, created_at FROM blocked_users WHERE owner_id = ${ownerId} AND user_id = ${userId}`,
      'blocked-user',
    );
    return found ?? null;
  }

  /** Newest first. */
  async list(
    ownerId: string,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ blocked: BlockedUser[]; total: number }> {
    const blocked = await this.database.read<BlockedUser>(
      sql`SELECT user_id, created_at FROM blocked_users WHERE owner_id = ${ownerId}
        ORDER BY created_at DESC, user_id DESC LIMIT ${limit} OFFSET ${offset}`,
      'blocked-users-page',
    );
    return { blocked, total: await this.count(ownerId) };
  }

  async count(ownerId: string): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM blocked_users WHERE owner_id = ${ownerId}`,
      'blocked-users-count',
    );
    return row?.total ?? 0;
  }

  /** Adds once all other writers of the list have ended. Throws a foreign key violation for a user who is gone. */
  async add(ownerId: string, { user_id, created_at }: BlockedUser): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`blocked by ${ownerId}`}, 0))`,
      'blocked-users-lock',
    );
    await this.database.write(
      sql`INSERT INTO blocked_users (owner_id, user_id, created_at) VALUES (${ownerId}, ${user_id}, ${created_at})
        ON CONFLICT DO NOTHING`,
      'blocked-user-insert',
    );
  }

  async remove(ownerId: string, userId: string): Promise<void> {
    await this.database.write(
      sql`DELETE FROM blocked_users WHERE owner_id = ${ownerId} AND user_id = ${userId}`,
      'blocked-user-delete',
    );
  }
}
