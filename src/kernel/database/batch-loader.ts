import { AsyncResource } from 'node:async_hooks';

interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

/**
 * A batch loader: loads the keys of one turn of the event loop with one statement. Requests that waited for the
 * same counters resume in the same turn, so under load most of them share the cost of a statement; a single request
 * waits for no other.
 */
export class BatchLoader<Key, Value> {
  private waiting: Waiting<Key, Value>[] = [];
  /** Bound to no request: the first caller's context and connection share must not apply to later callers. */
  private readonly sendAll = AsyncResource.bind(() => void this.send());

  /**
   * @param loadAll returns the values in the order of the keys; it must not depend on the first caller
   * @param most the maximum number of keys in a statement; further ones follow in statements of their own
   */
  constructor(
    private readonly loadAll: (keys: readonly Key[]) => Promise<readonly Value[]>,
    private readonly most: number,
  ) {}

  load(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      // Runs after everything else in this turn of the event loop.
      if (this.waiting.length === 0) setImmediate(() => this.sendAll());
      this.waiting.push({ key, resolve, reject });
    });
  }

  private async send(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    for (let from = 0; from < waiting.length; from += this.most)
      await this.sendSome(waiting.slice(from, from + this.most));
  }

  private async sendSome(waiting: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await this.loadAll(waiting.map(({ key }) => key));
      waiting.forEach(({ resolve }, index) => resolve(values[index] as Value));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
