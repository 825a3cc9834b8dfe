import { type Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { FairPlaces } from '../../kernel/fair-places.js';

/** The time that an import waits for others to end. */
const PATIENCE_MS = 60_000;

/** The time for which an import that ended with an error counts. */
const FAILED_MS = 60 * 60 * 1000;

/** The person for whom the imports of all accounts with a recent failure count. */
const FAILING = 'accounts whose imports fail';

/**
 * Places for imports, each of which holds a connection until it is done: a few at a time leave the others to everybody
 * else. A person has one of them, and so have all accounts together whose last import failed: those who send archives
 * that fail at their end leave a place to others.
 */
export class ImportPlaces {
  private readonly places: FairPlaces;
  /** The turns of accounts with a recent failure. */
  private readonly failing: FairPlaces;
  /** Accounts whose last import failed, with the time until which it counts. */
  private readonly failed = new Map<string, number>();

  constructor(
    size: number,
    private readonly clock: Clock,
  ) {
    const patience = { ms: PATIENCE_MS, refusal: () => otherImports(size) };
    this.places = new FairPlaces(size, 1, patience);
    this.failing = new FairPlaces(1, 1, patience);
  }

  /** @throws TOO_MUCH_UNDER_WAY when no place becomes free in time */
  run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    this.dropOld();
    const noted = (): Promise<T> => this.noted(userId, work);
    return this.failed.has(userId)
      ? this.failing.run(userId, () => this.places.run(FAILING, noted))
      : this.places.run(userId, noted);
  }

  /** Runs an import and remembers its end. */
  private async noted<T>(userId: string, work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.failed.delete(userId);
      return value;
    } catch (error) {
      this.failed.set(userId, this.clock.now().getTime() + FAILED_MS);
      throw error;
    }
  }

  private dropOld(): void {
    const now = this.clock.now().getTime();
    for (const [userId, until] of this.failed) if (until <= now) this.failed.delete(userId);
  }
}

function otherImports(max_imports: number): DomainError {
  const message = 'Other imports are under way; try again when some of them have ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'process', max_imports });
}
