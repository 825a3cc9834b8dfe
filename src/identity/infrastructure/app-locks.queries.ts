import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

@Injectable()
export class AppLocks {
  constructor(private readonly database: Database) {}

  /** Locks the app against changes until the unit ends; several units may hold this lock at once. */
  async hold(id: string): Promise<void> {
    await this.database.write(sql`SELECT 1 FROM apps WHERE id = ${id} FOR SHARE`, 'app-hold');
  }

  /** Locks an app that is about to be changed. */
  async lock(id: string): Promise<void> {
    await this.database.write(sql`SELECT 1 FROM apps WHERE id = ${id} FOR NO KEY UPDATE`, 'app-lock');
  }
}
