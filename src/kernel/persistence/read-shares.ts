import { DomainError } from '../errors/domain-error.js';

interface CallerReads {
  underWay: number;
  waiting: Set<() => void>;
}

/**
 * Limits the concurrent reads of each caller at the database, or other work with much of a shared resource. A caller's
 * further reads wait for these, in their order, and hold no connection meanwhile, so that other callers find one free.
 */
export class ReadShares {
  private readonly callers = new Map<string, CallerReads>();

  constructor(
    private readonly mostReads: number,
    private readonly patienceMs: number,
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when the caller's own reads do not end within the time allowed */
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

  /** Passes the place on to the caller's longest waiting read. */
  private leave(caller: string, reads: CallerReads): void {
    const [next] = reads.waiting;
    if (next) next();
    else if (--reads.underWay === 0) this.callers.delete(caller);
  }
}

const tooMany = (max_reads: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'Too many of your reads are in progress; try again when some of them have ended',
    { limit: 'caller', max_reads },
  );
