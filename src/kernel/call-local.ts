import { AsyncLocalStorage } from 'node:async_hooks';

/** A value that travels with a chain of calls, and what travelled with it before. */
interface Carried {
  readonly local: object;
  readonly value: unknown;
  readonly outer: Carried | undefined;
}

/** One for all: each storage would be copied into every promise that is made, and there are dozens in a request. */
const storage = new AsyncLocalStorage<Carried>();

/** As AsyncLocalStorage, at the price of one however many there are. */
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
