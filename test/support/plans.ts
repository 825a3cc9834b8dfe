interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
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
