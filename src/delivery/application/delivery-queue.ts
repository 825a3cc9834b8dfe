/**
 * Wakes workers. PostgreSQL is the truth: a worker that wakes looks there for due work, and also looks periodically, so
 * a lost wake only costs a moment. Two adapters: this process, and Bull on Redis.
 */
export abstract class DeliveryQueue {
  /** Never blocks and never throws, because a request is being answered. */
  abstract wake(): void;
  /** Sets the work of a woken worker. Processes without workers never call this. */
  abstract onWake(work: () => Promise<void>): void;
  abstract close(): Promise<void>;
}
