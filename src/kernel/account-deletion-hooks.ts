import { Injectable } from '@nestjs/common';

/**
 * Removes what a user leaves on other people's side, in the unit of work that erases the account. The user's own rows
 * are deleted afterwards by the caller, for all contexts.
 * @returns other owners to erase with the user, because no one is left to reach what they own
 */
export type AccountDeletionHook = (userId: string) => Promise<readonly string[] | void>;

/**
 * Removes a page of what is left on other people's side once the account has ended, in a unit of work of its own: what
 * holds the counters of any number of others. Nobody's sight depends on it.
 * @returns true if nothing is left
 */
export type RemainsHook = (userId: string) => Promise<boolean>;

/** The departure hooks. Contexts register theirs when they start, and they run in the order of the modules. */
@Injectable()
export class AccountDeletionHooks {
  private readonly steps: AccountDeletionHook[] = [];
  private readonly remains: RemainsHook[] = [];

  register(step: AccountDeletionHook): void {
    this.steps.push(step);
  }

  registerRemains(step: RemainsHook): void {
    this.remains.push(step);
  }

  /** Runs the first hook that has something left. @returns true if nothing is left */
  async clear(userId: string): Promise<boolean> {
    for (const step of this.remains) if (!(await step(userId))) return false;
    return true;
  }

  /** Runs the hooks one after the other, within the caller's unit of work. */
  async run(userId: string): Promise<string[]> {
    const others: string[] = [];
    for (const step of this.steps) others.push(...((await step(userId)) ?? []));
    return others;
  }
}
