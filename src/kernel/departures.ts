import { Injectable } from '@nestjs/common';

/**
 * What a context does for a user who goes for good, in the unit of work that ends the account: whatever of the user is
 * on other people's side. The user's own rows go afterwards, whoever wrote them.
 * @returns other owners who go with the user, because nobody is left to reach what is theirs
 */
export type Departure = (userId: string) => Promise<readonly string[] | void>;

/** Contexts register what they do when they start, in the order of their modules. */
@Injectable()
export class Departures {
  private readonly steps: Departure[] = [];

  register(step: Departure): void {
    this.steps.push(step);
  }

  /** One after the other, within the caller's unit of work. */
  async leave(userId: string): Promise<string[]> {
    const others: string[] = [];
    for (const step of this.steps) others.push(...((await step(userId)) ?? []));
    return others;
  }
}
