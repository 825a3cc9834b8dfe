import { AsyncLocalStorage } from 'node:async_hooks';

/** A value that travels with a chain of calls, linked to the value it was set within. */
interface Carried {
  readonly local: object;
  readonly value: unknown;
  readonly outer: Carried | undefined;
}

/** One storage for all locals: Node copies each storage into every promise, and a request makes dozens of promises. */
const storage = new AsyncLocalStorage<Carried>();

/** Works like AsyncLocalStorage; any number of instances together cost as much as one. */
export class CallLocal<T> {
  run<R>(value: T, work: () => R): R {
    return storage.run({ local: this, value, outer: storage.getStore() }, work);
  }

  getStore(): T | undefined {
    for (let carried = storage.getStore(); carried !== undefined; carried = carried.outer)
      if (carried.local === this) return carried.value as T;
    return undefined;
  }
}

/**
 * Runs work that carries nothing of this chain of calls: timers and caches that outlive a request would keep all of it in
 * memory, its body and its response too.
 */
export const detached = <R>(work: () => R): R => storage.run(undefined as never, work);
