import { DomainError } from '../errors/domain-error.js';

interface CallerPlaces {
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
export class ConnectionShares {
  private readonly callers = new Map<string, CallerPlaces>();

  constructor(
    private readonly most: number,
    private readonly patienceMs: number,
    kind: 'reads' | 'writes' = 'reads',
    private readonly refusal = (most: number): DomainError => tooMany(kind, most),
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when none of the caller's places becomes free within the time allowed */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const place = this.take(caller);
    const leave = typeof place === 'function' ? place : await place;
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Takes a place; at once if one is free.
   * @throws TOO_MUCH_UNDER_WAY like `run`
   */
  take(caller: string): Leave | Promise<Leave> {
    let places = this.callers.get(caller);
    if (places === undefined) this.callers.set(caller, (places = { underWay: 0, waiting: new Set() }));
    const own = places;
    const leave = (): void => this.leave(caller, own);
    if (own.underWay >= this.most) return this.wait(own, leave);
    own.underWay++;
    return leave;
  }

  private wait({ waiting }: CallerPlaces, leave: Leave): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        waiting.delete(enter);
        resolve(leave);
      };
      const timer = setTimeout(() => {
        waiting.delete(enter);
        reject(this.refusal(this.most));
      }, this.patienceMs);
      waiting.add(enter);
    });
  }

  /** Passes the place on to the caller's longest waiting work. */
  private leave(caller: string, places: CallerPlaces): void {
    const [next] = places.waiting;
    if (next) next();
    else if (--places.underWay === 0) this.callers.delete(caller);
  }
}

const tooMany = (kind: 'reads' | 'writes', most: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    `Too many of your ${kind} are in progress; try again when some of them have ended`,
    { limit: 'caller', [`max_${kind}`]: most },
  );
