import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type Challenge, CHALLENGE_TRIES } from '../domain/challenge.js';
import { type PasskeyChallenge } from '../domain/passkey.js';

/** The most open challenges for passkeys of one log-in. */
const MAX_COUNTED = 100;

/** The number of expired challenges that each spent one takes away, so that they cannot accumulate. */
const FORGOTTEN_AT_ONCE = 10;

/** Challenges, found by the hash of their text. Everything but `has` needs a unit of work. */
@Injectable()
export class ChallengeRows {
  constructor(private readonly database: Database) {}

  async insert(challenge: Challenge | PasskeyChallenge): Promise<void> {
    const { digest, userId, purpose, logInId, generation, countedAs, expiresAt } = challenge;
    await this.database.write(
      sql`INSERT INTO challenges (digest, user_id, purpose, log_in_id, generation, counted_as, expires_at)
        VALUES (${digest}, ${userId}, ${purpose}, ${logInId}, ${generation}, ${countedAs}, ${expiresAt})`,
    );
  }

  /** Takes one of its tries. Null when there is no such living challenge, or no try is left. */
  async takeTry(
    { digest, purpose }: Pick<Challenge, 'digest' | 'purpose'>,
    now: Date,
  ): Promise<Challenge | null> {
    const [row] = await this.database.write<Challenge>(
      sql`UPDATE challenges SET tries = tries + 1
        WHERE digest = ${digest} AND purpose = ${purpose} AND expires_at > ${now} AND tries < ${CHALLENGE_TRIES}
        RETURNING digest, user_id AS "userId", purpose, log_in_id AS "logInId", generation,
          counted_as AS "countedAs", expires_at AS "expiresAt"`,
    );
    return row ?? null;
  }

  /** True for a living challenge with a try left, which stays. */
  async has({ digest, purpose }: Pick<Challenge, 'digest' | 'purpose'>, now: Date): Promise<boolean> {
    const found = await this.database.read(
      sql`SELECT digest FROM challenges
        WHERE digest = ${digest} AND purpose = ${purpose} AND expires_at > ${now} AND tries < ${CHALLENGE_TRIES}`,
    );
    return found.length > 0;
  }

  /** @returns false when it was spent before */
  async spend({ digest }: Pick<Challenge, 'digest'>): Promise<boolean> {
    const spent = await this.database.write(
      sql`DELETE FROM challenges WHERE digest = ${digest} RETURNING digest`,
    );
    return spent.length > 0;
  }

  /**
   * Takes a challenge for a passkey away: any answer, right or wrong, uses it up. Null when there is no such
   * living challenge.
   */
  async takeWhole(
    { digest, purpose }: Pick<PasskeyChallenge, 'digest' | 'purpose'>,
    now: Date,
  ): Promise<PasskeyChallenge | null> {
    const [row] = await this.database.write<PasskeyChallenge>(
      sql`DELETE FROM challenges WHERE digest = ${digest} AND purpose = ${purpose} AND expires_at > ${now}
        RETURNING digest, user_id AS "userId", purpose, log_in_id AS "logInId", generation,
          counted_as AS "countedAs", expires_at AS "expiresAt"`,
    );
    return row ?? null;
  }

  /**
   * Records the answer to a challenge that was not stored before. @returns false when it was answered already
   */
  async spendOnce(
    { digest, expiresAt }: Pick<Challenge, 'digest' | 'expiresAt'>,
    now: Date,
  ): Promise<boolean> {
    await this.database.write(
      sql`DELETE FROM challenges WHERE digest IN (SELECT digest FROM challenges
        WHERE user_id IS NULL AND expires_at < ${now} ORDER BY expires_at LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
    );
    const spent = await this.database.write(
      sql`INSERT INTO challenges (digest, purpose, counted_as, expires_at)
        VALUES (${digest}, 'passkey log-in', '', ${expiresAt}) ON CONFLICT (digest) DO NOTHING RETURNING digest`,
    );
    return spent.length > 0;
  }

  /** Ends the oldest challenges for passkeys beyond the bound: they cost a caller nothing. */
  async endSurplus({ countedAs, purpose }: Pick<PasskeyChallenge, 'countedAs' | 'purpose'>): Promise<void> {
    await this.database.write(
      sql`DELETE FROM challenges WHERE digest IN (SELECT digest FROM challenges
        WHERE counted_as = ${countedAs} AND purpose = ${purpose} ORDER BY expires_at DESC OFFSET ${MAX_COUNTED})`,
    );
  }

  /** Deletes challenges that expired before the given time. */
  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM challenges WHERE expires_at < ${before}`);
  }
}
