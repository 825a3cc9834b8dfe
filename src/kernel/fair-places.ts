import { TurnQueue } from './turn-queue.js';

interface Waiting {
  person: string;
  enter: () => void;
}

/** Places for work under way. Persons take them in turn, and each has at most `mostOfOne`; what waits holds nothing. */
export class FairPlaces {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new TurnQueue<Waiting>();
  private free: number;

  constructor(
    size: number,
    private readonly mostOfOne = size,
  ) {
    this.free = size;
  }

  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.waiting.add(person, { person, enter });
      this.fill();
    });
    try {
      return await work();
    } finally {
      this.leave(person);
    }
  }

  private fill(): void {
    while (this.free > 0) {
      const next = this.waiting.take((person) => this.of(person) < this.mostOfOne);
      if (next === undefined) return;
      this.free--;
      this.taken.set(next.person, this.of(next.person) + 1);
      next.enter();
    }
  }

  private leave(person: string): void {
    this.free++;
    const rest = this.of(person) - 1;
    if (rest > 0) this.taken.set(person, rest);
    else this.taken.delete(person);
    this.fill();
  }

  private of(person: string): number {
    return this.taken.get(person) ?? 0;
  }
}
