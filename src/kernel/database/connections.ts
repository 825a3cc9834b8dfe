import pg from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import { type Config, ConfigurationError } from '../../config/config.js';
import { type EmbeddedDatabase } from '../../libs/embedded-postgres/embedded.js';
import { DataDirectoryLocked } from '../../libs/embedded-postgres/lock.js';
import { asConfigurationError } from '../data-directory.js';
import { loadMigrations } from './migrations.js';
import { READ_MS } from './time-limits.js';
import { TypeOrmLogger } from './typeorm-logger.js';
import { setValueParsers } from './value-parsers.js';

setValueParsers(pg.types);

/** The connections of a process to its database. */
export interface Connections {
  readonly dataSource: DataSource;
  readonly pool: pg.Pool;
  /** Null: PostgreSQL by DATABASE_URL. */
  readonly embedded: EmbeddedDatabase | null;
}

export async function connect(config: Config, entities: EntitySchema[]): Promise<Connections> {
  // Loaded before the embedded database begins to compile itself, which would delay the files.
  const migrations = await loadMigrations();
  const embedded = config.embedded ? await openOwn(config) : null;
  const dataSource = new DataSource({
    type: 'postgres',
    driver: pg,
    entities,
    migrations,
    migrationsTableName: 'migrations',
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: ['warn'],
    logger: new TypeOrmLogger(),
    ...(embedded ? { extra: { ...embedded.poolConfig, max: 1 }, poolSize: 1 } : serverOptions(config)),
  });
  await dataSource.initialize();
  const pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
  return { dataSource, pool, embedded };
}

async function openOwn(config: Config): Promise<EmbeddedDatabase> {
  const location = config.databaseUrl ?? `${config.dataDir}/database`;
  // Loaded only without PostgreSQL: it is a large part of the start.
  const { openEmbedded } = await import('../../libs/embedded-postgres/embedded.js');
  try {
    return await openEmbedded(location, READ_MS);
  } catch (cause) {
    const error = asConfigurationError(cause);
    if (error instanceof DataDirectoryLocked || error instanceof ConfigurationError) throw error;
    const { message } = error as Error;
    throw new Error(`the embedded database in ${location} cannot be opened: ${message}`, { cause: error });
  }
}

function serverOptions(config: Config): object {
  return {
    url: config.databaseUrl,
    poolSize: config.databasePool,
    applicationName: 'personal-identity-graph',
    connectTimeoutMS: 10_000,
    extra: {
      // JIT compilation takes longer than our statements. A runaway statement must not hold a connection forever, nor
      // may those that wait for its locks take all others. A transaction with longer statements raises the limit in its
      // BEGIN.
      options: `-c jit=off -c statement_timeout=${READ_MS} -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000`,
      idleTimeoutMillis: 60_000,
      // Keep-alive is the only way to notice a host that vanished in the middle of a statement.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
  };
}
