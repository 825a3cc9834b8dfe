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
import { CallLocal } from '../call-local.js';
import { DomainError } from '../errors/domain-error.js';
import { requestContext } from '../request-context.js';
import { rowsOf, send, type Statement } from './described-once.js';
import { DataDirectoryLocked } from './embedded-lock.js';
import { type EmbeddedDatabase } from './embedded.js';
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

/** A statement that writes and returns no rows. One name is always one text. */
export interface LaterWrite {
  readonly name: string;
  readonly statement: Sql;
  /** The same for rows of several units at once, where it can be put so (see GroupCommit). */
  readonly shared?: SharedWrite;
  /** The same from the changes that tell of the rows, where they do so whole. */
  readonly told?: ToldWrite;
}

/** New rows of which the unit's log tells with one `created` each, whose snapshot has all that is stored. */
export interface ToldWrite {
  readonly entity: string;
  readonly ids: ReadonlySet<string>;
  /** Reads `given (snapshot, …)`, the changes. */
  readonly statement: Sql;
}

/** A new row, and the statement that inserts such rows. */
export interface SharedWrite {
  /** `$rows`: an array of them as jsonb; those of the owners in `counted` alone are to be written. */
  readonly text: string;
  readonly row: object;
}

/** The transaction of an open unit of work. */
export interface Transaction {
  /** Begins it, if need be; what was left for later has been sent then. */
  current(): Promise<OpenTransaction>;
  leave(write: LaterWrite): void;
  /** What was left for later and not sent yet is not sent at all. */
  forget(): void;
}

/** Where a chain of calls stands. */
export interface Place {
  /** What its statements go through; null: through any connection. */
  readonly transaction: Transaction | null;
  /** The instant at which all is done that is done here; null or absent: as time goes by. */
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
/** The embedded database's own: it has one connection, for which all wait. */
const EMBEDDED_PATIENCE_MS = 30_000;

/** Begins a transaction whose statements may take longer than a read of a request; in one message. */
export const BEGIN_LONG = `BEGIN; SET LOCAL statement_timeout = ${LONG_MS}`;

/** Keys of the first piece on the embedded database: nobody knows yet how large their rows are. */
const FIRST_KEYS = 8;

interface PieceOptions<Key, Row> {
  name?: string;
  /** The keys of a statement. */
  most: number;
  /** The number of keys that the rows are about, where a statement ends by the size of its rows; at least one. */
  lookedAt?: (rows: readonly Row[], piece: readonly Key[]) => number;
}

/** More shapes than this are sent unnamed: each name is a plan kept by every connection. */
const MAX_STATEMENT_NAMES = 400;

/**
 * PostgreSQL, by DATABASE_URL or embedded; the code above this class cannot tell which. Statements come as
 * {@link Sql}; hot ones carry a name, so that PostgreSQL plans them once per connection.
 */
@Injectable()
export class Database {
  private readonly names = new Map<string, string>();
  private readonly shares: ReadShares;
  private readonly giveWay: GivingWay | null;
  /** People whose requests read nothing for the time being. */
  private readonly aside = new Set<string>();

  private constructor(
    readonly dataSource: DataSource,
    private readonly pool: pg.Pool,
    private readonly embedded: EmbeddedDatabase | null,
    connections: number,
  ) {
    this.shares = new ReadShares(
      Math.max(1, Math.floor(connections / 2)),
      embedded ? EMBEDDED_PATIENCE_MS : PATIENCE_MS,
    );
    this.giveWay = embedded && new GivingWay(pool, embedded, READ_MS);
  }

