import { Injectable } from '@nestjs/common';
import { type Audience, type Scope } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/** A code as it is stored: what it was issued for, and the session that it began. */
export interface Code {
  ownerId: string;
  digest: string;
  appId: string;
  authorizationId: string;
  redirectUri: string;
  challenge: string;
  scopes: Scope[];
  audience: Audience;
  /** The authorization_details as granted; null where the client sent none. */
  details: object[] | null;
  expiresAt: Date;
  sessionId: string | null;
}

const COLUMNS =
  sql.raw(`c.owner_id AS "ownerId", c.digest, c.app_id AS "appId", c.authorization_id AS "authorizationId",
  c.redirect_uri AS "redirectUri", c.challenge, c.scopes, c.audience, c.details, c.expires_at AS "expiresAt",
  c.session_id AS "sessionId"`);

/** Authorization codes, found by the hash of their text. Whatever writes needs a unit of work. */
@Injectable()
export class CodeRows {
  constructor(private readonly database: Database) {}

  async insert(code: Code): Promise<void> {
    const { ownerId, digest, appId, authorizationId, redirectUri, challenge, scopes, audience, expiresAt } =
      code;
    const details = code.details === null ? null : JSON.stringify(code.details);
    await this.database.write(
      sql`INSERT INTO oauth_codes (owner_id, digest, app_id, authorization_id, redirect_uri, challenge, scopes, audience,
          details, expires_at)
        VALUES (${ownerId}, ${digest}, ${appId}, ${authorizationId}, ${redirectUri}, ${challenge}, ${scopes}, ${audience},
          ${details}::jsonb, ${expiresAt})`,
    );
  }

  async find(digest: string): Promise<Code | null> {
    const [row] = await this.database.read<Code>(
      sql`SELECT ${COLUMNS} FROM oauth_codes c WHERE c.digest = ${digest}`,
      'oauth-code',
    );
    return row ?? null;
  }

  /** The code, locked until the unit ends: of two exchanges one comes first. */
  async lock({ ownerId, digest }: Pick<Code, 'ownerId' | 'digest'>): Promise<Code | null> {
    const [row] = await this.database.write<Code>(
      sql`SELECT ${COLUMNS} FROM oauth_codes c WHERE c.owner_id = ${ownerId} AND c.digest = ${digest} FOR UPDATE`,
    );
    return row ?? null;
  }

  async use({ ownerId, digest }: Pick<Code, 'ownerId' | 'digest'>, sessionId: string): Promise<void> {
    await this.database.write(
      sql`UPDATE oauth_codes SET session_id = ${sessionId} WHERE owner_id = ${ownerId} AND digest = ${digest}`,
    );
  }

  async forget(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM oauth_codes WHERE expires_at < ${before}`);
  }

  async deleteOf(ownerId: string): Promise<void> {
    await this.database.write(sql`DELETE FROM oauth_codes WHERE owner_id = ${ownerId}`);
  }
}
