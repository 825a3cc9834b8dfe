interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** The only row of EXPLAIN (ANALYZE, FORMAT JSON). */
export interface Explained extends Record<string, unknown> {
  'QUERY PLAN': [{ Plan: Plan }];
}

/** The rows of a table that a plan has read. */
export const rowsOf = (table: string, plan: Plan): number =>
  (plan['Relation Name'] === table ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(table, part), 0);

/** The rows of a table that a plan has read, with those that its conditions then dropped. */
export const visitedRows = (table: string, plan: Plan): number => {
  const dropped = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Relation Name'] === table ? (plan['Actual Rows'] + dropped) * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, part) => sum + visitedRows(table, part), own);
};
