import { type Sql, sql } from '../../kernel/database/sql.js';

/** The people whom a person follows, has asked to follow or gives a share; all others are strangers (rule 10.7h). */
export const acquaintancesOf = (personId: string): Sql =>
  sql`SELECT owner_id AS id FROM follows WHERE follower_id = ${personId} AND status IN ('pending', 'accepted')
    UNION SELECT shared_with_user_id FROM shares WHERE owner_id = ${personId} AND revoked_at IS NULL`;
