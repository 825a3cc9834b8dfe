import { type FollowUp } from '../change-log/change-followers.js';
import { type Sql } from '../database/sql.js';
import { type DeferredWrite } from '../database/transaction.js';

/** A deferred write with further ways to write the same rows, where they exist. */
export interface BatchableWrite extends DeferredWrite {
  /** The rows of several units at once (see GroupCommit). */
  readonly shared?: SharedInsert;
  /** The rows read from the unit's changes, where these contain them completely. */
  readonly derivableFromChange?: InsertFromChanges;
}

/** New rows for each of which the unit logs one `created` change, whose snapshot has every stored field. */
export interface InsertFromChanges {
  readonly entity: string;
  readonly ids: ReadonlySet<string>;
  /** Reads `given (snapshot, …)`, the changes. */
  readonly statement: Sql;
}

/** A new row, and the statement that inserts such rows. */
export interface SharedInsert {
  /** `$rows` is an array of such rows as jsonb; only those of the owners in `counted` may be written. */
  readonly text: string;
  readonly row: object;
}

/** The rows of a follower, with a statement that writes those of several units, where there is one. */
export interface BatchableFollowUp extends FollowUp {
  /**
   * The same for one change each of several units and owners (see GroupCommit). It can use: `numbered (owner_id,
   * entity_id, sequence, changed_at, …)`, the changes; `counted (owner_id, changed_at, is_followed)`, their owners;
   * `$payload`, an array with the `payload` of each change.
   */
  readonly shared?: string;
}
