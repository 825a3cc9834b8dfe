/**
 * Marks an owner with the change log (see ChangeFollower), as that of webhooks does: the worker that would remove the mark
 * skips one that a writer has locked.
 */
const newsOf = (owner: string): string => `embedding_owner AS (
  INSERT INTO embedding_news AS e (owner_id, changed_at) SELECT ${owner}, counted.changed_at FROM counted
  WHERE counted.is_followed ORDER BY 1
  ON CONFLICT (owner_id) DO UPDATE SET changed_at = e.changed_at
)`;

export const EMBEDDING_NEWS_STATEMENT = newsOf('$1');
export const SHARED_EMBEDDING_NEWS_STATEMENT = newsOf('counted.owner_id');