  static async open(config: Config, entities: EntitySchema[]): Promise<Database> {
    // Before the embedded database begins to compile itself, behind which the files would have to wait.
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

  /** True where a transaction keeps everybody else waiting. */
  get hasOneConnection(): boolean {
    return this.embedded !== null;
  }

  /** As long as it stays the same nothing was committed; null where commits are not seen, as those of a server. */
  get logPosition(): string | null {
    return this.embedded?.logPosition ?? null;
  }

  /**
   * Rows of a SELECT; inside a unit of work over its connection, so that it sees what was written there. Outside of one it
   * takes a place in the share of the person for whom a request reads.
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
   * Rows about these keys, in statements about some of them each. On the embedded database they are about so few that none
   * keeps others from it for long; one that has to give way is cut smaller, and about one key it runs to its end.
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

  /** Rows of a statement that writes (its RETURNING). Throws outside a unit of work. */
  async write<Row = Record<string, unknown>>(statement: Sql, name?: string): Promise<Row[]> {
    const open = openTransaction.getStore();
    if (!open) throw new Error('a write needs a unit of work');
    return (await send((await open.current()).client, this.prepare(statement, name))).rows as Row[];
  }

  /**
   * A write whose outcome the caller does not need: it is sent before the next statement of the unit of work, or, when
   * none comes, in one statement with the unit's change log. Throws outside a unit of work.
   */
  writeLater(write: LaterWrite): void {
    const open = openTransaction.getStore();
    if (!open) throw new Error('a write needs a unit of work');
    open.leave(write);
  }

  /** A statement that is a transaction of its own. */
  async writeAlone<Row extends object>(statement: Statement): Promise<Row[]> {
    return this.patiently<Row>(statement);
  }

  /** Always over a connection of its own choice, also inside a unit of work: for facts that must be committed. */
  async readCommitted<Row>(statement: Sql, name?: string): Promise<Row[]> {
    return this.patiently<Row & object>(this.prepare(statement, name));
  }

  /**
   * Reads that all see one moment, times in UTC. The connection is held until the work is done: it must wait for nobody
   * but the database. Nothing can be written in it.
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

  /** From now on requests for this person are refused, where they read: what there is of the account is half of something. */
  setAside(userId: string): void {
    this.aside.add(userId);
  }

  release(userId: string): void {
    this.aside.delete(userId);
  }

  /** @throws SERVICE_UNAVAILABLE for a person who is set aside */
  refuseAside(caller: string | null): void {
    if (caller !== null && this.aside.has(caller)) throw beingImported();
  }

  /** Repository of an entity. Its writes need a unit of work, which is the caller's duty to open first. */
  async repository<T extends ObjectLiteral>(entity: EntitySchema<T>): Promise<Repository<T>> {
    const open = openTransaction.getStore();
    const manager = open ? (await open.current()).runner.manager : this.dataSource.manager;
    return manager.getRepository(entity);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.embedded?.close();
  }

  /** On the embedded database a read that is long gives way to others. */
  private requestRead<Row extends object>(caller: string, statement: Statement): Promise<Row[]> {
    return this.giveWay ? this.giveWay.read<Row>(caller, statement) : rowsOf<Row>(this.pool, statement);
  }

  /** A statement that may take longer than a read of a request: cut off after that time it is sent once more, for longer. */
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
    'An archive is being imported into this account; ask again when it is there',
  );

/** For whom a request reads: all of a person's apps together. Null before that is known, and outside of requests. */
function callerNow(): string | null {
  const { requestId, actor } = requestContext.current();
  return requestId === '' ? null : (actor.userId ?? actor.appId);
}

async function openOwn(config: Config): Promise<EmbeddedDatabase> {
  const location = config.databaseUrl ?? `${config.dataDir}/database`;
  // Loaded for whoever has no PostgreSQL: it is a large part of the start.
  const { openEmbedded } = await import('./embedded.js');
  try {
    return await openEmbedded(location, READ_MS);
  } catch (error) {
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
      // JIT compiles for longer than our statements run; a runaway statement must not hold a connection for ever, nor
      // must those who wait for its locks take all others.
      // For what may take longer, a transaction says so with its BEGIN.
      options: `-c jit=off -c statement_timeout=${READ_MS} -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000`,
      idleTimeoutMillis: 60_000,
      // Of a host that vanished in the middle of a statement nobody else would tell us.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    },
  };
}
