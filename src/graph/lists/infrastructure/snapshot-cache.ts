import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { openTransaction } from '../../../kernel/database/transaction.js';

/** An answer, and its owners' change counters from before it was computed. */
interface Counted {
  readonly changes: number;
}

/**
 * A cache of answers from the database, valid until their sources change. The question holds every input except
 * the change counter, which moves with every committed change. Only its digest is held, because callers write filters of
 * thousands of characters.
 */
export class SnapshotCache<T extends Counted> {
  private readonly known: LRUCache<string, T>;
  private readonly running = new Map<string, Promise<T>>();

  constructor(room: LRUCache.Options<string, T, unknown>) {
    this.known = new LRUCache(room);
  }

  /**
   * @param question everything that the answer depends on, except the counter
   * @param changes the counter as this request's guard read it
   * @param make receives the last answer, from another counter value, as a start
   */
  async of(question: string, changes: number, make: (last: T | undefined) => Promise<T>): Promise<T> {
    // A unit of work sees uncommitted rows, which must not reach others.
    if (openTransaction.getStore() !== null) return make(undefined);
    const key = createHash('sha256').update(question).digest('base64url');
    const known = this.known.get(key);
    if (known?.changes === changes) return known;
    return this.once(key, changes, () => make(known));
  }

  /** Concurrent requests for the same answer share it, unless it began before the own guard looked. */
  private async once(key: string, changes: number, make: () => Promise<T>): Promise<T> {
    const running = this.running.get(key);
    if (running) {
      const shared = await running.catch(() => null);
      if (shared && shared.changes >= changes) return shared;
    }
    const making = make();
    this.running.set(key, making);
    try {
      const made = await making;
      this.known.set(key, made);
      return made;
    } finally {
      if (this.running.get(key) === making) this.running.delete(key);
    }
  }
}
