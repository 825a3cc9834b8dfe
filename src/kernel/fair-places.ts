import { type DomainError } from './errors/domain-error.js';
import { TurnQueue } from './turn-queue.js';

interface Waiting {
  person: string;
  places: number;
  /** True once it has been refused. */
  isRefused: boolean;
  enter: () => void;
}

/** The end of the wait for a place. */
interface Patience {
  ms: number;
  refusal: () => DomainError;
}

/**
 * Places for work under way. Persons take turns, and each has at most `mostOfOne` works under way at a time; what waits
 * holds nothing. Work that needs several places keeps its turn until they are free.
 */
export class FairPlaces {
  private readonly underWay = new Map<string, number>();
  private readonly waiting = new TurnQueue<Waiting>();
  /** The work whose turn it is, until there is room for it. */
  private next: Waiting | undefined;
  private free: number;

  /** @param patience absent: work waits for any time */
  constructor(
    size: number,
    private readonly mostOfOne = size,
    private readonly patience?: Patience,
  ) {
    this.free = size;
  }

  /**
   * @param places how many the work takes, at most `size`
   * @throws the refusal of the patience
   */
  async run<T>(person: string, work: () => Promise<T>, places = 1): Promise<T> {
    await this.enter(person, places);
    try {
      return await work();
    } finally {
      this.leave(person, places);
    }
  }

  private enter(person: string, places: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { patience } = this;
      const refuse = ({ refusal }: Patience): void => {
        one.isRefused = true;
        this.fill();
        reject(refusal());
      };
      const timer = patience && setTimeout(() => refuse(patience), patience.ms);
      const enter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const one: Waiting = { person, places, isRefused: false, enter };
      this.waiting.add(person, one);
      this.fill();
    });
  }

  private fill(): void {
    while (this.free > 0) {
      while (this.next === undefined || this.next.isRefused) {
        this.next = this.waiting.take((person) => this.of(person) < this.mostOfOne);
        if (this.next === undefined) return;
      }
      const { person, places, enter } = this.next;
      if (places > this.free) return;
      this.free -= places;
      this.underWay.set(person, this.of(person) + 1);
      this.next = undefined;
      enter();
    }
  }

  private leave(person: string, places: number): void {
    this.free += places;
    const rest = this.of(person) - 1;
    if (rest > 0) this.underWay.set(person, rest);
    else this.underWay.delete(person);
    this.fill();
  }

  private of(person: string): number {
    return this.underWay.get(person) ?? 0;
  }
}
