import { Injectable } from '@nestjs/common';
import { runInSlices, type Steps } from '../slices.js';
import { type RecordedChange } from './change.js';

/** The rows that a follower writes along with an owner's changes. */
export interface FollowUp {
  /** Name of the statement: the same name always has the same text. */
  readonly name: string;
  /**
   * Data-modifying CTEs, `name AS (…), other AS (…)`. They can use: `counted (changes, changed_at, is_followed)`, the
   * owner's counter after these changes, their time, and true if delivery follows this owner; `given (position,
   * …)`, the changes with their positions, 1 for the first; `$1`, the owner; `$2`, the number of changes; `$payload`,
   * the value of `payload` as jsonb. All of them see the database as it was before the statement, except `counted`,
   * which sees everything committed before it locked the counter; none may read the new rows of `changes`. In a unit
   * that creates something and expects an unchanged graph (ChangeLog.requireUnchanged), `given` and `counted` may be
   * empty: then nothing may be written about the new entity.
   */
  readonly statement: string;
  /** The parameter `$payload`; null if the statement needs none. */
  readonly payload: object | null;
}

/**
 * Adds rows that must exist exactly when a change does: they are written where the change is, so they can be neither
 * forgotten nor late.
 */
export interface ChangeFollower {
  /**
   * @param recorded an owner's changes in the order of their numbers: the one at index i has the number
   *   `counted.changes - $2 + i + 1`
   * @returns null when there is nothing to write; steps where many or large changes take long
   * @throws DomainError to refuse the unit, of which nothing is written then
   */
  follow(recorded: readonly RecordedChange[]): FollowUp | null | Steps<FollowUp | null>;
}

/** The followers of the change log; a context registers its own when it starts. */
@Injectable()
export class ChangeFollowers {
  private readonly followers: ChangeFollower[] = [];

  register(follower: ChangeFollower): void {
    this.followers.push(follower);
  }

  /**
   * Everything that the followers write about these changes, worked out in slices: a promise only if they take longer
   * than one.
   */
  of(recorded: readonly RecordedChange[]): FollowUp[] | Promise<FollowUp[]> {
    return runInSlices(this.followUps(recorded));
  }

  private *followUps(recorded: readonly RecordedChange[]): Steps<FollowUp[]> {
    const all: FollowUp[] = [];
    for (const follower of this.followers) {
      const followed = follower.follow(recorded);
      const followUp = followed !== null && Symbol.iterator in followed ? yield* followed : followed;
      if (followUp !== null) all.push(followUp);
    }
    return all;
  }
}
