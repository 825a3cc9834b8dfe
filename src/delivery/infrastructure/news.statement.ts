/**
 * Written with the change log (see ChangeFollower). The row is updated where it is there already: its lock makes who
 * would end the news wait for this change (see settleNews). They are as old as the first change that nobody has read.
 */
export const NEWS_STATEMENT = `news AS (
  INSERT INTO webhook_news AS n (owner_id, changed_at) SELECT $1, counted.changed_at FROM counted WHERE counted.is_followed
  ON CONFLICT (owner_id) DO UPDATE SET changed_at = n.changed_at
)`;
