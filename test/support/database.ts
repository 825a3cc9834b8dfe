import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { type EmbeddedDatabase } from '../../src/libs/embedded-postgres/embedded.js';
import { migrate } from '../../src/kernel/database/migrations.js';
import { migrationsKey, PREPARED } from './prepared.js';

/** A database of one test's own: PGlite in memory, or with TEST_DATABASE_URL a new one on that PostgreSQL. */
export async function freshDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined || server === '')
    return { url: await migratedFile(), drop: async () => undefined };
  return createdOn(server, await (migratedTemplate ??= templateOn(server)));
}

/** An unmigrated database on the PostgreSQL of the tests. */
export const emptyDatabase = () => createdOn(process.env.TEST_DATABASE_URL as string, 'template0');

async function createdOn(server: string, template: string) {
  const name = `pig_test_${randomBytes(8).toString('hex')}`;
  await administrate(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: databaseOn(server, name),
    drop: () =>
      administrate(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

export const onPostgres = Boolean(process.env.TEST_DATABASE_URL);

let migratedTemplate: Promise<string> | undefined;
/** Any constant, the same in every process and clone: one of them makes the template, the others wait. */
const TEMPLATE_LOCK = 7_463_002;

/**
 * The template database of these migrations. It gets its name only when it is complete, so a killed run leaves no
 * partial one.
 */
async function templateOn(server: string): Promise<string> {
  const name = `pig_template_${migrationsKey()}`;
  const draft = `${name}_draft`;
  await administrate(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft}`);
    const database = await Database.open(new Config({ DATABASE_URL: databaseOn(server, draft) }), []);
    try {
      await migrate(database);
    } finally {
      await database.close();
    }
    // A database with open connections cannot be copied.
    await client.query(`ALTER DATABASE ${draft} ALLOW_CONNECTIONS false`);
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
  return name;
}

/** The same for PGlite: a file to begin from. */
async function migratedFile(): Promise<string> {
  const file = `${PREPARED}/${migrationsKey()}`;
  if (!existsSync(file)) {
    mkdirSync(PREPARED, { recursive: true });
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

function databaseOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function administrate(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
