import { Injectable } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { CallLocal } from '../call-local.js';
import { type ChangeBuffer, newBuffer } from '../changes/change-buffer.js';
import { asIs, ChangeWriter, type LastStatements } from '../changes/change-writer.js';
import { type SendAlone } from '../changes/group-commit.js';
import { CommittedChanges } from '../changes/committed-changes.js';
import { type Counted } from '../changes/quota-statements.js';
import { requestContext } from '../request-context.js';
import {
  BEGIN_LONG,
  Database,
  type LaterWrite,
  openTransaction,
  type OpenTransaction,
  type Place,
  type Transaction,
  type WriteConnection,
} from './database.js';
import { send } from './described-once.js';
import { isCancelled, isRetryable } from './violations.js';

interface Open {
  transaction: LazyTransaction;
  buffer: ChangeBuffer;
  afterCommit: (() => void)[];
  moment: Date | null;
}

/** A chain of calls, with the unit of work that it is in. */
class Chain implements Place {
  /** The error that kept its unit from beginning: the chain can have no unit any longer. */
  refusal: { error: unknown } | null = null;
  /** The counters of the owners whose graphs it has changed. */
  counted: readonly Counted[] = [];
  isOver = false;

  constructor(
    public open: Open | null,
    /** Runs at the beginning of its unit. */
    readonly first: () => Promise<void>,
  ) {}

  get transaction(): Transaction | null {
    return this.open?.transaction ?? null;
  }

  /** The time shared by all rows of a unit and their changes, like now() in SQL. */
  get moment(): Date | null {
    return this.open === null || this.isOver ? null : (this.open.moment ??= new Date());
  }
}

/** The first and last work of a unit that encloses several services. */
export interface Frame<T> {
  first: () => Promise<void>;
  last: (value: T) => Promise<void>;
}

const storage = new CallLocal<Chain>();
const NOTHING = (): Promise<void> => Promise.resolve();
const ATTEMPTS = 5;
/** The longest pause before the second attempt; random, so that units that collided do not collide again. */
const PAUSE_MS = 20;

/**
 * The changes of the unit of work in this chain of calls.
 * @throws Error outside a unit of work
 */
export function currentBuffer(): ChangeBuffer {
  const open = storage.getStore()?.open;
  if (!open) throw new Error('a change needs a unit of work');
  return open.buffer;
}

/** True if the open unit of work has changed what this policy counter stands for, and has not raised it yet. */
export const hasTouchedPolicy = (id: string): boolean =>
  storage.getStore()?.open?.buffer.policies.has(id) ?? false;

