import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';

/**
 * Locks of apps until the unit ends. They are advisory, because PostgreSQL grants these in the order of the requests: a
 * row lock FOR SHARE overtakes a change that waits for the row (rule 1.5e).
 */
@Injectable()
export class AppLocks {
  constructor(private readonly database: Database) {}

  /**
   * Locks the app against changes; several units may hold this lock at once. Later waits of the unit take two seconds at
   * most, because the developer waits for the unit.
   */
  async hold(id: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${appLock(sql`${id}::uuid`)}, 0))`,
      'app-hold',
    );
    await this.database.write(sql`SET LOCAL lock_timeout = '2s'`, 'app-held');
  }

  /** Locks an app that is about to be changed, before its row and its counters. */
  async lock(id: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${appLock(sql`${id}::uuid`)}, 0))`,
      'app-lock',
    );
  }

  /** Locks those of the apps that nobody holds, without a wait. */
  async lockFree(ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.write<{ id: string }>(
      sql`SELECT id FROM unnest(${ids}::uuid[]) AS id
        WHERE pg_try_advisory_xact_lock(hashtextextended(${appLock(sql`id`)}, 0))`,
      'app-lock-free',
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Locks the living apps of a developer, in the order of their ids. Deleted ones, of which there may be any number, do not
   * change, and a server has room for some thousand locks of all transactions together.
   */
  async lockAllOf(developerId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${appLock(sql`id`)}, 0))
        FROM (SELECT id FROM apps WHERE owner_id = ${developerId} AND deleted_at IS NULL ORDER BY id) AS found`,
      'app-lock-all',
    );
  }
}

const appLock = (id: Sql): Sql => sql`'app ' || ${id}::text`;
