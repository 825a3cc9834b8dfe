import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { accountGone } from '../../kernel/errors/account-gone.js';

/** Protects writes that do not raise their writer's counter, which an erasure closes. */
@Injectable()
export class LivingAccounts {
  constructor(private readonly database: Database) {}

  /**
   * Keeps the account from ending before the unit does: an erasure waits for the unit, or the unit for it.
   * Comes first in a unit of work, before anything that an erasure locks.
   * @throws UNAUTHORIZED when the account has ended
   */
  async keep(userId: string): Promise<void> {
    // A foreign key's lock is not sufficient: it lets FOR NO KEY UPDATE through.
    const found = await this.database.write(sql`SELECT id FROM users WHERE id = ${userId} FOR SHARE`);
    if (found.length === 0) throw accountGone('UNAUTHORIZED');
  }
}
