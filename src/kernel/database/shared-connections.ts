import { type Leave, within } from '../caller-places.js';
import { DomainError } from '../errors/domain-error.js';
import { requestContext } from '../request-context.js';

interface Waiting {
  readonly caller: string;
  readonly enter: () => void;
}

/**
 * The connections that the reads and writes of all people hold together. The last ones are only for people who hold
 * none, so that a few people with slow statements leave connections to others, to log-ins and to health checks
 * (rule 11.9d). A waiting request holds none; of those that may have one, the one that came first gets it.
 */
export class SharedConnections {
  private readonly held = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();
  private total = 0;

  /** @param ordinary the number of connections that people may hold who hold one already */
  constructor(
    private readonly ordinary: number,
    private readonly patienceMs: number,
  ) {}

  /** @throws TOO_MUCH_UNDER_WAY like `take` */
  run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return within(this.take(caller), work);
  }

  /**
   * Takes one; at once if the caller holds none, if some are free, or for a request that ends access, of which each
   * person has one at a time. The chain of calls must hold none: it would wait for itself.
   * @throws TOO_MUCH_UNDER_WAY when none becomes free within the time allowed
   */
  take(caller: string): Leave | Promise<Leave> {
    if (requestContext.current().endsAccess === true) return () => undefined;
    return this.hasRoomFor(caller) ? this.enter(caller) : this.wait(caller);
  }

  private hasRoomFor(caller: string): boolean {
    return this.total < this.ordinary || !this.held.has(caller);
  }

  private enter(caller: string): Leave {
    this.total++;
    this.held.set(caller, (this.held.get(caller) ?? 0) + 1);
    return () => this.leave(caller);
  }

  private wait(caller: string): Promise<Leave> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.waiting.delete(waiting);
        resolve(this.enter(caller));
      };
      const waiting: Waiting = { caller, enter };
      const timer = setTimeout(() => {
        this.waiting.delete(waiting);
        reject(tooMany());
      }, this.patienceMs);
      this.waiting.add(waiting);
    });
  }

  private leave(caller: string): void {
    this.total--;
    const left = (this.held.get(caller) as number) - 1;
    if (left === 0) this.held.delete(caller);
    else this.held.set(caller, left);
    for (const next of this.waiting) if (this.hasRoomFor(next.caller)) next.enter();
  }
}

const tooMany = (): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    'Too many reads and writes are in progress; try again when some of yours have ended',
    { limit: 'process' },
  );
