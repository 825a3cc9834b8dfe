import { Injectable } from '@nestjs/common';
import { type Actor } from '../request-context.js';
import { type Change } from './change-log.js';

/** A change of the unit that is about to commit, and who made it. */
export interface RecordedChange {
  change: Change;
  actor: Actor;
}

/** Which agent did it: the write's own word, else the word of whoever prepared the write, as a proposal does. */
export const agentOf = ({ change, actor }: RecordedChange): string | null =>
  change.agentId ?? actor.agentId ?? null;

/** What is written along with an owner's changes. */
export interface FollowUp {
  /** Of the statement: the same name is always the same text. */
  readonly name: string;
  /**
   * Data-modifying CTEs, `name AS (…), other AS (…)`. There are: `counted (changes, changed_at, is_followed)`, the
   * owner's counter after these changes, their time, and whether anybody is to be told of them; `given (position, …)`,
   * the changes with their places, 1 for the first; `$1`, the owner; `$2`, how many changes; `$said`, which follows, as
   * jsonb. All of them see the database as it was before the statement, but for `counted`, which sees what was committed
   * until it had the counter. In a unit that makes something and expects its graph to stand still (ChangeLog.expect)
   * `given` and `counted` may be empty: then nothing may be written about what is new.
   */
  readonly statement: string;
  /** Null: the statement needs nothing more. */
  readonly said: object | null;
  /**
   * The same for one change each of several units and owners, where it can be put so (see GroupCommit). There are:
   * `numbered (owner_id, entity_id, sequence, changed_at, …)`, the changes; `counted (owner_id, changed_at, is_followed)`,
   * their owners; `$said`, an array of what was said of each.
   */
  readonly shared?: string;
}

/**
 * Rows that must exist exactly when a change does: they are written by the very statement that writes the change, so
 * that they cost no round trip and cannot be forgotten or come late.
 */
export interface ChangeFollower {
  /**
   * @param recorded an owner's changes in the order of their numbers: the one at index i gets
   *   `counted.changes - $2 + i + 1`
   * @returns null when there is nothing to write
   */
  follow(recorded: readonly RecordedChange[]): FollowUp | null;
}

/** Who writes along with the change log; a context registers when it starts. */
@Injectable()
export class ChangeFollowers {
  private readonly followers: ChangeFollower[] = [];

  register(follower: ChangeFollower): void {
    this.followers.push(follower);
  }

  /** What they write about these changes. */
  of(recorded: readonly RecordedChange[]): FollowUp[] {
    return this.followers.flatMap((follower) => follower.follow(recorded) ?? []);
  }
}
