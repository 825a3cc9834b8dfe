import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';

/** For writes that do not raise the counter of the one who makes them, which an erasure closes. */
@Injectable()
export class LivingAccounts {
  constructor(private readonly database: Database) {}

  /**
   * Until the unit ends the account does: an erasure waits for us, or we for it. Comes first in a unit of work, before
   * anything that an erasure locks. @throws UNAUTHORIZED when it is gone
   */
  async keep(userId: string): Promise<void> {
    // A lock of foreign keys would not do: it lets FOR NO KEY UPDATE through.
    const found = await this.database.write(sql`SELECT id FROM users WHERE id = ${userId} FOR SHARE`);
    if (found.length === 0) throw new DomainError('UNAUTHORIZED', 'The account is gone');
  }
}
