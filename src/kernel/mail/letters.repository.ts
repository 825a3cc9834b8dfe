import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { sql } from '../database/sql.js';

/** A letter that one worker has taken. */
export interface TakenLetter {
  id: string;
  userId: string | null;
  kind: string;
  sealed: string;
  isWritten: boolean;
  /** The number of attempts with this one; distinguishes this worker's lease from a later one. */
  attempts: number;
  expiresAt: Date;
}

type Turn = Pick<TakenLetter, 'id' | 'attempts'>;

/** Rows of letters. Every method needs a unit of work; changes of a taken letter take effect only during its lease. */
@Injectable()
export class LetterRows {
  constructor(private readonly database: Database) {}

  async insert(
    letter: Pick<TakenLetter, 'id' | 'userId' | 'kind' | 'sealed' | 'expiresAt'>,
    now: Date,
  ): Promise<void> {
    const { id, userId, kind, sealed, expiresAt } = letter;
    await this.database.write(
      sql`INSERT INTO letters (id, user_id, kind, sealed, created_at, due_at, expires_at)
        VALUES (${id}, ${userId}, ${kind}, ${sealed}, ${now}, ${now}, ${expiresAt})`,
      'letter-insert',
    );
  }

  /**
   * Takes due letters, of each kind the longest waiting ones; no other worker takes them before `until`. The kinds take
   * turns because strangers can order any number of one of them (rule 1.18f).
   * @param limit the most letters of a kind
   */
  async take({ now, until, limit }: { now: Date; until: Date; limit: number }): Promise<TakenLetter[]> {
    return this.database.write<TakenLetter>(
      sql`WITH RECURSIVE kinds (kind) AS (
          (SELECT kind FROM letters WHERE due_at IS NOT NULL ORDER BY kind LIMIT 1)
          UNION ALL
          SELECT (SELECT l.kind FROM letters AS l WHERE l.due_at IS NOT NULL AND l.kind > k.kind ORDER BY l.kind LIMIT 1)
          FROM kinds AS k WHERE k.kind IS NOT NULL),
        due AS MATERIALIZED (
          SELECT d.id FROM kinds AS k CROSS JOIN LATERAL (SELECT id FROM letters WHERE kind = k.kind AND due_at <= ${now}
            ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED) AS d)
        UPDATE letters l SET attempts = attempts + 1, due_at = ${until} FROM due WHERE l.id = due.id
        RETURNING l.id, l.user_id AS "userId", l.kind, l.sealed, l.is_written AS "isWritten", l.attempts,
          l.expires_at AS "expiresAt"`,
      'letters-take',
    );
  }

  /** @returns false when the lease is over: another worker has the letter, or it was deleted with its account */
  async keepWritten({ id, attempts }: Turn, sealed: string): Promise<boolean> {
    const kept = await this.database.write(
      sql`UPDATE letters SET sealed = ${sealed}, is_written = true WHERE id = ${id} AND attempts = ${attempts}
        AND NOT is_written RETURNING id`,
    );
    return kept.length > 0;
  }

  /** @param due null: the letter is abandoned, and its content is erased */
  async putBack({ id, attempts }: Turn, due: Date | null): Promise<void> {
    await this.database.write(
      sql`UPDATE letters SET due_at = ${due}, sealed = CASE WHEN ${due}::timestamptz IS NULL THEN '' ELSE sealed END
        WHERE id = ${id} AND attempts = ${attempts}`,
    );
  }

  async remove({ id, attempts }: Turn): Promise<void> {
    await this.database.write(sql`DELETE FROM letters WHERE id = ${id} AND attempts = ${attempts}`);
  }

  /** Removes letters that expired before a time, sent or not. */
  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM letters WHERE expires_at < ${before}`);
  }
}
