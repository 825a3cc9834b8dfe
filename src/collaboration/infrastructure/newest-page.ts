import { type Room } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';

/** Rows of a page of a list, newest first, each with the total of the list; one row without an id where the page has none. */
export const newestPage = (listed: Sql, { limit, offset }: Room): Sql =>
  sql`WITH listed AS (${listed})
    SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM listed) AS counted
    LEFT JOIN (SELECT * FROM listed ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) AS page ON TRUE
    ORDER BY page.created_at DESC, page.id DESC`;
