import { CallLocal } from '../call-local.js';
import { type LazyTransaction } from '../database/lazy-transaction.js';
import { type Transaction, type TransactionScope } from '../database/transaction.js';
import { type ChangeBuffer } from './change-buffer.js';
import { type Counted } from './quota-statements.js';

/** An open unit of work. */
export interface OpenUnit {
  readonly transaction: LazyTransaction;
  readonly buffer: ChangeBuffer;
  readonly afterCommit: (() => void)[];
  /** The time of all its rows and changes; null until the first of them needs it. */
  time: Date | null;
}

/** A chain of calls, with the unit of work that it is in. */
export class CallScope implements TransactionScope {
  /** The error that kept its unit from beginning: the chain can have no unit any longer. */
  refusal: { error: unknown } | null = null;
  /** The counters of the owners whose graphs it has changed. */
  counted: readonly Counted[] = [];
  isOver = false;

  constructor(
    public unit: OpenUnit | null,
    /** Runs at the beginning of its unit. */
    readonly onBegin: () => Promise<void>,
  ) {}

  get transaction(): Transaction | null {
    return this.unit?.transaction ?? null;
  }

  /** The time shared by all rows of a unit and their changes, like now() in SQL. */
  get transactionTime(): Date | null {
    return this.unit === null || this.isOver ? null : (this.unit.time ??= new Date());
  }
}

export const callScopes = new CallLocal<CallScope>();

/**
 * The changes of the unit of work in this chain of calls.
 * @throws Error outside a unit of work
 */
export function currentBuffer(): ChangeBuffer {
  const unit = callScopes.getStore()?.unit;
  if (!unit) throw new Error('a change needs a unit of work');
  return unit.buffer;
}

/** True if the open unit of work has changed what this policy counter stands for, and has not raised it yet. */
export const hasBumpedPolicy = (id: string): boolean =>
  callScopes.getStore()?.unit?.buffer.policies.has(id) ?? false;
