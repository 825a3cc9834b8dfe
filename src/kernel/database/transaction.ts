import type pg from 'pg';
import { type QueryRunner } from 'typeorm';
import { CallLocal } from '../call-local.js';
import { type Sql } from './sql.js';

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
export interface DeferredWrite {
  readonly name: string;
  readonly statement: Sql;
}

/** A deferred write as a statement of its own. */
export const toQuery = ({ name, statement: { text, values } }: DeferredWrite): pg.QueryConfig => ({
  name,
  text,
  values,
});

/** The transaction of an open unit of work. */
export interface Transaction {
  /** True once a unit of work has taken a connection; absent where others do not wait for it. */
  readonly isBegun?: boolean;
  /** Begins it if necessary, and sends deferred writes first. */
  current(): Promise<OpenTransaction>;
  defer(write: DeferredWrite): void;
  /** Drops deferred writes that are not sent yet. */
  dropDeferred(): void;
}

/** The transaction and time of a chain of calls. */
export interface TransactionScope {
  /** The transaction of its statements; null: any connection. */
  readonly transaction: Transaction | null;
  /** The time of everything done here; null or absent: the current time. */
  readonly transactionTime?: Date | null;
}

const scopes = new CallLocal<TransactionScope>();

export const openTransaction = {
  getStore: (): Transaction | null => scopes.getStore()?.transaction ?? null,
  time: (): Date | null => scopes.getStore()?.transactionTime ?? null,
  run: <T>(scope: TransactionScope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work),
};

/** A transaction that cannot write. */
export const readOnly = (open: OpenTransaction): Transaction => ({
  current: () => Promise.resolve(open),
  defer: () => {
    throw new Error('a snapshot is for reading');
  },
  dropDeferred: () => undefined,
});

/** A transaction of one statement, which needs neither BEGIN nor COMMIT. */
export function autocommitted(open: OpenTransaction): Transaction {
  let isUsed = false;
  return {
    current: async () => {
      if (isUsed) throw new Error('a second statement would not be in the same transaction');
      isUsed = true;
      return Promise.resolve(open);
    },
    defer: () => {
      throw new Error('nothing comes after a single statement');
    },
    dropDeferred: () => undefined,
  };
}
