import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { LazyTransaction } from '../database/lazy-transaction.js';
import { retried } from '../database/retries.js';
import { autocommitted, openTransaction } from '../database/transaction.js';
import { isCancelled, isOwnerGone, isRetryable } from '../database/violations.js';
import { accountGone } from '../errors/account-gone.js';
import { requestContext } from '../request-context.js';
import { CallScope, callScopes, type OpenUnit } from './call-scope.js';
import { type RecordedChange } from './change.js';
import { newBuffer } from './change-buffer.js';
import { ChangeSink } from './change-sink.js';
import { CommittedChanges } from './committed-changes.js';
import { quotaExceeded } from './quota-exceeded.js';
import { type Counted } from './quota-statements.js';

declare module '../request-context.js' {
  interface RequestContext {
    /** Called with the changes of each unit of work, by owner, before it is written and committed; throws to refuse it. */
    beforeWrite?: (changes: ReadonlyMap<string, readonly RecordedChange[]>) => Promise<void>;
    /** Called with an owner's counters after each commit of the request that raised them. */
    onCounted?: (counted: Counted) => void;
  }
}

/** Work at the two ends of the unit that encloses a whole request. */
export interface RequestHooks<T> {
  onBegin: () => Promise<void>;
  beforeCommit: (value: T) => Promise<void>;
}

const NOTHING = (): Promise<void> => Promise.resolve();

/**
 * Runs work in one transaction, which its chain of calls carries along. The connection is taken at the first statement.
 * A nested call joins. The change log is written last before COMMIT, because it locks the owner's counter (see
 * ChangeSink). A deadlock is retried, so the work must have no effects that outlive the transaction.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly sink: ChangeSink,
    private readonly committed: CommittedChanges,
  ) {}

  /** True if this chain of calls is in a unit, and so may hold a connection that others wait for. */
  get isOpen(): boolean {
    return (callScopes.getStore()?.unit ?? null) !== null;
  }

  /** True if no unit encloses the next unit of this chain of calls: it is committed when it ends. */
  get isOutermost(): boolean {
    return callScopes.getStore() === undefined;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const scope = callScopes.getStore();
    if (!scope) return retried(() => this.committing(new CallScope(this.begin(), NOTHING), work));
    return scope.unit ? work() : retried(() => this.opened(scope, work));
  }

  /**
   * Runs one transaction from the first unit of work inside to the end of the work, so that waits before that unit, for
   * anything but the database, hold neither connection nor lock. A unit that fails is rolled back, and the next one
   * becomes the first. After a deadlock everything is retried, as in `run`.
   */
  async runRequest<T>(work: () => Promise<T>, { onBegin, beforeCommit }: RequestHooks<T>): Promise<T> {
    if (this.isOpen) throw new Error('a whole request cannot be a part of a unit of work');
    return retried(() => {
      const scope = new CallScope(null, onBegin);
      return this.committing(scope, async () => {
        // A refused beginning fails the whole, even if the work swallowed the error.
        const value = await work().finally(() => throwRefusal(scope));
        await this.run(() => beforeCommit(value));
        return value;
      });
    });
  }

  /**
   * Works like `run`, in a unit of its own that is committed when it ends, even inside a `runRequest` whose unit has
   * not begun.
   */
  runSeparately<T>(work: () => Promise<T>): Promise<T> {
    if (this.isOpen) throw new Error('the connection may be the only one');
    return retried(() => this.committing(new CallScope(this.begin(), NOTHING), work));
  }

  /**
   * Runs work of one statement that returns something. Without BEGIN and COMMIT it is a transaction of its own: its
   * locks last only as long as the statement, however busy this process is. Within a unit it is a part of that unit.
   */
  async autocommit<T>(work: () => Promise<T>): Promise<T> {
    if (callScopes.getStore()) return this.run(work);
    return retried(() => this.alone(work)).catch((error: unknown) => {
      // The time limit of a read cancelled it: within a transaction it has longer.
      if (!isCancelled(error)) throw error;
      return this.run(work);
    });
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    const connection = await this.database.writeConnection();
    try {
      return await openTransaction.run({ transaction: autocommitted(connection) }, work);
    } finally {
      await connection.release();
    }
  }

  /** Runs the action once the outermost unit has committed; at once when none is open. */
  afterCommit(action: () => void): void {
    const unit = callScopes.getStore()?.unit;
    if (unit) unit.afterCommit.push(action);
    else action();
  }

  /**
   * Runs a part of an open unit that may fail alone: its writes, changes, locks and actions after the commit are rolled
   * back, and its error is passed on to the caller, who may swallow it.
   */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const unit = callScopes.getStore()?.unit;
    if (!unit) throw new Error('a savepoint needs a unit of work');
    const { transaction, buffer, afterCommit } = unit;
    const { client } = await transaction.current();
    const revert = buffer.mark();
    const actions = afterCommit.length;
    await client.query('SAVEPOINT part');
    try {
      const value = await work();
      await transaction.current();
      await client.query('RELEASE SAVEPOINT part');
      return value;
    } catch (error) {
      transaction.dropDeferred();
      await client.query('ROLLBACK TO SAVEPOINT part');
      await client.query('RELEASE SAVEPOINT part');
      revert();
      afterCommit.length = actions;
      throw error;
    }
  }

  /** Runs work and commits the unit that is open at its end; on an error it is rolled back. */
  private async committing<T>(scope: CallScope, work: () => Promise<T>): Promise<T> {
    const result = await callScopes.run(scope, () =>
      openTransaction.run(scope, async () => {
        try {
          const value = await work();
          if (scope.unit) scope.counted = await this.commit(scope.unit);
          return value;
        } catch (error) {
          await scope.unit?.transaction.rollback();
          throw error;
        } finally {
          scope.isOver = true;
        }
      }),
    );
    if (scope.unit) this.announce(scope.unit, scope.counted);
    return result;
  }

  /** @throws QUOTA_EXCEEDED, NOT_FOUND for an owner whose account is closed; then nothing of the unit is written */
  private async commit(unit: OpenUnit): Promise<Counted[]> {
    if (!unit.transaction.isBegun) await this.database.confirmRights();
    await requestContext.current().beforeWrite?.(unit.buffer.owners);
    const counted = await this.sink.flush(unit).catch((error: unknown) => {
      if (isOwnerGone(error)) throw accountGone();
      throw quotaExceeded(error) ?? error;
    });
    await unit.transaction.commit();
    return counted;
  }

  private announce(unit: OpenUnit, counted: readonly Counted[]): void {
    const { rights, onCounted } = requestContext.current();
    rights?.committed();
    if (counted.some(({ is_followed }) => is_followed)) this.committed.tell();
    if (onCounted) for (const row of counted) onCounted(row);
    for (const action of unit.afterCommit) action();
  }

  /** Opens the first unit of a scope: it stays open after its end. */
  private async opened<T>(scope: CallScope, work: () => Promise<T>): Promise<T> {
    throwRefusal(scope);
    const unit = (scope.unit = this.begin());
    try {
      await scope.onBegin().catch((error: unknown) => {
        if (!isRetryable(error)) scope.refusal = { error };
        throw error;
      });
      return await work();
    } catch (error) {
      await unit.transaction.rollback();
      scope.unit = null;
      throw error;
    }
  }

  private begin(): OpenUnit {
    const transaction = new LazyTransaction(this.database);
    return { transaction, buffer: newBuffer(), afterCommit: [], time: null };
  }
}

function throwRefusal({ refusal }: CallScope): void {
  if (refusal) throw refusal.error;
}
