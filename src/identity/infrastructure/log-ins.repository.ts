import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { KEPT_ENDED, type LogIn, MOST_LOG_INS } from '../domain/log-in.js';
import { ENDED_FOR_MS } from './credentials.queries.js';
import { LogInEntity } from './entities.js';

type Named = Pick<LogIn, 'userId' | 'id'>;

/** Log-ins of people. Everything that writes needs a unit of work in which the user is locked. */
@Injectable()
export class LogInRows {
  constructor(private readonly database: Database) {}

  async find({ userId, id }: Named): Promise<LogIn | null> {
    return (await this.database.repository(LogInEntity)).findOneBy({ userId, id });
  }

  /** The log-ins that are still valid, the last used first. */
  async livingOf(userId: string, now: Date): Promise<LogIn[]> {
    return (await this.database.repository(LogInEntity))
      .createQueryBuilder('one')
      .where('one.userId = :userId AND one.endedAt IS NULL AND one.expiresAt > :now', { userId, now })
      .orderBy({ 'one.lastUsedAt': 'DESC', 'one.id': 'ASC' })
      .getMany();
  }

  async insert(logIn: LogIn): Promise<void> {
    await (await this.database.repository(LogInEntity)).insert(logIn);
  }

  async update({ userId, id }: Named, changes: Partial<LogIn>): Promise<void> {
    await (await this.database.repository(LogInEntity)).update({ userId, id }, changes);
  }

  /**
   * Adds to the count atomically: concurrent requests see each other's additions. The user need not be
   * locked. @returns false beyond the limit
   */
  async addSingles(
    { userId, id }: Named,
    { count, limit }: { count: number; limit: number },
  ): Promise<boolean> {
    const counted = await this.database.write(
      sql`UPDATE log_ins SET singles_given = singles_given + ${count}
        WHERE user_id = ${userId} AND id = ${id} AND ended_at IS NULL AND singles_given + ${count} <= ${limit}
        RETURNING id`,
    );
    return counted.length > 0;
  }

  /** @returns true if it was living */
  async end({ userId, id }: Named, now: Date): Promise<boolean> {
    await this.database.write(
      sql`UPDATE refresh_tokens SET ended_at = ${now} WHERE user_id = ${userId} AND family_id = ${id} AND ended_at IS NULL`,
    );
    const ended = await this.database.write(
      sql`UPDATE log_ins SET ended_at = ${now}
        WHERE user_id = ${userId} AND id = ${id} AND ended_at IS NULL AND expires_at > ${now} RETURNING id`,
    );
    return ended.length > 0;
  }

  /** Ends the least recently used log-ins beyond the bound, but not this one. @returns true if there were any */
  async endBeyond({ userId, id }: Named, now: Date): Promise<boolean> {
    const ended = await this.database.write<{ id: string }>(
      sql`UPDATE log_ins SET ended_at = ${now} WHERE user_id = ${userId} AND id IN (
          SELECT id FROM log_ins
          WHERE user_id = ${userId} AND id <> ${id} AND ended_at IS NULL AND expires_at > ${now}
          ORDER BY last_used_at DESC, id OFFSET ${MOST_LOG_INS - 1})
        RETURNING id`,
    );
    if (ended.length === 0) return false;
    const families = ended.map((one) => one.id);
    await this.database.write(
      sql`UPDATE refresh_tokens SET ended_at = ${now}
        WHERE user_id = ${userId} AND family_id = ANY(${families}::uuid[]) AND ended_at IS NULL`,
    );
    return true;
  }

  /** Deletes ended log-ins beyond the bound, with their tokens, once no access token of theirs is left. */
  async forgetBeyond(userId: string, now: Date): Promise<void> {
    const since = new Date(now.getTime() - ENDED_FOR_MS);
    const forgotten = await this.database.write<{ id: string }>(
      sql`DELETE FROM log_ins WHERE user_id = ${userId} AND ended_at <= ${since} AND id IN (
          SELECT id FROM log_ins WHERE user_id = ${userId} AND ended_at IS NOT NULL
          ORDER BY ended_at DESC, id OFFSET ${KEPT_ENDED})
        RETURNING id`,
    );
    if (forgotten.length === 0) return;
    const families = forgotten.map((one) => one.id);
    await this.database.write(
      sql`DELETE FROM refresh_tokens WHERE user_id = ${userId} AND family_id = ANY(${families}::uuid[])`,
    );
  }

  /** All log-ins of the user but this one. */
  async endOthersOf({ userId, id }: Named, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE refresh_tokens SET ended_at = ${now}
        WHERE user_id = ${userId} AND family_id <> ${id} AND ended_at IS NULL`,
    );
    await this.database.write(
      sql`UPDATE log_ins SET ended_at = ${now} WHERE user_id = ${userId} AND id <> ${id} AND ended_at IS NULL`,
    );
  }

  /**
   * Ends all log-ins of a user; access tokens with the account's earlier generation are invalid from now on.
   */
  async endAllOf(userId: string, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE refresh_tokens SET ended_at = ${now} WHERE user_id = ${userId} AND ended_at IS NULL`,
    );
    await this.database.write(
      sql`UPDATE log_ins SET ended_at = ${now} WHERE user_id = ${userId} AND ended_at IS NULL`,
    );
    await this.database.write(
      sql`UPDATE users SET token_generation = token_generation + 1 WHERE id = ${userId}`,
    );
  }

  /** Deletes log-ins that ended before the given time. */
  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM log_ins WHERE expires_at < ${before}`);
  }
}
