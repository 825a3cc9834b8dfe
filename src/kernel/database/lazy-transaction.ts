import type pg from 'pg';
import { send, type Statement } from './cached-row-description.js';
import { type Database } from './database.js';
import { BEGIN_LONG } from './time-limits.js';
import {
  type DeferredWrite,
  type OpenTransaction,
  toQuery,
  type Transaction,
  type WriteConnection,
} from './transaction.js';

/** Sends a statement that is a transaction of its own. */
export type SendAlone = <Row extends object>(statement: Statement) => Promise<Row[]>;

/**
 * A transaction that takes its connection at the first statement. If its last statement is also its first, it needs
 * neither BEGIN nor COMMIT.
 */
export class LazyTransaction implements Transaction {
  private opening: Promise<WriteConnection> | null = null;
  private hasEnded = false;
  private deferred: DeferredWrite[] = [];

  constructor(private readonly database: Database) {}

  get isBegun(): boolean {
    return this.opening !== null;
  }

  async current(): Promise<OpenTransaction> {
    this.refuseAfterEnd();
    const open = await (this.opening ??= this.begin());
    for (const write of this.takeDeferred()) await send(open.client, toQuery(write));
    return open;
  }

  defer(write: DeferredWrite): void {
    this.refuseAfterEnd();
    this.deferred.push(write);
  }

  /** Takes the deferred writes; the caller must send them before its other statements. */
  takeDeferred(): DeferredWrite[] {
    return this.deferred.splice(0);
  }

  dropDeferred(): void {
    this.deferred = [];
  }

  /** Ends the transaction for a caller that sends its only statement. Null if it has begun. */
  detach(): SendAlone | null {
    if (this.opening !== null) return null;
    this.hasEnded = true;
    return (statement) => this.database.writeAlone(statement);
  }

  /** Sends a statement that others follow. */
  async send<Row extends object>(statement: pg.QueryConfig): Promise<Row[]> {
    const { client } = await this.current();
    return (await send<Row>(client, statement)).rows;
  }

  /**
   * Sends the last statements in their order, before the commit.
   * @returns the rows of all of them together
   */
  async sendLast<Row extends object>(statements: readonly pg.QueryConfig[]): Promise<Row[]> {
    const [only] = statements;
    if (only === undefined) return [];
    const sendAlone = statements.length === 1 ? this.detach() : null;
    if (sendAlone !== null) return sendAlone<Row>(only);
    const { client } = await this.current();
    const answers: Row[] = [];
    for (const statement of statements) answers.push(...(await send<Row>(client, statement)).rows);
    return answers;
  }

  /** COMMIT of a transaction with a failed statement is answered with ROLLBACK, and without an error. */
  async commit(): Promise<void> {
    this.hasEnded = true;
    if (!this.opening) return;
    const { client, release } = await this.opening;
    try {
      const { command } = await client.query('COMMIT');
      if (command !== 'COMMIT')
        throw new Error('a statement of this unit of work failed and its error was swallowed');
    } finally {
      await release();
    }
  }

  async rollback(): Promise<void> {
    const isOver = this.hasEnded;
    this.hasEnded = true;
    const open = isOver ? null : await this.opening?.catch(() => null);
    if (!open) return;
    await open.client.query('ROLLBACK').catch(() => undefined);
    await open.release();
  }

  private refuseAfterEnd(): void {
    if (this.hasEnded) throw new Error('the unit of work has ended; something was not awaited in it');
  }

  /**
   * Sends BEGIN by hand on the runner's connection: the runner's own method sends more than needed, which costs hot
   * writes time.
   */
  private async begin(): Promise<WriteConnection> {
    const connection = await this.database.writeConnection();
    try {
      await connection.client.query(BEGIN_LONG);
    } catch (error) {
      await connection.release();
      throw error;
    }
    return connection;
  }
}
