import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { AppLocks } from './app-locks.queries.js';

/** The end of an account: no log-in is possible, and its tokens, its apps and all their keys are invalid. */
@Injectable()
export class AccountEnd {
  constructor(
    private readonly database: Database,
    private readonly locks: AppLocks,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Needs a unit of work. Other people's authorizations still name the apps, so the rows of apps stay,
   * emptied.
   */
  async of(userId: string): Promise<void> {
    await this.locks.lockAllOf(userId);
    const now = this.clock.now();
    const apps = await this.database.write<{ id: string; was_living: boolean }>(
      sql`UPDATE apps AS a SET name = '', description = NULL, homepage_url = NULL, redirect_uris = '{}',
          requested_permissions = '{}', is_active = false, updated_at = ${now}, deleted_at = coalesce(a.deleted_at, ${now})
        FROM apps AS before WHERE before.id = a.id AND a.owner_id = ${userId}
        RETURNING a.id, before.deleted_at IS NULL AS was_living`,
    );
    const all = apps.map(({ id }) => id);
    const ids = apps.filter(({ was_living }) => was_living).map(({ id }) => id);
    const keys = await this.database.write<{ app_id: string }>(
      sql`DELETE FROM api_keys WHERE app_id = ANY(${all}::uuid[]) OR user_id = ${userId} RETURNING app_id`,
    );
    await this.database.write(sql`DELETE FROM app_sessions WHERE owner_id = ${userId}`);
    await this.database.write(sql`DELETE FROM app_usage WHERE app_id = ANY(${all}::uuid[])`);
    // The refresh tokens are deleted with it.
    await this.database.write(sql`DELETE FROM users WHERE id = ${userId}`);
    for (const id of new Set([...ids, ...keys.map(({ app_id }) => app_id)]))
      this.changes.bumpPolicyVersion(id);
  }
}
