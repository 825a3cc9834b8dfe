import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { recoveryCodeKey } from '../domain/recovery-codes.js';
import { type EnrolledFactors } from '../domain/second-factor.js';
import { type TotpFactor } from '../domain/totp.js';

/**
 * Authenticator apps and recovery codes of people. Writes need a unit of work in which the user is locked.
 */
@Injectable()
export class FactorRows {
  private readonly logger = new Logger('second factors');

  constructor(
    private readonly database: Database,
    private readonly secret: EncryptionKey,
  ) {}

  async enrolled(userId: string): Promise<EnrolledFactors> {
    const [row] = await this.database.read<EnrolledFactors>(
      sql`SELECT EXISTS (SELECT FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS totp,
        (SELECT count(*)::int FROM recovery_codes WHERE user_id = ${userId}) AS "recoveryCodes"`,
      'second-factors',
    );
    return row as EnrolledFactors;
  }

  /** Null without one, and where it was sealed with another ENCRYPTION_KEY: then no code of it is right. */
  async findTotp(userId: string): Promise<TotpFactor | null> {
    const [row] = await this.database.read<TotpFactor>(
      sql`SELECT secret, begun_at AS "begunAt", confirmed_at AS "confirmedAt", last_step AS "lastStep"
        FROM totp_factors WHERE user_id = ${userId}`,
    );
    const secret = row && this.unsealed(userId, row.secret);
    return row && secret ? { ...row, secret } : null;
  }

  /** Replaces an enrolment that was never confirmed. @returns false when a confirmed one exists */
  async beginTotp(
    userId: string,
    { secret, begunAt }: Pick<TotpFactor, 'secret' | 'begunAt'>,
  ): Promise<boolean> {
    const sealed = this.secret.seal(totpPurpose(userId), secret);
    const begun = await this.database.write(
      sql`INSERT INTO totp_factors AS t (user_id, secret, begun_at) VALUES (${userId}, ${sealed}, ${begunAt})
        ON CONFLICT (user_id) DO UPDATE SET secret = EXCLUDED.secret, begun_at = EXCLUDED.begun_at
        WHERE t.confirmed_at IS NULL RETURNING user_id`,
    );
    return begun.length > 0;
  }

  async confirmTotp(userId: string, { now, step }: { now: Date; step: number }): Promise<void> {
    await this.database.write(
      sql`UPDATE totp_factors SET confirmed_at = ${now}, last_step = ${step} WHERE user_id = ${userId}`,
    );
  }

  async acceptStep(userId: string, step: number): Promise<void> {
    await this.database.write(sql`UPDATE totp_factors SET last_step = ${step} WHERE user_id = ${userId}`);
  }

  /** Removes the authenticator app, and the recovery codes that stand in for it. */
  async removeAll(userId: string): Promise<void> {
    await this.database.write(sql`DELETE FROM totp_factors WHERE user_id = ${userId}`);
    await this.database.write(sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`);
  }

  /** Replaces all earlier ones. */
  async replaceRecoveryCodes(userId: string, codes: readonly string[], now: Date): Promise<void> {
    const digests = codes.map((code) => this.digestOf(userId, code));
    await this.database.write(sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`);
    await this.database.write(
      sql`INSERT INTO recovery_codes (user_id, digest, created_at)
        SELECT ${userId}, one, ${now} FROM unnest(${digests}::text[]) AS one`,
    );
  }

  /** @returns true if it was one of their codes; it is used up then */
  async takeRecoveryCode(userId: string, typed: string): Promise<boolean> {
    const taken = await this.database.write(
      sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND digest = ${this.digestOf(userId, typed)}
        RETURNING user_id`,
    );
    return taken.length > 0;
  }

  /** Deletes enrolments that were begun before the given time and never confirmed. */
  async forgetUnconfirmed(before: Date): Promise<void> {
    await this.database.write(
      sql`DELETE FROM totp_factors WHERE confirmed_at IS NULL AND begun_at < ${before}`,
    );
  }

  private unsealed(userId: string, sealed: string): string | null {
    try {
      return this.secret.unseal(totpPurpose(userId), sealed);
    } catch (error) {
      this.logger.error(
        { err: error },
        'the secret of an authenticator app was sealed with another ENCRYPTION_KEY',
      );
      return null;
    }
  }

  /** Keyed and for one account: the database alone does not allow trying codes. */
  private digestOf(userId: string, code: string): string {
    return this.secret.digest('recovery-code', `${userId} ${recoveryCodeKey(code)}`);
  }
}

/** A secret that is moved to another account cannot be opened there. */
const totpPurpose = (userId: string): string => `totp secret of ${userId}`;
