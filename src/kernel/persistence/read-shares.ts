import { DomainError } from '../errors/domain-error.js';

interface CallerReads {
  underWay: number;
  waiting: Set<() => void>;
}

/** Returns a place; at most once. */
export type Leave = () => void;

/**
 * Limits the concurrent reads or writes of each caller at the database, or other work with much of a shared resource. A
 * caller's further ones wait for these, in their order, and hold no connection meanwhile, so that other callers find one
 * free.
 */
export class ReadShares {
  private readonly callers = new Map<string, CallerReads>();

  constructor(
    private readonly mostReads: number,
    private readonly patienceMs: number,
    kind: 'reads' | 'writes' = 'reads',
    private readonly refusal = (most: number): DomainError => tooMany(kind, most),
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when the caller's own reads do not end within the time allowed */
  async run<T>(caller: string, read: () => Promise<T>): Promise<T> {
    const place = this.take(caller);
    const leave = typeof place === 'function' ? place : await place;
    try {
      return await read();
    } finally {
      leave();
    }
  }

  /**
   * Takes a place; at once if one is free.
   * @throws TOO_MUCH_UNDER_WAY like `run`
   */
  take(caller: string): Leave | Promise<Leave> {
    let reads = this.callers.get(caller);
    if (reads === undefined) this.callers.set(caller, (reads = { underWay: 0, waiting: new Set() }));
    const own = reads;
    const leave = (): void => this.leave(caller, own);
    if (own.underWay >= this.mostReads) return this.wait(own, leave);
    own.underWay++;
    return leave;
  }

  private wait({ waiting }: CallerReads, leave: Leave): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        waiting.delete(enter);
        resolve(leave);
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(this.refusal(this.mostReads));
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

const tooMany = (kind: 'reads' | 'writes', most: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    `Too many of your ${kind} are in progress; try again when some of them have ended`,
    { limit: 'caller', [`max_${kind}`]: most },
  );
