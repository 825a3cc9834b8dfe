import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  DataSource,
  type EntitySchema,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import { type Config, ConfigurationError } from '../../config/config.js';
import { asConfigurationError } from '../data-directory.js';
import { CallLocal } from '../call-local.js';
import { DomainError } from '../errors/domain-error.js';
import { requestContext } from '../request-context.js';
import { rowsOf, send, type Statement } from './described-once.js';
import { DataDirectoryLocked } from '../../libs/embedded-postgres/lock.js';
import { type EmbeddedDatabase } from '../../libs/embedded-postgres/embedded.js';
import { GivingWay, type Piece } from './giving-way.js';
import { loadMigrations } from './migrations.js';
import { PieceSize } from './piece-size.js';
import { ReadShares } from './read-shares.js';
import { type Sql } from './sql.js';
import { TypeOrmLogger } from './typeorm-logger.js';
import { setValueParsers } from './value-parsers.js';
import { isCancelled } from './violations.js';

setValueParsers(pg.types);

/** The connection of an open unit of work; reads and writes of the same chain of calls go through it. */
export interface OpenTransaction {
  readonly runner: QueryRunner;
  readonly client: pg.PoolClient;
}

/** The connection of a transaction that begins. */
export interface WriteConnection extends OpenTransaction {
  /** Returns it to the pool, and its place to the person. */
  readonly release: () => Promise<void>;
}

/** A statement that writes and returns no rows. The same name always has the same text. */
export interface LaterWrite {
  readonly name: string;
  readonly statement: Sql;
  /** The same for rows of several units at once, where it can be written that way (see GroupCommit). */
  readonly shared?: SharedWrite;
  /** The same reading its rows from the unit's changes, where these contain them completely. */
  readonly told?: ToldWrite;
}

/** New rows for each of which the unit logs one `created` change, whose snapshot has every stored field. */
export interface ToldWrite {
  readonly entity: string;
  readonly ids: ReadonlySet<string>;
  /** Reads `given (snapshot, …)`, the changes. */
  readonly statement: Sql;
}

/** A new row, and the statement that inserts such rows. */
export interface SharedWrite {
  /** `$rows` is an array of such rows as jsonb; only those of the owners in `counted` may be written. */
  readonly text: string;
  readonly row: object;
}

/** The transaction of an open unit of work. */
export interface Transaction {
  /** Begins it if necessary, and sends deferred writes first. */
  current(): Promise<OpenTransaction>;
  leave(write: LaterWrite): void;
  /** Drops deferred writes that are not sent yet. */
  forget(): void;
}

/** The transaction and time of a chain of calls. */
export interface Place {
  /** The transaction of its statements; null: any connection. */
  readonly transaction: Transaction | null;
  /** The time of everything done here; null or absent: the current time. */
  readonly moment?: Date | null;
}

const places = new CallLocal<Place>();

export const openTransaction = {
  getStore: (): Transaction | null => places.getStore()?.transaction ?? null,
  moment: (): Date | null => places.getStore()?.moment ?? null,
  run: <T>(place: Place, work: () => Promise<T>): Promise<T> => places.run(place, work),
};

const readingOnly = (open: OpenTransaction): Transaction => ({
  current: () => Promise.resolve(open),
  leave: () => {
    throw new Error('a snapshot is for reading');
  },
  forget: () => undefined,
});

/** Time limits for a request's read, and for writes, exports and background work. */
const READ_MS = 5_000;
const LONG_MS = 60_000;
const PATIENCE_MS = 10_000;
/** The embedded database has one connection, for which all requests wait. */
const EMBEDDED_PATIENCE_MS = 30_000;

/** Begins a transaction whose statements may take longer than a request's read; in one message. */
export const BEGIN_LONG = `BEGIN; SET LOCAL statement_timeout = ${LONG_MS}`;

/** The number of keys in the first piece on the embedded database: the size of their rows is not known yet. */
const FIRST_KEYS = 8;

interface PieceOptions<Key, Row> {
  name?: string;
  /** The most keys in a statement. */
  most: number;
  /** The number of keys covered by the rows, where a statement ends by the size of its rows; at least one. */
  lookedAt?: (rows: readonly Row[], piece: readonly Key[]) => number;
}

/** Further shapes are sent unnamed: each name is a plan kept by every connection. */
const MAX_STATEMENT_NAMES = 400;

/**
 * PostgreSQL, by DATABASE_URL or embedded; the code above this class cannot tell which. Statements are {@link Sql}; hot
 * ones have a name, so that PostgreSQL plans them once per connection.
 */
