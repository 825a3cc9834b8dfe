import pg from 'pg';
import { isFastPathOn } from '../fast-paths.js';
import { restFor, workerNow } from '../slices.js';

/** A statement. `query_timeout` is in milliseconds; after it the connection is abandoned. */
export type Statement = pg.QueryConfig & { readonly query_timeout?: number };

/** The driver's data for the columns of a statement's rows. */
interface Description {
  fields: readonly object[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** Parts of the driver that its types leave out. */
interface DriverConnection {
  readonly stream: { pause?(): unknown; resume?(): unknown };
  describe(what: object): void;
}
interface DriverQuery {
  readonly name: string;
  readonly _result: Description;
  _accumulateRows: boolean;
  _canceledDueToError: Error | false;
  submit(connection: DriverConnection): Error | null;
  handleRowDescription(message: object): void;
  handleDataRow(message: DataRow): void;
}
interface DataRow {
  readonly fields: readonly unknown[];
  /** Number of bytes. */
  readonly length: number;
}
interface Target {
  query(query: DriverQuery, answer: unknown): void;
}
const DriverQuery = pg.Query as unknown as new (config: pg.QueryConfig) => DriverQuery;

/** The number of bytes after which a connection is read in slices. */
const READ_AT_ONCE = 64 * 1024;

/**
 * Slows down reading. Rows are decoded as they arrive, and a page of large ones arrives faster than it is decoded: once
 * a round of the event loop has used up its time, the connection is not read from for the rest of the round.
 */
class Pace {
  private bytes = 0;
  private isPaused = false;

  constructor(private readonly stream: DriverConnection['stream']) {}

  read(bytes: number, person: string): void {
    this.bytes += bytes;
    if (this.bytes < READ_AT_ONCE || this.isPaused) return;
    this.bytes = 0;
    const rested = restFor(person);
    if (rested === undefined) return;
    this.isPaused = true;
    this.stream.pause?.();
    void rested.then(() => {
      this.isPaused = false;
      this.stream.resume?.();
    });
  }
}

interface PreparedStatements {
  readonly pace: Pace;
  /** Descriptions by the name of the statement. */
  readonly descriptions: Map<string, Description>;
  /** The connection with a Describe that does nothing. */
  readonly silent: DriverConnection;
}
const connections = new WeakMap<DriverConnection, PreparedStatements>();

/**
 * A named statement whose rows are described once. The driver requests the description of its rows each time it runs,
 * and creates their parsers again: 6 % of a read by id. Both stay valid as long as the session knows the statement:
 * after a migration that changes its columns PostgreSQL refuses to run it ("cached plan must not change result type").
 * Behind a pooler a connection can pass from one session to another (docs/scale.md); rows of another width are refused
 * here then.
 */
class CachedRowDescription extends DriverQuery {
  /** The client reads this field. */
  readonly query_timeout: number | undefined;
  private known: PreparedStatements | null = null;
  /** The socket's events come in the chain of calls that opened the connection. */
  private readonly person = workerNow();

  constructor(config: Statement) {
    super(config);
    this.query_timeout = config.query_timeout;
  }

  override submit(connection: DriverConnection): Error | null {
    this.known = knownOf(connection);
    const description = this.known.descriptions.get(this.name);
    if (description === undefined || !isFastPathOn('row-descriptions')) return super.submit(connection);
    Object.assign(this._result, description);
    this._accumulateRows = true;
    return super.submit(this.known.silent);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.known?.descriptions.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }

  override handleDataRow(message: DataRow): void {
    if (message.fields.length === this._result.fields.length) {
      this.known?.pace.read(message.length, this.person);
      return super.handleDataRow(message);
    }
    this.known?.descriptions.delete(this.name);
    this._canceledDueToError ||= new Error(`the columns of ${this.name} are others now`);
  }
}

function knownOf(connection: DriverConnection): PreparedStatements {
  let known = connections.get(connection);
  if (known === undefined) {
    const silent = Object.create(connection, { describe: { value: () => undefined } }) as DriverConnection;
    known = { descriptions: new Map(), silent, pace: new Pace(connection.stream) };
    connections.set(connection, known);
  }
  return known;
}

/** Runs a statement. One without a name is prepared for this run only. */
export function send<Row extends object>(
  target: pg.Pool | pg.PoolClient,
  statement: Statement,
): Promise<pg.QueryResult<Row>> {
  if (statement.name === undefined) return target.query<Row>(statement);
  return new Promise<pg.QueryResult<Row>>((resolve, reject) => {
    const answer = (error: Error | undefined, result: pg.QueryResult<Row>): void =>
      error ? reject(error) : resolve(result);
    (target as unknown as Target).query(new CachedRowDescription(statement), answer);
  }).catch((error: Error) => {
    // The driver does the same: the stack of a socket event does not show the caller.
    Error.captureStackTrace(error);
    throw error;
  });
}

/** The rows of a statement. */
export async function rowsOf<Row extends object>(
  target: pg.Pool | pg.PoolClient,
  statement: Statement,
): Promise<Row[]> {
  return (await send<Row>(target, statement)).rows;
}
