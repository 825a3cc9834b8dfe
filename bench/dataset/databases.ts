import { hash } from '@node-rs/argon2';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import pg from 'pg';
import { openEmbedded } from '../../src/libs/embedded-postgres/embedded.js';
import { ROOT, startServer } from '../targets/process.js';
import { load } from './load.js';
import { owners, PASSWORD, type Size } from './world.js';

export type Kind = 'postgres' | 'pglite';

export interface DataSettings {
  seed: number;
  size: Size;
  fresh: boolean;
}

/** Settings with which each server finds its own copy of the data. */
export type Copies = (server: string) => Record<string, string>;

const WORK = `${ROOT}.services/bench`;
export const SERVICE = 'dist/main.js';
export const logFile = (name: string): string => `${WORK}/${name}.log`;

/**
 * A copy of the data for one run. Loading takes minutes, so the result is stored as a template whose key contains
 * everything that decides its content.
 */
export function prepare(kind: Kind, settings: DataSettings): Promise<Copies> {
  mkdirSync(WORK, { recursive: true });
  const content = createHash('sha256').update(JSON.stringify([settings.seed, settings.size]));
  for (const folder of [`${ROOT}migrations`, `${ROOT}bench/dataset`]) {
    for (const file of readdirSync(folder).sort()) content.update(readFileSync(`${folder}/${file}`));
  }
  const key = content.digest('hex').slice(0, 12);
  return kind === 'postgres' ? preparePostgres(key, settings) : prepareEmbedded(key, settings);
}

/** The service makes the tables: it migrates at its start. */
async function migrate(environment: Record<string, string>): Promise<void> {
  const log = logFile('migrate');
  await (
    await startServer({ name: 'service', script: SERVICE, environment, readyPath: '/health/ready', log })
  ).stop();
}

async function fill(client: pg.ClientBase, settings: DataSettings): Promise<void> {
  const passwordHash = await hash(PASSWORD);
  await load(client, owners(settings.seed, settings.size), passwordHash);
}

async function preparePostgres(key: string, settings: DataSettings): Promise<Copies> {
  const server = process.env['BENCH_DATABASE_URL'] ?? startPostgres();
  const url = (database: string): string => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  const { rows } = await admin.query<{ fsync: string }>('SHOW fsync');
  if (rows[0]?.fsync !== 'on') throw new Error('that PostgreSQL does not sync its log: it measures nothing');
  const template = `pig_bench_${key}`;
  const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [template]);
  if (rowCount === 0 || settings.fresh) {
    process.stderr.write('loading PostgreSQL ');
    for (const name of [template, 'pig_bench_loading'])
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query('CREATE DATABASE pig_bench_loading');
    await migrate({ DATABASE_URL: url('pig_bench_loading'), DATA_DIR: `${WORK}/service-postgres` });
    const client = new pg.Client({ connectionString: url('pig_bench_loading') });
    await client.connect();
    await fill(client, settings);
    await client.end();
    await admin.query(`ALTER DATABASE pig_bench_loading RENAME TO ${template}`);
  }
  await admin.query('DROP DATABASE IF EXISTS pig_bench_run WITH (FORCE)');
  await admin.query(`CREATE DATABASE pig_bench_run TEMPLATE ${template} STRATEGY file_copy`);
  await admin.end();
  return (name) => ({ DATABASE_URL: url('pig_bench_run'), DATA_DIR: `${WORK}/${name}-postgres` });
}

const startPostgres = (): string =>
  execFileSync(`${ROOT}scripts/services/postgres.sh`, ['start'], { encoding: 'utf8' }).trim();

async function prepareEmbedded(key: string, settings: DataSettings): Promise<Copies> {
  const template = `${WORK}/template-${key}`;
  if (!existsSync(template) || settings.fresh) {
    process.stderr.write('loading PGlite ');
    const loading = `${WORK}/loading`;
    for (const folder of [template, loading]) rmSync(folder, { recursive: true, force: true });
    await migrate({ DATA_DIR: loading });
    const database = await openEmbedded(`${loading}/database`);
    const pool = new pg.Pool({ ...database.poolConfig, max: 1 });
    const client = await pool.connect();
    await fill(client, settings);
    client.release();
    await pool.end();
    await database.close();
    renameSync(loading, template);
  }
  return (name) => {
    const own = `${WORK}/${name}-pglite`;
    rmSync(own, { recursive: true, force: true });
    cpSync(template, own, { recursive: true });
    return { DATA_DIR: own };
  };
}
