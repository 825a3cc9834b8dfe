import { DomainError } from '../errors/domain-error.js';

interface CallerReads {
  underWay: number;
  waiting: Set<() => void>;
}

/**
 * The reads that callers have at the database at once, or other work that takes much of what all share. Each caller has a limited number of them; the caller's others wait
 * for these, in their order, and hold no connection meanwhile, so that others find one free.
 */
export class ReadShares {
  private readonly callers = new Map<string, CallerReads>();

  constructor(
    private readonly mostReads: number,
    private readonly patienceMs: number,
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when the caller's own reads leave no room for this one within the time allowed */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    let reads = this.callers.get(caller);
    if (reads === undefined) this.callers.set(caller, (reads = { underWay: 0, waiting: new Set() }));
    if (reads.underWay < this.mostReads) reads.underWay++;
    else await this.place(reads);
    try {
      return await read();
    } finally {
      this.leave(caller, reads);
    }
  }

  private place({ waiting }: CallerReads): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(tooMany(this.mostReads));
      }, this.patienceMs);
      waiting.add(enter);
    });
  }

  /** The place goes to whoever waits longest. */
  private leave(caller: string, reads: CallerReads): void {
    const [next] = reads.waiting;
    if (next) next();
    else if (--reads.underWay === 0) this.callers.delete(caller);
  }
}

const tooMany = (max_reads: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'Too many of your reads are under way; ask again when others are answered',
    { limit: 'caller', max_reads },
  );
