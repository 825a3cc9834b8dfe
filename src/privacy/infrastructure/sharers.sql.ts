import { type Sql, sql } from '../../kernel/database/sql.js';
import { isFromBlocked } from './blocked-users.sql.js';

/**
 * The owners of graphs of which a person receives anything, or anything beyond single nodes, as rows `(owner_id)`.
 * Thousands may share with one person: statements name that person instead of them all, and decide on what they find
 * by the person's accesses.
 */
export const sharersOf = (recipientId: string, which: 'all' | 'beyond single nodes'): Sql =>
  sql`(SELECT DISTINCT s.graph_owner_id AS owner_id FROM shares AS s
    WHERE s.shared_with_user_id = ${recipientId} AND s.revoked_at IS NULL
      AND (s.expires_at IS NULL OR s.expires_at > now()) AND NOT ${isFromBlocked(recipientId)}
      AND (${which === 'all'} OR s.scope <> 'specific_nodes'))`;