/**
 * Runs work in one transaction, which its chain of calls carries along. The connection is taken at the first statement.
 * A nested call joins. The change log is written as the last statement before COMMIT, because it locks the owner's
 * counter; if it is the only statement, as in a plain create, it needs neither BEGIN nor COMMIT. A deadlock is retried,
 * so the work must have no effects that outlive the transaction.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly writer: ChangeWriter,
    private readonly committed: CommittedChanges,
  ) {}

  /** True if this chain of calls is in a unit, and so may hold a connection that others wait for. */
  get isOpen(): boolean {
    return (storage.getStore()?.open ?? null) !== null;
  }

  /** True if no unit encloses the next unit of this chain of calls: it is committed when it ends. */
  get isNextAlone(): boolean {
    return storage.getStore() === undefined;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const chain = storage.getStore();
    if (!chain) {
      return retried(() => {
        const own = new Chain(this.begin(), NOTHING);
        return this.ended(own, work);
      });
    }
    return chain.open ? work() : retried(() => this.opened(chain, work));
  }

  /**
   * Runs one transaction from the first unit of work inside to the end of the work, so that waits before that unit, for
   * anything but the database, hold neither connection nor lock. A unit that fails is rolled back, and the next one
   * becomes the first. After a deadlock everything is retried, as in `run`.
   */
  async throughout<T>(work: () => Promise<T>, { first, last }: Frame<T>): Promise<T> {
    if (this.isOpen) throw new Error('what encloses a whole request cannot be a part of a unit of work');
    return retried(() => {
      const chain = new Chain(null, first);
      return this.ended(chain, async () => {
        // A refused beginning fails the whole, even if the work swallowed the error.
        const value = await work().finally(() => refuse(chain));
        await this.run(() => last(value));
        return value;
      });
    });
  }

  /**
   * Works like `run`, in a unit of its own that is committed when it ends, even inside a `throughout` whose unit has
   * not begun.
   */
  apart<T>(work: () => Promise<T>): Promise<T> {
    if (this.isOpen) throw new Error('the connection may be the only one');
    return retried(() => this.ended(new Chain(this.begin(), NOTHING), work));
  }

  /**
   * Runs work of one statement that returns something. Without BEGIN and COMMIT it is a transaction of its own: its
   * locks last only as long as the statement, however busy this process is. Within a unit it is a part of that unit.
   */
  async single<T>(work: () => Promise<T>): Promise<T> {
    if (storage.getStore()) return this.run(work);
    return retried(() => this.alone(work)).catch((error: unknown) => {
      // The time limit of a read cancelled it: within a transaction it has longer.
      if (!isCancelled(error)) throw error;
      return this.run(work);
    });
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    const connection = await this.database.writeConnection();
    try {
      return await openTransaction.run({ transaction: onlyOnce(connection) }, work);
    } finally {
      await connection.release();
    }
  }

  /** Runs the action once the outermost unit has committed; at once when none is open. */
  afterCommit(action: () => void): void {
    const open = storage.getStore()?.open;
    if (open) open.afterCommit.push(action);
    else action();
  }

  /**
   * Runs a part of an open unit that may fail alone: its writes, changes, locks and actions after the commit are rolled
   * back, and its error is passed on to the caller, who may swallow it.
   */
  async part<T>(work: () => Promise<T>): Promise<T> {
    const open = storage.getStore()?.open;
    if (!open) throw new Error('a part needs a unit of work');
    const { transaction } = open;
    const { client } = await transaction.current();
    const takeBack = open.buffer.mark();
    const actions = open.afterCommit.length;
    await client.query('SAVEPOINT part');
    try {
      const value = await work();
      await transaction.current();
      await client.query('RELEASE SAVEPOINT part');
      return value;
    } catch (error) {
      transaction.forget();
      await client.query('ROLLBACK TO SAVEPOINT part');
      await client.query('RELEASE SAVEPOINT part');
      takeBack();
      open.afterCommit.length = actions;
      throw error;
    }
  }

  /** Runs work and commits the unit that is open at its end; on an error it is rolled back. */
  private async ended<T>(chain: Chain, work: () => Promise<T>): Promise<T> {
    const result = await storage.run(chain, () =>
      openTransaction.run(chain, async () => {
        try {
          const value = await work();
          if (chain.open) {
            if (!chain.open.transaction.isBegun) await this.database.confirmRights();
            await requestContext.current().beforeWrite?.(chain.open.buffer.owners);
            chain.counted = await this.writer.write(chain.open.transaction, chain.open.buffer);
            await chain.open.transaction.commit();
          }
          return value;
        } catch (error) {
          await chain.open?.transaction.rollback();
          throw error;
        } finally {
          chain.isOver = true;
        }
      }),
    );
    if (chain.open) {
      requestContext.current().rights?.committed();
      if (chain.counted.some(({ is_followed }) => is_followed)) this.committed.tell();
      const { onCounted } = requestContext.current();
      if (onCounted) for (const counted of chain.counted) onCounted(counted);
      for (const action of chain.open.afterCommit) action();
    }
    return result;
  }

  /** Opens the first unit of a chain: it stays open after its end. */
  private async opened<T>(chain: Chain, work: () => Promise<T>): Promise<T> {
    refuse(chain);
    const open = (chain.open = this.begin());
    try {
      await chain.first().catch((error: unknown) => {
        if (!isRetryable(error)) chain.refusal = { error };
        throw error;
      });
      return await work();
    } catch (error) {
      await open.transaction.rollback();
      chain.open = null;
      throw error;
    }
  }

  private begin(): Open {
    return {
      transaction: new LazyTransaction(this.database),
      buffer: newBuffer(),
      afterCommit: [],
      moment: null,
    };
  }
}

function refuse({ refusal }: Chain): void {
  if (refusal) throw refusal.error;
}

/** Retries deadlocks, which are no fault of the caller. */
async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      if (number === ATTEMPTS || !isRetryable(error)) throw error;
      await setTimeout(Math.random() * PAUSE_MS * number);
    }
  }
}

function onlyOnce(open: OpenTransaction): Transaction {
  let isUsed = false;
  return {
    current: async () => {
      if (isUsed) throw new Error('a second statement would not be in the same transaction');
      isUsed = true;
      return Promise.resolve(open);
    },
    leave: () => {
      throw new Error('nothing comes after a single statement');
    },
    forget: () => undefined,
  };
}

class LazyTransaction implements Transaction, LastStatements {
  private opening: Promise<WriteConnection> | null = null;
  private hasEnded = false;
  private left: LaterWrite[] = [];

  constructor(private readonly database: Database) {}

  get isBegun(): boolean {
    return this.opening !== null;
  }

  async current(): Promise<OpenTransaction> {
    this.refuseAfterEnd();
    const open = await (this.opening ??= this.begin());
    for (const write of this.takeLeft()) await send(open.client, asIs(write));
    return open;
  }

  leave(write: LaterWrite): void {
    this.refuseAfterEnd();
    this.left.push(write);
  }

  takeLeft(): LaterWrite[] {
    return this.left.splice(0);
  }

  forget(): void {
    this.left = [];
  }

  handOver(): SendAlone | null {
    if (this.opening !== null) return null;
    this.hasEnded = true;
    // Several persons share the statement: GroupCommit sends it outside of requests, so that it takes nobody's place.
    return (statement) => this.database.writeAlone(statement);
  }

  async sendEarlier(statement: pg.QueryConfig): Promise<void> {
    const { client } = await this.current();
    await send(client, statement);
  }

  async send<Row extends object>(statements: readonly pg.QueryConfig[]): Promise<Row[]> {
    const [only] = statements;
    if (only === undefined) return [];
    if (this.opening === null && statements.length === 1) {
      this.hasEnded = true;
      return this.database.writeAlone<Row>(only);
    }
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
