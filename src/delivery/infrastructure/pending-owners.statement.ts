/**
 * Marks an owner as pending, with the change log (see ChangeFollower). An existing row is updated: the worker that
 * would delete it skips a row that a writer has locked (see clearPendingOwner). The row is as old as the first unread
 * change.
 */
const pendingOwnersOf = (owner: string): string => `pending_owner AS (
  INSERT INTO webhook_news AS n (owner_id, changed_at) SELECT ${owner}, counted.changed_at FROM counted
  WHERE counted.is_followed ORDER BY 1
  ON CONFLICT (owner_id) DO UPDATE SET changed_at = n.changed_at
)`;

export const PENDING_OWNERS_STATEMENT = pendingOwnersOf('$1');
export const SHARED_PENDING_OWNERS_STATEMENT = pendingOwnersOf('counted.owner_id');
