import { LRUCache } from 'lru-cache';
import { openTransaction } from '../../kernel/persistence/database.js';

/** What was found, and where the change counters of its owners stood before it was looked for. */
interface Counted {
  readonly changes: number;
}

/**
 * Answers of the database, kept as long as what they were made of stands still. The key holds every input but the change
 * counter, which moves with every committed change.
 */
export class KeptAnswers<T extends Counted> {
  private readonly known: LRUCache<string, T>;
  private readonly running = new Map<string, Promise<T>>();

  constructor(room: LRUCache.Options<string, T, unknown>) {
    this.known = new LRUCache(room);
  }

  /**
   * @param changes the counter as the guard of this request read it
   * @param make is given the last answer, of another counter, to begin with
   */
  async of(key: string, changes: number, make: (last: T | undefined) => Promise<T>): Promise<T> {
    // A unit of work sees what is not committed, which nobody else may be told.
    if (openTransaction.getStore() !== null) return make(undefined);
    const known = this.known.get(key);
    if (known?.changes === changes) return known;
    return this.once(key, changes, () => make(known));
  }

  /** Who wants the same at the same time shares it, unless it began before the own guard looked. */
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
