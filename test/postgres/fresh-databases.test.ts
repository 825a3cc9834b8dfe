import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { freshDatabase } from '../support/database.js';

/** Runs one statement in a database. */
async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

it('databases made at the same time are migrated, empty and apart', async () => {
  const databases = await Promise.all(Array.from({ length: 4 }, () => freshDatabase()));
  const id = randomUUID();
  await ask(databases[0]!.url, `CREATE TABLE "${id}" ()`);
  for (const [index, { url, drop }] of databases.entries()) {
    expect(await ask(url, 'SELECT count(*)::int AS users FROM users')).toEqual([{ users: 0 }]);
    const found = await ask(url, `SELECT 1 FROM pg_tables WHERE tablename = '${id}'`);
    expect(found).toHaveLength(index === 0 ? 1 : 0);
    await drop();
    await expect(ask(url, 'SELECT 1')).rejects.toThrow('does not exist');
  }
});
