import { type Sql, sql } from '../../kernel/database/sql.js';

/**
 * The people whom a person knows by an act of their own: whom they follow or have asked to follow, to whom they share
 * something of their own, and whose request to follow they have accepted; all others are strangers (rule 10.7h). Public
 * people are followed without an act: such a follow is answered at the moment at which it begins.
 * @param at the time at which shares must not have expired
 */
export const acquaintancesOf = (personId: string, at: Sql = sql.raw('now()')): Sql =>
  sql`SELECT owner_id AS id FROM follows WHERE follower_id = ${personId} AND status IN ('pending', 'accepted')
    UNION SELECT given.shared_with_user_id FROM shares AS given
      LEFT JOIN follows AS f ON f.owner_id = given.owner_id AND f.id = given.follow_id
    WHERE given.owner_id = ${personId} AND given.revoked_at IS NULL AND given.parent_share_id IS NULL
      AND (given.expires_at IS NULL OR given.expires_at > ${at}) AND (f.id IS NULL OR f.responded_at > f.created_at)`;
