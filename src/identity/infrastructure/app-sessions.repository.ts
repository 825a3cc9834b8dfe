import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type AppSession, type Audience, type SessionEnd } from '../domain/app-session.js';
import { type Scope } from '../domain/scopes.js';
import { type AppTokenKind } from '../domain/token-text.js';

export interface AppToken {
  ownerId: string;
  digest: string;
  sessionId: string;
  kind: AppTokenKind;
  scopes: Scope[];
  audience: Audience;
  createdAt: Date;
  expiresAt: Date;
  spentAt: Date | null;
}

/** The most tokens of a kind in a session, and the most spent ones; a burst of refreshes may add more for a while. */
const MOST_TOKENS = 50;
const SESSION =
  sql.raw(`s.owner_id AS "ownerId", s.id, s.app_id AS "appId", s.authorization_id AS "authorizationId",
  s.device, s.scopes, s.audience, s.is_confidential AS "isConfidential", s.has_details AS "hasDetails",
  s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt", s.ended_at AS "endedAt", s.end_reason AS "endReason"`);
const TOKEN =
  sql.raw(`t.owner_id AS "ownerId", t.digest, t.session_id AS "sessionId", t.kind, t.scopes, t.audience,
  t.created_at AS "createdAt", t.expires_at AS "expiresAt", t.spent_at AS "spentAt"`);

type Named = Pick<AppSession, 'ownerId' | 'id'>;

/** A part of the sessions of an authorization. */
export interface SessionsFilter extends Pick<AppSession, 'ownerId' | 'authorizationId'> {
  isEnded: boolean;
  /** Sessions that were last issued tokens at this time or before have none left, and count as ended. */
  idleSince: Date;
}

const living = (idleSince: Date): Sql => sql`(s.ended_at IS NULL AND s.last_used_at > ${idleSince})`;

/** Sessions of apps and their tokens, as stored. Whatever writes needs a unit of work. */
@Injectable()
export class AppSessionRows {
  constructor(private readonly database: Database) {}

  async insert(session: AppSession): Promise<void> {
    const { ownerId, id, appId, authorizationId, device, scopes, audience, isConfidential, hasDetails } =
      session;
    await this.database.write(
      sql`INSERT INTO app_sessions (owner_id, id, app_id, authorization_id, device, scopes, audience, is_confidential,
          has_details, created_at, last_used_at)
        VALUES (${ownerId}, ${id}, ${appId}, ${authorizationId}, ${device}, ${scopes}, ${audience}, ${isConfidential},
          ${hasDetails}, ${session.createdAt}, ${session.lastUsedAt})`,
    );
  }

  async find({ ownerId, id }: Named): Promise<AppSession | null> {
    const [row] = await this.database.read<AppSession>(
      sql`SELECT ${SESSION} FROM app_sessions s WHERE s.owner_id = ${ownerId} AND s.id = ${id}`,
    );
    return row ?? null;
  }

  /** The session, locked until the unit ends: refreshes and ends of one session come one after the other. */
  async lock({ ownerId, id }: Named): Promise<AppSession | null> {
    const [row] = await this.database.write<AppSession>(
      sql`SELECT ${SESSION} FROM app_sessions s WHERE s.owner_id = ${ownerId} AND s.id = ${id} FOR UPDATE`,
    );
    return row ?? null;
  }

