import { readdir, readFile } from 'node:fs/promises';
import { MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { type Database } from './database.js';

const folder = new URL('../../../migrations/', import.meta.url);
/** Any constant; the same in every process, so that only one migrates at a time. */
const LOCK = 7_463_001;

/** `<milliseconds>-<name>.sql`, one migration each, as classes of the shape that TypeORM runs. */
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

/** Brings the database up to date. Behind a lock: any number of processes may start at once. Each file is one transaction. */
export async function migrate(database: Database): Promise<string[]> {
  const runner = database.dataSource.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const executor = new MigrationExecutor(database.dataSource, runner);
    executor.transaction = 'each';
    return (await executor.executePendingMigrations()).map((migration) => migration.name);
  } finally {
    await runner.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    await runner.release();
  }
}
