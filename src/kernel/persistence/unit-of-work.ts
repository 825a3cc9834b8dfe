import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import { type ChangeBuffer, ChangeWriter, newBuffer } from '../changes/change-writer.js';
import { Database, openTransaction, type OpenTransaction } from './database.js';
import { isRetryable } from './violations.js';

interface Open {
  buffer: ChangeBuffer;
  afterCommit: (() => void)[];
}

const storage = new AsyncLocalStorage<Open>();
const ATTEMPTS = 3;

/** What is open in this chain of calls. Throws outside a unit of work. */
export function currentBuffer(): ChangeBuffer {
  const open = storage.getStore();
  if (!open) throw new Error('a change needs a unit of work');
  return open.buffer;
}

/**
 * One transaction around a piece of work, carried by the chain of calls. The connection is taken at the first
 * statement. A nested call joins. The change log is written as the last statement before COMMIT, because it
 * locks the owner's counter. A deadlock is tried again, so the work must not touch what outlives it.
 */
@Injectable()
export class UnitOfWork {
  constructor(
    private readonly database: Database,
    private readonly writer: ChangeWriter,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (storage.getStore()) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  /** Runs the action once the outermost unit has committed; at once when none is open. */
  afterCommit(action: () => void): void {
    const open = storage.getStore();
    if (open) open.afterCommit.push(action);
    else action();
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    const open: Open = { buffer: newBuffer(), afterCommit: [] };
    const transaction = new LazyTransaction(this.database);
    const result = await storage.run(open, () =>
      openTransaction.run(transaction, async () => {
        try {
          const value = await work();
          if (!open.buffer.isEmpty)
            await this.writer.write((await transaction.current()).client, open.buffer);
          await transaction.commit();
          return value;
        } catch (error) {
          await transaction.rollback();
          throw error;
        }
      }),
    );
    for (const action of open.afterCommit) action();
    return result;
  }
}

class LazyTransaction {
  private opening: Promise<OpenTransaction> | null = null;

  constructor(private readonly database: Database) {}

  current(): Promise<OpenTransaction> {
    return (this.opening ??= this.begin());
  }

  async commit(): Promise<void> {
    if (this.opening) await this.end((await this.opening).client.query('COMMIT'));
  }

  async rollback(): Promise<void> {
    if (!this.opening) return;
    const open = await this.opening.catch(() => null);
    if (open) await this.end(open.client.query('ROLLBACK')).catch(() => undefined);
  }

  /** BEGIN by hand on the runner's connection: the runner's own start asks for more than we need, and hot writes feel it. */
  private async begin(): Promise<OpenTransaction> {
    const runner = this.database.dataSource.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    try {
      await client.query('BEGIN');
    } catch (error) {
      await runner.release();
      throw error;
    }
    return { runner, client };
  }

  private async end(statement: Promise<unknown>): Promise<void> {
    const open = await (this.opening as Promise<OpenTransaction>);
    this.opening = null;
    try {
      await statement;
    } finally {
      await open.runner.release();
    }
  }
}
