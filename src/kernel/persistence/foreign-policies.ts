import { type Sql, sql } from './sql.js';

interface Counter {
  id: string;
  policy: number;
}

/**
 * The policy counters of owners and apps, without those that the reading transaction itself has raised.
 * @param read runs the statement in that transaction, or outside of any
 */
export async function foreignPolicies(
  ids: readonly string[],
  read: (statement: Sql, name: string) => Promise<Counter[]>,
): Promise<Map<string, number>> {
  const counters = await read(
    sql`SELECT id, policy FROM sequences WHERE id = ANY(${[...ids]}::uuid[])
      AND xmin IS DISTINCT FROM pg_current_xact_id_if_assigned()::xid`,
    'policies-of-others',
  );
  return new Map(counters.map(({ id, policy }) => [id, policy]));
}
