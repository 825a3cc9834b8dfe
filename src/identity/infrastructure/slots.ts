/** Lets a number of pieces of work run at a time; the others wait in the order they came. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // The slot goes from hand to hand, so that nobody who comes between can take it.
      if (next) next();
      else this.free++;
    }
  }
}
