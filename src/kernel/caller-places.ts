import { type DomainError } from './errors/domain-error.js';

interface Places {
  underWay: number;
  waiting: Set<() => void>;
}

/** Returns a place; at most once. */
export type Leave = () => void;

/** Runs work in a place, once it is free, and returns the place when the work has ended. */
export async function within<T>(place: Leave | Promise<Leave>, work: () => Promise<T>): Promise<T> {
  const leave = typeof place === 'function' ? place : await place;
  try {
    return await work();
  } finally {
    leave();
  }
}

/**
 * Limits the concurrent work of each caller that takes much of a shared resource: connections, masks, large pages, copies
 * of an account. A caller's further work waits for a place, in its order, and holds no connection meanwhile, so that
 * other callers find one free.
 */
export class CallerPlaces {
  private readonly callers = new Map<string, Places>();

  constructor(
    private readonly most: number,
    private readonly patienceMs: number,
    /** TOO_MUCH_UNDER_WAY with a message and details that name this bound. */
    private readonly refusal: (most: number) => DomainError,
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY when none of the caller's places becomes free within the time allowed */
  run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return within(this.take(caller), work);
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

  private wait({ waiting }: Places, leave: Leave): Promise<Leave> {
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
  private leave(caller: string, places: Places): void {
    const [next] = places.waiting;
    if (next) next();
    else if (--places.underWay === 0) this.callers.delete(caller);
  }
}
