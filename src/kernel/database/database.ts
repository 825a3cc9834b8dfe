import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { type DataSource, type EntitySchema, type ObjectLiteral, type Repository } from 'typeorm';
import { type Config } from '../../config/config.js';
import { type EmbeddedDatabase } from '../../libs/embedded-postgres/embedded.js';
import { DomainError } from '../errors/domain-error.js';
import { requestContext } from '../request-context.js';
import { rowsOf, send, type Statement } from './cached-row-description.js';
import { connect } from './connections.js';
import { type Leave } from '../caller-places.js';
import { PersonShares } from './person-shares.js';
import { PieceSize } from './piece-size.js';
import { SharedConnections } from './shared-connections.js';
import { type Sql } from './sql.js';
import { StatementNames } from './statement-names.js';
import { BEGIN_LONG, LONG_MS, READ_MS } from './time-limits.js';
import { type DeferredWrite, openTransaction, readOnly, type WriteConnection } from './transaction.js';
import { isCancelled } from './violations.js';
import { type Piece, YieldingReads } from './yielding-reads.js';

/** The time for which a request waits for one of its person's places. */
const PATIENCE_MS = 10_000;
/** The embedded database has one connection, for which all requests wait. */
const EMBEDDED_PATIENCE_MS = 30_000;

/** The connections that are only for people who hold none, unless a process has few. */
const [FOR_OTHERS, FEW] = [2, 5];

/** The number of keys in the first piece on the embedded database: the size of their rows is not known yet. */
const FIRST_KEYS = 8;

interface PieceOptions<Key, Row> {
  name?: string;
  /** The most keys in a statement. */
  most: number;
  /** The number of keys covered by the rows, where a statement ends by the size of its rows; at least one. */
  lookedAt?: (rows: readonly Row[], piece: readonly Key[]) => number;
}

/**
 * PostgreSQL, by DATABASE_URL or embedded; the code above this class cannot tell which. Statements are {@link Sql}; hot
 * ones have a name, so that PostgreSQL plans them once per connection.
 */
@Injectable()
export class Database {
  private readonly names = new StatementNames();
  private readonly readShares: PersonShares;
  private readonly writeShares: PersonShares;
  private readonly shared: SharedConnections;
  private readonly yielding: YieldingReads | null;
  /** Users whose requests may not read for the time being. */
  private readonly aside = new Set<string>();

  private constructor(
    readonly dataSource: DataSource,
    private readonly pool: pg.Pool,
    private readonly embedded: EmbeddedDatabase | null,
    connections: number,
  ) {
    const patienceMs = embedded ? EMBEDDED_PATIENCE_MS : PATIENCE_MS;
    this.shared = new SharedConnections(connections < FEW ? Infinity : connections - FOR_OTHERS, patienceMs);
    this.readShares = new PersonShares(Math.floor(connections / 2), patienceMs, 'reads');
    this.writeShares = new PersonShares(Math.floor(connections / 3), patienceMs, 'writes');
    this.yielding = embedded && new YieldingReads(pool, embedded, READ_MS);
  }

