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

/** Runs the pieces of work of one key one after the other, and those of different keys at the same time. */
export class KeyedQueue {
  private readonly queues = new Map<string, { slots: Slots; users: number }>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(key) ?? { slots: new Slots(1), users: 0 };
    this.queues.set(key, queue);
    queue.users++;
    try {
      return await queue.slots.run(work);
    } finally {
      if (--queue.users === 0) this.queues.delete(key);
    }
  }
}
