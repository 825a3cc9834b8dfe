import { QUOTAS } from '../../src/config/quotas.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { type World } from './world.js';

const DIFFERS = sql.raw(QUOTAS.map((quota) => `s.${quota} <> a.${quota}`).join(' OR '));

/** Owners whose counters differ from their rows, with both; nothing is counted for erased accounts. */
export function miscounted(world: World): Promise<{ id: string; counted: object; there: object }[]> {
  return world.nest.get(Database).read(
    sql`SELECT s.id, to_jsonb(s) AS counted, to_jsonb(a) AS there
      FROM sequences AS s CROSS JOIN LATERAL amounts_of(s.id) AS a WHERE NOT s.is_closed AND (${DIFFERS})`,
  );
}
