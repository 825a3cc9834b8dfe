import { Injectable } from '@nestjs/common';
import { type Actor } from '../request-context.js';
import { type Change } from './change-log.js';

/** A change of the unit that is about to commit, and its actor. */
export interface RecordedChange {
  change: Change;
  actor: Actor;
}

/** The agent behind a change: the one the write names, else the one its actor names, as in a proposal. */
export const agentOf = ({ change, actor }: RecordedChange): string | null =>
  change.agentId ?? actor.agentId ?? null;

/** The rows that a follower writes along with an owner's changes. */
export interface FollowUp {
  /** Name of the statement: the same name always has the same text. */
  readonly name: string;
  /**
   * Data-modifying CTEs, `name AS (…), other AS (…)`. They can use: `counted (changes, changed_at, is_followed)`, the
   * owner's counter after these changes, their time, and true if delivery follows this owner; `given (position,
   * …)`, the changes with their positions, 1 for the first; `$1`, the owner; `$2`, the number of changes; `$said`, the
   * value of `said` as jsonb. All of them see the database as it was before the statement, except `counted`, which sees
   * everything committed before it locked the counter. In a unit that creates something and expects an unchanged graph
   * (ChangeLog.expect), `given` and `counted` may be empty: then nothing may be written about the new entity.
   */
  readonly statement: string;
  /** The parameter `$said`; null if the statement needs none. */
  readonly said: object | null;
  /**
   * The same for one change each of several units and owners, where it can be written that way (see GroupCommit). It
   * can use: `numbered (owner_id, entity_id, sequence, changed_at, …)`, the changes; `counted (owner_id, changed_at,
   * is_followed)`, their owners; `$said`, an array with the `said` of each change.
   */
  readonly shared?: string;
}

/**
 * Adds rows that must exist exactly when a change does: the statement that writes the change writes them, too, so they
 * cost no round trip and can be neither forgotten nor late.
 */
export interface ChangeFollower {
  /**
   * @param recorded an owner's changes in the order of their numbers: the one at index i has the number
   *   `counted.changes - $2 + i + 1`
   * @returns null when there is nothing to write
   * @throws DomainError to refuse the unit, of which nothing is written then
   */
  follow(recorded: readonly RecordedChange[]): FollowUp | null;
}

/** The followers of the change log; a context registers its own when it starts. */
@Injectable()
export class ChangeFollowers {
  private readonly followers: ChangeFollower[] = [];

  register(follower: ChangeFollower): void {
    this.followers.push(follower);
  }

  /** Everything that the followers write about these changes. */
  of(recorded: readonly RecordedChange[]): FollowUp[] {
    return this.followers.flatMap((follower) => follower.follow(recorded) ?? []);
  }
}
