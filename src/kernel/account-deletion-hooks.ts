import { Injectable } from '@nestjs/common';

/**
 * Removes what a user leaves on other people's side, in the unit of work that erases the account. The user's own rows
 * are deleted afterwards by the caller, for all contexts.
 * @returns other owners to erase with the user, because no one is left to reach what they own
 */
export type AccountDeletionHook = (userId: string) => Promise<readonly string[] | void>;

/** The departure hooks. Contexts register theirs when they start, and they run in the order of the modules. */
@Injectable()
export class AccountDeletionHooks {
  private readonly steps: AccountDeletionHook[] = [];

  register(step: AccountDeletionHook): void {
    this.steps.push(step);
  }

  /** Runs the hooks one after the other, within the caller's unit of work. */
  async run(userId: string): Promise<string[]> {
    const others: string[] = [];
    for (const step of this.steps) others.push(...((await step(userId)) ?? []));
    return others;
  }
}
