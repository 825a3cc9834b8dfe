import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/persistence/database.js';
import { type EmbeddedDatabase } from '../../src/kernel/persistence/embedded.js';
import { migrate } from '../../src/kernel/persistence/migrations.js';

/** A database of one test's own: PGlite in memory, or with TEST_DATABASE_URL a new one on that PostgreSQL. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined || server === '')
    return { url: await migratedTemplate(), drop: async () => undefined };
  const name = `pig_test_${randomBytes(8).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await administrate(server, `CREATE DATABASE ${name}`);
  return { url: url.href, drop: () => administrate(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

export const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

/** Making and migrating a database takes ten times as long as opening a copy of one; made anew when a migration changes. */
async function migratedTemplate(): Promise<string> {
  const key = createHash('sha256').update(readFileSync('package-lock.json'));
  for (const file of readdirSync('migrations').sort())
    key.update(file).update(readFileSync(`migrations/${file}`));
  const folder = resolve('node_modules/.cache/test-database');
  const file = `${folder}/${key.digest('hex').slice(0, 16)}`;
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, await migratedSnapshot());
    renameSync(draft, file);
  }
  return `memory://${file}`;
}

async function migratedSnapshot(): Promise<Buffer> {
  const database = await Database.open(new Config({ DATABASE_URL: 'memory://' }), []);
  try {
    await migrate(database);
    return await (database as unknown as { embedded: EmbeddedDatabase }).embedded.snapshot();
  } finally {
    await database.close();
  }
}

async function administrate(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
