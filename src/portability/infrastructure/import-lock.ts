import { type Sql, sql } from '../../kernel/database/sql.js';

/**
 * The key of the advisory lock that an import into an account holds: while its mark is in force (function
 * `is_import_under_way` of the migrations), and against an erasure of the account.
 */
export const importLock = (ownerId: string): Sql =>
  sql`hashtextextended('import into ' || ${ownerId}::uuid::text, 0)`;
