import { type Database } from '../kernel/database/database.js';
import { sql } from '../kernel/database/sql.js';

export async function hasUsers(database: Database): Promise<boolean> {
  const [row] = await database.read<{ has: boolean }>(sql`SELECT EXISTS (SELECT 1 FROM users) AS has`);
  return row?.has ?? false;
}
