import { type DomainError } from './errors/domain-error.js';
import { TurnQueue } from './turn-queue.js';

interface Waiting {
  person: string;
  /** True once it has been refused. */
  isRefused: boolean;
  enter: () => void;
}

/** The end of the wait for a place. */
interface Patience {
  ms: number;
  refusal: () => DomainError;
}

/** Places for work under way. Persons take them in turn, and each has at most `mostOfOne`; what waits holds nothing. */
export class FairPlaces {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new TurnQueue<Waiting>();
  private free: number;

  /** @param patience absent: work waits for any time */
  constructor(
    size: number,
    private readonly mostOfOne = size,
    private readonly patience?: Patience,
  ) {
    this.free = size;
  }

  /** @throws the refusal of the patience */
  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    await this.enter(person);
    try {
      return await work();
    } finally {
      this.leave(person);
    }
  }

  private enter(person: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { patience } = this;
      const refuse = ({ refusal }: Patience): void => {
        one.isRefused = true;
        reject(refusal());
      };
      const timer = patience && setTimeout(() => refuse(patience), patience.ms);
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const one: Waiting = { person, isRefused: false, enter };
      this.waiting.add(person, one);
      this.fill();
    });
  }

  private fill(): void {
    while (this.free > 0) {
      const next = this.waiting.take((person) => this.of(person) < this.mostOfOne);
      if (next === undefined) return;
      if (next.isRefused) continue;
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
