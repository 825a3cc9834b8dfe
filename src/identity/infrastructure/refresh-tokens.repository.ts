import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { requestContext } from '../../kernel/request-context.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import {
  type Family,
  familyIn,
  newRefreshText,
  type RefreshToken,
  successorOf,
} from '../domain/refresh-token.js';
import { RefreshTokenEntity } from './entities.js';

/** The state of a locked account's credentials. */
export interface LockedUser {
  passwordHash: string;
  generation: number;
}

/** Refresh tokens, found by the hash of their text. Everything but `find` needs a unit of work. */
@Injectable()
export class RefreshTokens {
  private readonly sign: (text: string) => string;

  constructor(
    private readonly database: Database,
    key: EncryptionKey,
  ) {
    this.sign = (text) => key.digest('refresh-token', text);
  }

  /** A new secret for a log-in. */
  newText(family: Family): string {
    return newRefreshText(family, this.sign);
  }

  /** The secret that follows this one in a cookie, always the same. */
  successorOf(text: string, family: Family): string {
    return successorOf(text, family, this.sign);
  }

  /** The log-in that a text of this service names by itself, also when it is spent and has no row. */
  familyIn(text: string): Family | null {
    return familyIn(text, this.sign);
  }

  async find(tokenHash: string): Promise<RefreshToken | null> {
    return (await this.database.repository(RefreshTokenEntity)).findOneBy({ tokenHash });
  }

  /**
   * Serializes all changes of one user's tokens or password until the unit ends. Without it a token made by a
   * running refresh would survive the end of its family or a new password. A request without credentials, such as a
   * log-in, then writes in places of that account: those who wait for one account must not take all connections.
   * @returns null when the user does not exist
   */
  async lockUser(userId: string): Promise<LockedUser | null> {
    requestContext.current().account = userId;
    const [row] = await this.database.write<LockedUser>(
      sql`SELECT password_hash AS "passwordHash", token_generation AS generation
        FROM users WHERE id = ${userId} FOR NO KEY UPDATE`,
    );
    return row ?? null;
  }

  async insert(token: RefreshToken): Promise<void> {
    await (await this.database.repository(RefreshTokenEntity)).insert(token);
  }

  /** Deletes a token that is used. Only the row of one in the earlier form stays: nothing else shows that it comes back. */
  async spend({ userId, id }: RefreshToken, text: string, now: Date): Promise<void> {
    const rows = await this.database.repository(RefreshTokenEntity);
    if (this.familyIn(text)) await rows.delete({ userId, id });
    else await rows.update({ userId, id }, { spentAt: now });
  }

  /** Deletes tokens that expired before the given time. */
  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM refresh_tokens WHERE expires_at < ${before}`);
  }
}
