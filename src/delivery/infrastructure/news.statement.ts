/**
 * Written with the change log (see ChangeFollower). The row is updated where it is there already: whoever would end the
 * news leaves a row alone that a writer has locked (see settleNews). News is as old as the first change that nobody has read.
 */
const newsOf = (owner: string): string => `news AS (
  INSERT INTO webhook_news AS n (owner_id, changed_at) SELECT ${owner}, counted.changed_at FROM counted
  WHERE counted.is_followed ORDER BY 1
  ON CONFLICT (owner_id) DO UPDATE SET changed_at = n.changed_at
)`;

export const NEWS_STATEMENT = newsOf('$1');
export const SHARED_NEWS_STATEMENT = newsOf('counted.owner_id');
