import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type MailPurpose, type MailToken } from '../domain/mail-token.js';

/** Tokens of links in letters, found by their hash. Everything but `find` needs a unit of work with the user locked. */
@Injectable()
export class MailTokens {
  constructor(private readonly database: Database) {}

  async find(tokenHash: string): Promise<MailToken | null> {
    const [row] = await this.database.read<MailToken>(
      sql`SELECT user_id AS "userId", id, purpose, token_hash AS "tokenHash", email, reserved_key AS "reservedKey",
          created_at AS "createdAt", expires_at AS "expiresAt" FROM mail_tokens WHERE token_hash = ${tokenHash}`,
      'mail-token',
    );
    return row ?? null;
  }

  async insert(token: MailToken): Promise<void> {
    const { userId, id, purpose, tokenHash, email, reservedKey, createdAt, expiresAt } = token;
    await this.database.write(
      sql`INSERT INTO mail_tokens (user_id, id, purpose, token_hash, email, reserved_key, created_at, expires_at)
        VALUES (${userId}, ${id}, ${purpose}, ${tokenHash}, ${email}, ${reservedKey}, ${createdAt}, ${expiresAt})`,
    );
  }

  /**
   * True if another account can return to the address, by one of its keys. Sees rows that were committed
   * before this statement began.
   */
  async isReserved(
    keys: readonly string[],
    { exceptFor, now }: { exceptFor: string; now: Date },
  ): Promise<boolean> {
    const found = await this.database.write(
      sql`SELECT FROM mail_tokens WHERE reserved_key = ANY(${[...keys]}::text[]) AND user_id <> ${exceptFor} AND expires_at > ${now}`,
    );
    return found.length > 0;
  }

  /** Ends the links of that purpose that were made with this one or after it. */
  async endSince({ userId, purpose, createdAt }: MailToken): Promise<void> {
    await this.database.write(
      sql`DELETE FROM mail_tokens WHERE user_id = ${userId} AND purpose = ${purpose} AND created_at >= ${createdAt}`,
    );
  }

  async end({ userId, id }: MailToken): Promise<void> {
    await this.database.write(sql`DELETE FROM mail_tokens WHERE user_id = ${userId} AND id = ${id}`);
  }

  async endAllOf(userId: string, purposes: readonly MailPurpose[]): Promise<void> {
    await this.database.write(
      sql`DELETE FROM mail_tokens WHERE user_id = ${userId} AND purpose = ANY(${[...purposes]}::text[])`,
    );
  }

  /** Deletes tokens that expired before the given time. */
  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM mail_tokens WHERE expires_at < ${before}`);
  }
}