@Injectable()
export class Database {
  private readonly names = new Map<string, string>();
  private readonly shares: ReadShares;
  private readonly writeShares: ReadShares;
  private readonly giveWay: GivingWay | null;
  /** Users whose requests may not read for the time being. */
  private readonly aside = new Set<string>();

  private constructor(
    readonly dataSource: DataSource,
    private readonly pool: pg.Pool,
    private readonly embedded: EmbeddedDatabase | null,
    connections: number,
  ) {
    const patienceMs = embedded ? EMBEDDED_PATIENCE_MS : PATIENCE_MS;
    this.shares = new ReadShares(Math.max(1, Math.floor(connections / 2)), patienceMs);
    this.writeShares = new ReadShares(Math.max(1, Math.floor(connections / 3)), patienceMs, 'writes');
    this.giveWay = embedded && new GivingWay(pool, embedded, READ_MS);
  }

  static async open(config: Config, entities: EntitySchema[]): Promise<Database> {
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
      ...(embedded ? { extra: { ...embedded.poolConfig, max: 1 }, poolSize: 1 } : connection(config)),
    });
    await dataSource.initialize();
    const pool = (dataSource.driver as unknown as { master: pg.Pool }).master;
    return new Database(dataSource, pool, embedded, embedded ? 1 : config.databasePool);
  }

  /** True where a transaction makes all other callers wait. */
  get hasOneConnection(): boolean {
    return this.embedded !== null;
  }

  /** A value that changes with every commit; null where commits are not visible, as on a server. */
  get logPosition(): string | null {
    return this.embedded?.logPosition ?? null;
  }

  /**
   * Rows of a SELECT; inside a unit of work over its connection, so that it sees the unit's writes. Outside of one it
   * uses the read share of the user for whom a request reads.
   */
  async read<Row = Record<string, unknown>>(statement: Sql, name?: string): Promise<Row[]> {
    const open = openTransaction.getStore();
    const prepared = this.prepare(statement, name);
    if (open) return (await send((await open.current()).client, prepared)).rows as Row[];
    const caller = callerNow();
    if (caller === null) return this.patiently<Row & object>(prepared);
    this.refuseAside(caller);
    return this.shares.run(caller, () => this.requestRead<Row & object>(caller, prepared));
  }

  /**
   * Rows for these keys, in several statements. On the embedded database each covers few keys, so that none delays
   * other callers for long; a piece that has to give way is made smaller, and a piece of one key runs to its end.
   */
  async *readPieces<Key, Row extends object>(
    keys: readonly Key[],
    statementOf: (keys: readonly Key[]) => Sql,
    { name, most, lookedAt = (_, piece) => piece.length }: PieceOptions<Key, Row>,
  ): AsyncGenerator<Row[]> {
    const size = new PieceSize(this.embedded ? FIRST_KEYS : most, most);
    for (let from = 0; from < keys.length;) {
      const piece = keys.slice(from, from + size.keys);
      const { rows, tookMs } = await this.readPiece<Row>(statementOf(piece), {
        name,
        isOne: piece.length === 1,
      });
      const read = rows === null ? piece.length : lookedAt(rows, piece);
      if (this.embedded) size.adapt(read, tookMs);
      if (rows === null) continue;
      yield rows;
      from += read;
    }
  }

  private async readPiece<Row extends object>(
    statement: Sql,
    { name, isOne }: { name: string | undefined; isOne: boolean },
  ): Promise<Piece<Row>> {
    const caller = callerNow();
    const { giveWay } = this;
    if (giveWay === null || caller === null || openTransaction.getStore())
      return { rows: await this.read<Row>(statement, name), tookMs: 0 };
    this.refuseAside(caller);
    const prepared = this.prepare(statement, name);
    return this.shares.run(caller, () => giveWay.readPiece<Row>(caller, prepared, isOne));
  }

  /**
   * Rows of a statement that writes (its RETURNING).
   * @throws Error outside a unit of work
   */
  async write<Row = Record<string, unknown>>(statement: Sql, name?: string): Promise<Row[]> {
    const open = openTransaction.getStore();
    if (!open) throw new Error('a write needs a unit of work');
    return (await send((await open.current()).client, this.prepare(statement, name))).rows as Row[];
  }

  /**
   * A write whose outcome the caller does not need: it is sent before the next statement of the unit of work, or, at
   * its end, in one statement with the unit's change log.
   * @throws Error outside a unit of work
   */
  writeLater(write: LaterWrite): void {
    const open = openTransaction.getStore();
    if (!open) throw new Error('a write needs a unit of work');
    open.leave(write);
  }

  /**
   * A statement that is a transaction of its own. In a request it takes one of the places of the person's writes.
   * @throws TOO_MUCH_UNDER_WAY when none becomes free in time
   */
  async writeAlone<Row extends object>(statement: Statement): Promise<Row[]> {
    const caller = callerNow();
    if (caller === null) return this.patiently<Row>(statement);
    return this.writeShares.run(caller, async () => {
      await this.confirmRights();
      return this.patiently<Row>(statement);
    });
  }

  /** Confirms the rights of a request before its writes begin: nothing is written by old ones (rule 2.8). */
  async confirmRights(): Promise<void> {
    const { rights } = requestContext.current();
    // The unit of work has no connection yet, and the guards must not take one for it.
    if (rights?.isOld === true)
      await openTransaction.run({ transaction: null, moment: null }, () => rights.confirm());
  }

  /**
   * A connection for writes, once the person for whom a request writes has a place for it. The chain of calls must hold
   * no other connection for writes: its place may be the one that this waits for.
   * @throws TOO_MUCH_UNDER_WAY when none becomes free in time
   */
  async writeConnection(): Promise<WriteConnection> {
    const caller = callerNow();
    const leave = caller === null ? null : await this.writeShares.take(caller);
    const runner = this.dataSource.createQueryRunner();
    try {
      await this.confirmRights();
      const client = (await runner.connect()) as pg.PoolClient;
      const release = (): Promise<void> => runner.release().finally(() => leave?.());
      return { runner, client, release };
    } catch (error) {
      leave?.();
      throw error;
    }
  }

  /** Reads over another connection, even inside a unit of work: for facts that must be committed. */
  async readCommitted<Row>(statement: Sql, name?: string): Promise<Row[]> {
    return this.patiently<Row & object>(this.prepare(statement, name));
  }

  /**
   * Reads that all see one moment, times in UTC. The connection is held until the work is done: the work must wait for
   * nothing but the database. It cannot write.
   */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    this.refuseAside(callerNow());
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    try {
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${LONG_MS}; SET LOCAL TimeZone = 'UTC'`,
      );
      return await openTransaction.run({ transaction: readingOnly({ runner, client }) }, work);
    } finally {
      await client.query('ROLLBACK').catch(() => undefined);
      await runner.release();
    }
  }

  /** Refuses reads of requests for this user from now on: their account is incomplete. */
  setAside(userId: string): void {
    this.aside.add(userId);
  }

  release(userId: string): void {
    this.aside.delete(userId);
  }

  /** @throws SERVICE_UNAVAILABLE for a user who is set aside */
  refuseAside(caller: string | null): void {
    if (caller !== null && this.aside.has(caller)) throw beingImported();
  }

  /** Repository of an entity. The caller must open a unit of work before it writes. */
  async repository<T extends ObjectLiteral>(entity: EntitySchema<T>): Promise<Repository<T>> {
    const open = openTransaction.getStore();
    const manager = open ? (await open.current()).runner.manager : this.dataSource.manager;
    return manager.getRepository(entity);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.embedded?.close();
  }

  /** A read of a request. On the embedded database a long one gives way to others. */
  private requestRead<Row extends object>(caller: string, statement: Statement): Promise<Row[]> {
    return this.giveWay ? this.giveWay.read<Row>(caller, statement) : rowsOf<Row>(this.pool, statement);
  }

  /**
   * Runs a statement that may take longer than a request's read: if it is cut off, it is sent once more with a longer
   * limit.
   */
  private async patiently<Row extends object>(statement: Statement): Promise<Row[]> {
    try {
      return await rowsOf<Row>(this.pool, statement);
    } catch (error) {
      if (!isCancelled(error)) throw error;
    }
    const client = await this.pool.connect();
    try {
      await client.query(BEGIN_LONG);
      const { rows } = await send<Row>(client, statement);
      await client.query('COMMIT');
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  private prepare(statement: Sql, name: string | undefined): pg.QueryConfig {
    const text = statement.text;
    if (name === undefined) return { text, values: statement.values };
    let full = this.names.get(text);
    if (full === undefined) {
      if (this.names.size >= MAX_STATEMENT_NAMES) return { text, values: statement.values };
      full = `${name.slice(0, 40)}:${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
      this.names.set(text, full);
    }
    return { name: full, text, values: statement.values };
  }
}

export const beingImported = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'An archive is being imported into this account; try again when the import has ended',
  );

/**
 * The user for whom a request reads, the same for all of their apps. Null before that is known, and outside of
 * requests.
 */
function callerNow(): string | null {
  const { requestId, actor } = requestContext.current();
  return requestId === '' ? null : (actor.userId ?? actor.appId);
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

function connection(config: Config): object {
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
