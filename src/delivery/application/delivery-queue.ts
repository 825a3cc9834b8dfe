/**
 * Wakes workers. PostgreSQL is the truth: whoever is woken looks there for what is due, and looks now and then without
 * being woken, so a wake that is lost costs a moment and nothing else. Two adapters: this process, and Bull on Redis.
 */
export abstract class DeliveryQueue {
  /** Never waits and never fails: a request is being answered. */
  abstract wake(): void;
  /** What a woken worker does. On processes without workers nobody calls this. */
  abstract onWake(work: () => Promise<void>): void;
  abstract close(): Promise<void>;
}