  async touch({ ownerId, id }: Named, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE app_sessions SET last_used_at = ${now} WHERE owner_id = ${ownerId} AND id = ${id}`,
    );
  }

  /** Ends the matching sessions. @returns the ones that were living */
  async end(where: Sql, reason: SessionEnd, now: Date): Promise<Named[]> {
    return this.database.write<Named>(
      sql`UPDATE app_sessions AS s SET ended_at = ${now}, end_reason = ${reason}
        WHERE s.ended_at IS NULL AND ${where} RETURNING s.owner_id AS "ownerId", s.id`,
    );
  }

  /** Sessions of an authorization, the last ended or used first, and their number. */
  async listOf(
    { ownerId, authorizationId, isEnded, idleSince }: SessionsFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ sessions: AppSession[]; total: number }> {
    const where = sql`s.owner_id = ${ownerId} AND s.authorization_id = ${authorizationId}
      AND ${living(idleSince)} = ${!isEnded}`;
    const sessions = await this.database.read<AppSession>(
      sql`SELECT ${SESSION} FROM app_sessions s WHERE ${where}
        ORDER BY coalesce(s.ended_at, s.last_used_at) DESC, s.id LIMIT ${limit} OFFSET ${offset}`,
    );
    const [counted] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM app_sessions s WHERE ${where}`,
    );
    return { sessions, total: counted?.total ?? 0 };
  }

  /** The numbers of living sessions, by authorization; none for those without any. */
  async countsOf(
    ownerId: string,
    authorizationIds: readonly string[],
    idleSince: Date,
  ): Promise<Map<string, number>> {
    const rows = await this.database.read<{ id: string; total: number }>(
      sql`SELECT s.authorization_id AS id, count(*) AS total FROM app_sessions s
        WHERE s.owner_id = ${ownerId} AND s.authorization_id = ANY(${authorizationIds}::uuid[]) AND ${living(idleSince)}
        GROUP BY s.authorization_id`,
      'app-sessions-counted',
    );
    return new Map(rows.map(({ id, total }) => [id, total]));
  }

  async insertToken(token: AppToken): Promise<void> {
    const { ownerId, digest, sessionId, kind, scopes, audience, createdAt, expiresAt } = token;
    await this.database.write(
      sql`INSERT INTO app_tokens (owner_id, digest, session_id, kind, scopes, audience, created_at, expires_at)
        VALUES (${ownerId}, ${digest}, ${sessionId}, ${kind}, ${scopes}, ${audience}, ${createdAt}, ${expiresAt})`,
    );
  }

  async findToken(digest: string): Promise<AppToken | null> {
    const [row] = await this.database.read<AppToken>(
      sql`SELECT ${TOKEN} FROM app_tokens t WHERE t.digest = ${digest}`,
      'app-token',
    );
    return row ?? null;
  }

  async spend({ ownerId, digest }: AppToken, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE app_tokens SET spent_at = ${now} WHERE owner_id = ${ownerId} AND digest = ${digest} AND spent_at IS NULL`,
    );
  }

  async deleteToken({ ownerId, digest }: Pick<AppToken, 'ownerId' | 'digest'>): Promise<void> {
    await this.database.write(sql`DELETE FROM app_tokens WHERE owner_id = ${ownerId} AND digest = ${digest}`);
  }

  /**
   * Deletes the oldest tokens beyond the bound, of each kind and apart those that are spent, but none that was issued since
   * the given time. @returns true if an access token was among them
   */
  async trim({ ownerId, id }: Named, since: Date): Promise<boolean> {
    const deleted = await this.database.write<{ kind: AppTokenKind }>(
      sql`DELETE FROM app_tokens WHERE owner_id = ${ownerId} AND digest IN (
          SELECT digest FROM (
            SELECT digest, created_at,
              row_number() OVER (PARTITION BY kind, spent_at IS NULL ORDER BY created_at DESC, digest) AS place
            FROM app_tokens WHERE owner_id = ${ownerId} AND session_id = ${id}) AS one
          WHERE place > ${MOST_TOKENS} AND created_at < ${since})
        RETURNING kind`,
    );
    return deleted.some(({ kind }) => kind === 'access');
  }

  /** Ends the sessions without a token left, and deletes tokens that have expired and sessions that ended long ago. */
  async forget({ now, idleMs, before }: { now: Date; idleMs: number; before: Date }): Promise<void> {
    await this.database.write(sql`DELETE FROM app_tokens WHERE expires_at < ${now}`);
    await this.database.write(
      sql`UPDATE app_sessions SET end_reason = ${'unused' satisfies SessionEnd},
          ended_at = last_used_at + make_interval(secs => ${idleMs / 1000})
        WHERE ended_at IS NULL AND last_used_at <= ${new Date(now.getTime() - idleMs)}`,
    );
    await this.database.write(sql`DELETE FROM app_sessions WHERE ended_at < ${before}`);
  }
}