  static async open(config: Config, entities: EntitySchema[]): Promise<Database> {
    const { dataSource, pool, embedded } = await connect(config, entities);
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
   * uses the connection share of the user for whom a request reads.
   */
  async read<Row = Record<string, unknown>>(statement: Sql, name?: string): Promise<Row[]> {
    const open = openTransaction.getStore();
    const prepared = this.names.prepare(statement, name);
    if (open) return (await send((await open.current()).client, prepared)).rows as Row[];
    const caller = requestContext.reader();
    if (caller === null) return this.ownRead<Row & object>(prepared);
    this.refuseAside(caller);
    return this.readShares.run(caller, () =>
      this.shared.run(caller, () => this.requestRead<Row & object>(caller, prepared)),
    );
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
    const caller = requestContext.reader();
    const { yielding } = this;
    if (yielding === null || caller === null || openTransaction.getStore())
      return { rows: await this.read<Row>(statement, name), tookMs: 0 };
    this.refuseAside(caller);
    const prepared = this.names.prepare(statement, name);
    return this.readShares.run(caller, () => yielding.readPiece<Row>(caller, prepared, isOne));
  }

  /**
   * Rows of a statement that writes (its RETURNING).
   * @throws Error outside a unit of work
   */
  async write<Row = Record<string, unknown>>(statement: Sql, name?: string): Promise<Row[]> {
    const open = openTransaction.getStore();
    if (!open) throw new Error('a write needs a unit of work');
    return (await send((await open.current()).client, this.names.prepare(statement, name))).rows as Row[];
  }

  /**
   * A write whose outcome the caller does not need: it is sent before the next statement of the unit of work, or with the
   * changes at its end.
   * @throws Error outside a unit of work
   */
  defer(write: DeferredWrite): void {
    const open = openTransaction.getStore();
    if (!open) throw new Error('a write needs a unit of work');
    open.defer(write);
  }

  /**
   * A statement that is a transaction of its own. In a request it takes one of the places of the person's writes.
   * @throws TOO_MUCH_UNDER_WAY when none becomes free in time
   */
  async writeAlone<Row extends object>(statement: Statement): Promise<Row[]> {
    const caller = writerNow();
    if (caller === null) return this.patiently<Row>(statement);
    return this.writeShares.run(caller, async () => {
      await this.confirmRights();
      return this.shared.run(caller, () => this.patiently<Row>(statement));
    });
  }

  /** Confirms the rights of a request before its writes begin: nothing is written by old ones (rule 2.8). */
  async confirmRights(): Promise<void> {
    const { rights } = requestContext.current();
    // The unit of work has no connection yet, and the guards must not take one for it.
    if (rights?.isOld === true)
      await openTransaction.run({ transaction: null, transactionTime: null }, () => rights.confirm());
  }

  /**
   * A connection for writes, once the person for whom a request writes has a place for it. The chain of calls must hold
   * no other connection for writes: its place may be the one that this waits for.
   * @throws TOO_MUCH_UNDER_WAY when none becomes free in time
   */
  async writeConnection(): Promise<WriteConnection> {
    const caller = writerNow();
    const leave: Leave[] = [];
    const leaveAll = (): void => leave.forEach((place) => place());
    const runner = this.dataSource.createQueryRunner();
    try {
      if (caller !== null) leave.push(await this.writeShares.take(caller));
      // Reads of the person: they must not wait for a connection that this work has already been promised.
      await this.confirmRights();
      if (caller !== null) leave.push(await this.shared.take(caller));
      const client = (await runner.connect()) as pg.PoolClient;
      const release = (): Promise<void> => runner.release().finally(leaveAll);
      return { runner, client, release };
    } catch (error) {
      leaveAll();
      throw error;
    }
  }

  /** Reads over another connection, even inside a unit of work: for facts that must be committed. */
  async readCommitted<Row>(statement: Sql, name?: string): Promise<Row[]> {
    return this.patiently<Row & object>(this.names.prepare(statement, name));
  }

  /**
   * Reads that all see one moment, times in UTC. The connection is held until the work is done: the work must wait for
   * nothing but the database. It cannot write.
   */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    this.refuseAside(requestContext.reader());
    const runner = this.dataSource.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    try {
      await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${LONG_MS}; SET LOCAL TimeZone = 'UTC'`,
      );
      return await openTransaction.run({ transaction: readOnly({ runner, client }) }, work);
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

  /** A read of the service's own work. */
  private ownRead<Row extends object>(statement: Statement): Promise<Row[]> {
    const read = (): Promise<Row[]> => this.patiently<Row>(statement);
    const { reading } = requestContext.current();
    return reading === undefined ? read() : reading(read);
  }

  /** A read of a request. On the embedded database a long one gives way to others. */
  private requestRead<Row extends object>(caller: string, statement: Statement): Promise<Row[]> {
    return this.yielding ? this.yielding.read<Row>(caller, statement) : rowsOf<Row>(this.pool, statement);
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
}

export const beingImported = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'An archive is being imported into this account; try again when the import has ended',
  );

/**
 * The user for whom a request writes. Without credentials it acts on an account: log-ins and refreshes have places of
 * their own there, so that neither apps nor stolen tokens keep the person from them.
 */
function writerNow(): string | null {
  const { requestId, account } = requestContext.current();
  const secrets = requestId === '' || account === undefined ? null : `secrets of ${account}`;
  return requestContext.reader() ?? secrets;
}
