import { Injectable } from '@nestjs/common';
import { type Actor } from '../request-context.js';
import { type Change } from './change-log.js';

/** A change of the unit that is about to commit, and who made it. */
export interface RecordedChange {
  change: Change;
  actor: Actor;
}

/**
 * Rows that must exist exactly when a change does: they are written by the very statement that writes the change, so
 * that they cost no round trip and cannot be forgotten or come late.
 */
export interface ChangeFollower {
  readonly name: string;
  /**
   * Data-modifying CTEs, `name AS (…), other AS (…)`. There are: `counted (changes, changed_at)`, the owner's counter
   * after these changes and their time; `$1`, the owner; `$2`, how many changes; `$said`, what `follow` gave, as jsonb.
   * All of them see the database as it was before the statement.
   */
  readonly statement: string;
  /**
   * @param recorded an owner's changes in the order of their numbers: the one at index i gets
   *   `counted.changes - $2 + i + 1`
   * @returns null when there is nothing to write
   */
  follow(recorded: readonly RecordedChange[]): object | null;
}

/** Who writes along with the change log; a context registers when it starts. */
@Injectable()
export class ChangeFollowers {
  private readonly followers: ChangeFollower[] = [];

  register(follower: ChangeFollower): void {
    this.followers.push(follower);
  }

  /** Those that have something to write about these changes. */
  of(recorded: readonly RecordedChange[]): { follower: ChangeFollower; said: object }[] {
    return this.followers.flatMap((follower) => {
      const said = follower.follow(recorded);
      return said === null ? [] : [{ follower, said }];
    });
  }
}
