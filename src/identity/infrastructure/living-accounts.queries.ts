import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { accountGone } from '../../kernel/errors/account-gone.js';

/** Protects writes from the erasure of accounts, which deletes what it finds. */
@Injectable()
export class LivingAccounts {
  constructor(private readonly database: Database) {}

  /**
   * Keeps the account from ending before the unit does: an erasure waits for the unit, or the unit for it.
   * Comes first in a unit of work, before anything that an erasure locks. The end of a log-in does not wait for it.
   * @throws UNAUTHORIZED when the account has ended
   */
  async keep(userId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${accountLock(sql`${userId}::uuid`)}, 0))`,
      'account-keep',
    );
    const found = await this.database.write(sql`SELECT id FROM users WHERE id = ${userId}`, 'account-kept');
    if (found.length === 0) throw accountGone('UNAUTHORIZED');
  }

  /**
   * Waits for units that keep the account, and lets no further one do so until this unit ends. Comes before anything else
   * that an erasure locks: what it finds then is all that refers to the account.
   */
  async end(userId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${accountLock(sql`${userId}::uuid`)}, 0))`,
      'account-end',
    );
  }
}

/**
 * The name of the advisory lock between the erasure of an account and units that add what refers to it. PostgreSQL grants
 * it in the order of the requests, so that others cannot keep an erasure waiting (rule 12.4a).
 */
export const accountLock = (userId: Sql): Sql => sql`'account ' || ${userId}::text`;
