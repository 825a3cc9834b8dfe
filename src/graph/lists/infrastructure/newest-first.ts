import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';

/**
 * ORDER BY the time of creation. Callers who are shown that time changed must not learn it from the order
 * (rule 3.16): for them the order is that of the ids, which reveal nothing.
 */
export function newestFirst({ exposure }: Access, alias: 'n' | 'r'): Sql {
  return sql.raw(
    exposure.transforms('created_at') ? `${alias}.id` : `${alias}.created_at DESC, ${alias}.id DESC`,
  );
}
