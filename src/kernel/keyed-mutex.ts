/**
 * A keyed mutex: work of one key runs one piece after the other, in the order in which it arrived; other keys do not
 * wait.
 */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.last.get(key) ?? Promise.resolve()).then(work);
    const end = result.then(ignored, ignored);
    this.last.set(key, end);
    try {
      return await result;
    } finally {
      if (this.last.get(key) === end) this.last.delete(key);
    }
  }
}

const ignored = (): void => undefined;
