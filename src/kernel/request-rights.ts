import { DomainError } from './errors/domain-error.js';

/** The time for which a decision about rights is trusted. */
export const TRUSTED_MS = 1_000;

/** The decision about a request's rights, as the guards made it. */
export interface Decision {
  /** True if both give the same rights. */
  equals(other: Decision): boolean;
}

/** Resolves to false when a fact that the request relied on, besides the guards' decision, no longer holds. */
type Condition = () => Promise<boolean>;

/**
 * The rights of a request. A decision about them is trusted for a second: a request that takes longer, because it waits
 * in a queue or for its body, confirms them before it answers and before its writes begin (rule 2.8).
 */
export class RequestRights {
  private decidedAt = performance.now();
  private isSettled = false;
  private readonly conditions = new Map<string, Condition>();
  /** Decides again; absent until the guards have admitted the request. */
  private again: (() => Promise<void>) | null = null;

  /**
   * @param reads true for a request that changes nothing for its caller: its answer acknowledges no write
   * @param outer those of the request for which this one is sent, whose answer acknowledges the same writes
   */
  constructor(
    private readonly reads = false,
    private readonly outer?: RequestRights,
  ) {}

  /** The guards begin to decide; earlier decisions no longer count. */
  begin(): void {
    this.decidedAt = performance.now();
    this.conditions.clear();
    this.again = null;
  }

  /** @param again decides again; throws when the guards refuse the request or give it other rights */
  admitted(again: () => Promise<void>): void {
    this.again = again;
  }

  /** True when the decision is too old to be relied on. */
  get isOld(): boolean {
    return !this.isSettled && this.again !== null && performance.now() - this.decidedAt > TRUSTED_MS;
  }

  /** Adds a condition; the first one of a name counts. */
  dependOn(name: string, condition: Condition): void {
    if (!this.conditions.has(name)) this.conditions.set(name, condition);
  }

  /** The request has committed: its answer acknowledges the write, whatever has changed since. */
  committed(): void {
    if (this.reads) return;
    this.settle();
    this.outer?.committed();
  }

  /** Ends the confirmations, for an answer that is watched in another way. */
  settle(): void {
    this.isSettled = true;
  }

  /**
   * Confirms an old decision before an answer or a write. It must hold no connection.
   * @throws errors of the guards; SERVICE_UNAVAILABLE when the rights have changed
   */
  async confirm(): Promise<void> {
    const { again, conditions } = this;
    if (!this.isOld || again === null) return;
    const begun = performance.now();
    // A refusal is final, and the guards' own reads need no confirmation.
    this.isSettled = true;
    await again();
    for (const holds of conditions.values()) if (!(await holds())) throw rightsChanged();
    this.isSettled = false;
    this.decidedAt = begun;
  }
}

/** The error of a request whose rights changed while it was in progress: sent again, it is decided again. */
export const rightsChanged = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Permissions changed while the request was in progress; send it again',
  );
