import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountDeletionHooks } from '../../kernel/account-deletion-hooks.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/**
 * Ends every authorization of a user at the very moment of the account's end, not when its rows are deleted.
 */
@Injectable()
export class AuthorizationsEnd implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly departures: AccountDeletionHooks,
  ) {}

  onModuleInit(): void {
    this.departures.register(async (userId) => {
      await this.database.write(sql`DELETE FROM authorizations WHERE owner_id = ${userId}`);
    });
  }
}
