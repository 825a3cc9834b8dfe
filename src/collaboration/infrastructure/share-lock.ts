import { type Sql, sql } from '../../kernel/database/sql.js';

/**
 * The name of the advisory lock between changes of a share and new re-shares below it. PostgreSQL grants it in the order
 * of the requests, whereas a row lock FOR SHARE overtakes a change that waits for the row (rule 10.8f).
 */
export const shareLock = (shareId: Sql): Sql => sql`'share ' || ${shareId}::text`;
