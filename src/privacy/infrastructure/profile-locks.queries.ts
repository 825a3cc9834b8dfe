import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/**
 * Row locks by statements of our own: TypeORM offers them in its own transactions only. All last until the
 * unit of work ends.
 */
@Injectable()
export class ProfileLocks {
  constructor(private readonly database: Database) {}

  async profile(ownerId: string, id: string): Promise<void> {
    await this.database.write(
      sql`SELECT 1 FROM exposure_profiles WHERE owner_id = ${ownerId} AND id = ${id} FOR UPDATE`,
      'profile-lock',
    );
  }

  /** Serializes changes of the default profile: the index on it would fail the second of two. */
  async defaultOf(ownerId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`default profile of ${ownerId}`}, 0))`,
    );
  }
}
