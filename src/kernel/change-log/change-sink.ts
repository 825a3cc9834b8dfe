import { type LazyTransaction } from '../database/lazy-transaction.js';
import { type ChangeBuffer } from './change-buffer.js';
import { type Counted } from './quota-statements.js';

/** A unit of work whose work is done: its transaction, with its deferred writes, and its changes. */
export interface DoneUnit {
  readonly transaction: LazyTransaction;
  readonly buffer: ChangeBuffer;
}

/**
 * Writes the end of a unit of work: its deferred writes, its changes, the rows of followers and the counters, all or
 * nothing. An owner's changes are numbered without gaps in the order of their commits, and no change is older than the
 * one before it. PlainChangeSink is the specification; BatchedChangeSink writes the same rows in fewer statements.
 */
export abstract class ChangeSink {
  /**
   * Sends the last statements of the unit, which the caller then commits; a sink may also send them as a transaction of
   * their own.
   * @returns the counters that it raised, by owner
   * @throws ConcurrentChange if the counter that the unit expects has moved or its lock is taken
   * @throws the database's error for an exceeded quota and for a closed account
   */
  abstract flush(unit: DoneUnit): Promise<Counted[]>;
}
