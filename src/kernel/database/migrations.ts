import { readdir, readFile } from 'node:fs/promises';
import { type DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { packageRoot } from '../package-root.js';

const folder = new URL('migrations/', packageRoot);
/** Any constant that is the same in every process, so that only one migrates at a time. */
const LOCK = 7_463_001;

/** Loads the migrations, one for each `<milliseconds>-<name>.sql`, as classes that TypeORM can run. */
export async function loadMigrations(): Promise<(new () => MigrationInterface)[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file) => asMigration(file, await readFile(new URL(file, folder), 'utf8'))),
  );
}

function asMigration(file: string, text: string): new () => MigrationInterface {
  const [timestamp, ...words] = file.replace(/\.sql$/, '').split('-');
  return class implements MigrationInterface {
    readonly name = `${words.join('-')}${timestamp}`;
    async up(runner: QueryRunner): Promise<void> {
      await runner.query(text).catch((error: Error) => {
        throw new Error(`migration ${file} failed: ${error.message}`, { cause: error });
      });
    }
    async down(): Promise<void> {
      throw new Error(`${file} is not undone; restore a backup`);
    }
  };
}

/**
 * Brings the database up to date, in one transaction and behind a lock of that transaction: any number of processes may
 * start at once, also through a pooler that assigns connections for one transaction only.
 */
export async function migrate({ dataSource }: { readonly dataSource: DataSource }): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    // Changing much data, or waiting for another process that does, may take longer than any statement of a request.
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query('SET LOCAL lock_timeout = 0');
    await runner.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    // If the migration waited for a table that a long statement holds, all later requests would queue behind the
    // migration.
    await runner.query(`SET LOCAL lock_timeout = '15s'`);
    const executed = (await isUpToDate(runner)) ? [] : await executePending(dataSource, runner);
    await runner.commitTransaction();
    return executed;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/**
 * True if no migration is pending. TypeORM would look for its table in the information schema, which costs the embedded
 * database a tenth of a second at each start. Like TypeORM, this looks only at the schema in which tables are created.
 */
async function isUpToDate(runner: QueryRunner): Promise<boolean> {
  const [table] = await runner.query(
    `SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migrations'`,
  );
  if (table === undefined) return false;
  const rows: { name: string }[] = await runner.query('SELECT name FROM migrations');
  const executed = new Set(rows.map(({ name }) => name));
  return runner.connection.migrations.every(({ name }) => executed.has(name as string));
}

async function executePending(dataSource: DataSource, runner: QueryRunner): Promise<string[]> {
  const executor = new MigrationExecutor(dataSource, runner);
  executor.transaction = 'all';
  const executed = await executor.executePendingMigrations();
  return executed.map(({ name }) => name);
}
