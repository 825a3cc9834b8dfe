import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of one test's own: PGlite in memory, or with TEST_DATABASE_URL a new one on that PostgreSQL. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined || server === '') return { url: 'memory://', drop: async () => undefined };
  const name = `pig_test_${randomBytes(8).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await administrate(server, `CREATE DATABASE ${name}`);
  return { url: url.href, drop: () => administrate(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

export const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

async function administrate(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
