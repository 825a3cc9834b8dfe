/** Runs a limited number of pieces of work at a time; the others wait in order of arrival. */
export class ConcurrencyLimit {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The slot passes directly to the next in line, so that no later arrival can take it.
      if (next) next();
      else this.free++;
    }
  }
}
