import { type Sql, sql } from '../../../kernel/database/sql.js';

export const STORED_TIME = sql.raw('n.updated_at');

/**
 * `updated_at` of `nodes AS n` as a caller is shown it, for sorting.
 * @param behind the nodes whose stored time is later than the shown one, by id, in milliseconds
 */
export function shownTime(behind: ReadonlyMap<string, number>): Sql {
  if (behind.size === 0) return STORED_TIME;
  const times = JSON.stringify(Object.fromEntries(behind));
  return sql`coalesce(timestamptz 'epoch' + (${times}::jsonb ->> n.id::text)::double precision * interval '1 millisecond', n.updated_at)`;
}
