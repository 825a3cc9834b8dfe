import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/** The people whose logs imports close to others. */
@Injectable()
export class ClosedLogs {
  constructor(private readonly database: Database) {}

  /**
   * The people among these into whose accounts an archive is imported. An import into the account of another one begins
   * only after the unit of work, so that nothing that the unit appends is refused. It never waits.
   */
  async among(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (userIds.length === 0) return new Set();
    const rows = await this.database.write<{ id: string }>(
      sql`SELECT p.id FROM unnest(${[...new Set(userIds)]}::uuid[]) AS p (id) LEFT JOIN sequences AS q ON q.id = p.id
        WHERE q.is_filling OR is_import_under_way(p.id)`,
      'closed-logs',
    );
    return new Set(rows.map(({ id }) => id));
  }
}
