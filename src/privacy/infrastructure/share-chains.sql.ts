import { type Sql, sql } from '../../kernel/database/sql.js';

/** The longest chain that is followed. No chain is created as long; the statement must end for any rows. */
export const MAX_DEPTH = 32;

/**
 * The ids of the re-shares to a person whose chain of parents is in force apart from expiry, by the conditions of
 * `effectiveShare` (rules 10.8b, 10.8e). Each step is taken only from a share to the parent that its sharer received.
 */
export const livingReshares = (recipientId: string): Sql =>
  sql`WITH RECURSIVE above AS (
      SELECT c.id AS leaf_id, c.owner_id, c.graph_owner_id, c.parent_owner_id, c.parent_share_id, 0 AS depth
      FROM shares AS c
      WHERE c.shared_with_user_id = ${recipientId} AND c.revoked_at IS NULL AND c.parent_share_id IS NOT NULL
      UNION ALL
      SELECT a.leaf_id, p.owner_id, p.graph_owner_id, p.parent_owner_id, p.parent_share_id, a.depth + 1
      FROM above AS a JOIN shares AS p ON p.owner_id = a.parent_owner_id AND p.id = a.parent_share_id
      WHERE a.depth < ${MAX_DEPTH} AND p.revoked_at IS NULL AND p.can_share
        AND p.graph_owner_id = a.graph_owner_id AND p.shared_with_user_id = a.owner_id
    ) SELECT leaf_id FROM above WHERE parent_share_id IS NULL AND owner_id = graph_owner_id`;
