import { type Sql, sql } from '../../kernel/database/sql.js';

/** True in SQL if a person has blocked one of these users (rule 10.7i); one look-up for each row. */
export const hasBlocked = (personId: Sql, userIds: readonly Sql[]): Sql =>
  sql`EXISTS (SELECT FROM blocked_users AS b WHERE b.owner_id = ${personId} AND b.user_id IN (${sql.join(userIds)}))`;

/**
 * True in SQL if the recipient of a share, the row `s`, has blocked its sharer or the owner of its nodes. For many shares
 * of one recipient: the list is read once and hashed, because both can have 10,000 rows.
 */
export const isFromBlocked = (recipientId: string): Sql =>
  sql`(s.owner_id IN (${blockedBy(recipientId)}) OR s.graph_owner_id IN (${blockedBy(recipientId)}))`;

const blockedBy = (personId: string): Sql =>
  sql`SELECT b.user_id FROM blocked_users AS b WHERE b.owner_id = ${personId}`;
