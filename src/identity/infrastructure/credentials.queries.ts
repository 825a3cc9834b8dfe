import { Injectable } from '@nestjs/common';
import { type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type ApiKey } from '../domain/api-key.js';
import { type App } from '../domain/app.js';
import { type AppSession } from '../domain/app-session.js';
import { type LogInClaims } from '../domain/log-in.js';
import { requestedPermissionsFrom } from '../domain/requested-permissions.js';
import { type User } from '../domain/user.js';
import { ACCESS_LIFETIME_SECONDS } from './access-tokens.js';

/** A key and its app, and the app's counters when both were read. */
export interface KeyCredentials {
  key: Pick<ApiKey, 'id' | 'userId' | 'authorizationId' | 'expiresAt'>;
  app: App;
  stamp: CounterValues;
}

/** An access token, its session and its app, and the counters of its owner when they were read. */
export interface TokenCredentials extends Pick<AppSession, 'ownerId' | 'scopes' | 'audience'> {
  /** The facts of a key; its id is that of the session. */
  key: { id: string; userId: string; authorizationId: string; expiresAt: Date };
  app: App;
  stamp: CounterValues;
  /** The policy counter of the app. */
  appPolicy: number;
}

export interface UserCredentials {
  user: User;
  /** The account's generation: access tokens of a lower one are older than the last new password. */
  generation: number;
  /** Log-ins that ended so recently that their access tokens may not have expired yet. */
  ended: ReadonlySet<string>;
  stamp: CounterValues;
}

/** True if the log-in that an access token or a link names has not ended. */
export const isLiving = (
  { id, generation }: Pick<LogInClaims, 'id' | 'generation'>,
  known: Pick<UserCredentials, 'generation' | 'ended'>,
): boolean => generation === known.generation && !known.ended.has(id);

type KeyRow = Omit<App, 'requestedPermissions'> & {
  requestedPermissions: unknown;
  keyId: string;
  keyUserId: string | null;
  authorizationId: string | null;
  keyExpiresAt: Date | null;
} & CounterValues;

type TokenRow = Omit<App, 'requestedPermissions'> & {
  requestedPermissions: unknown;
  sessionId: string;
  personId: string;
  authorizationId: string;
  tokenExpiresAt: Date;
  appPolicy: number;
} & Pick<AppSession, 'scopes' | 'audience'> &
  CounterValues;

const APP = sql.raw(`a.id, a.owner_id AS "ownerId", a.name, a.description, a.homepage_url AS "homepageUrl",
  a.redirect_uris AS "redirectUris", a.client_level AS "clientLevel", a.requested_permissions AS "requestedPermissions",
  a.tier, a.is_active AS "isActive", a.kind, a.document_url AS "documentUrl", a.created_at AS "createdAt",
  a.updated_at AS "updatedAt"`);

/** Twice the life of an access token: clocks of several processes need not agree to the second. */
export const ENDED_FOR_MS = 2 * ACCESS_LIFETIME_SECONDS * 1000;

/**
 * The facts that the guard needs, each read by one indexed statement together with the counter that shows
 * when it is stale.
 */
@Injectable()
export class CredentialQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Null for keys that are unknown or revoked, and when the app is deleted. Expiry is left to the caller's
   * clock.
   */
  findKey(hash: string): Promise<KeyCredentials | null> {
    return this.key(sql`k.key_hash = ${hash}`);
  }

  /** The same for a key that was seen before. */
  findKeyById({ appId, keyId }: { appId: string; keyId: string }): Promise<KeyCredentials | null> {
    return this.key(sql`k.app_id = ${appId} AND k.id = ${keyId}`);
  }

  private async key(isMeant: Sql): Promise<KeyCredentials | null> {
    const [row] = await this.database.read<KeyRow>(
      sql`SELECT k.id AS "keyId", k.user_id AS "keyUserId", k.authorization_id AS "authorizationId",
          k.expires_at AS "keyExpiresAt", ${APP}, coalesce(s.changes, 0) AS changes, coalesce(s.policy, 0) AS policy
        FROM api_keys k JOIN apps a ON a.id = k.app_id LEFT JOIN sequences s ON s.id = a.id
        WHERE ${isMeant} AND k.revoked_at IS NULL AND a.deleted_at IS NULL`,
      'credential-key',
    );
    if (!row) return null;
    const { keyId, keyUserId, authorizationId, keyExpiresAt, changes, policy, requestedPermissions, ...app } =
      row;
    return {
      key: { id: keyId, userId: keyUserId, authorizationId, expiresAt: keyExpiresAt },
      app: { ...app, requestedPermissions: requestedPermissionsFrom(requestedPermissions) },
      stamp: { changes, policy },
    };
  }

  /** Null for tokens that are unknown or revoked, whose session ended or app is deleted. Expiry is left to the caller's clock. */
  async findToken(digest: string): Promise<TokenCredentials | null> {
    const [row] = await this.database.read<TokenRow>(
      sql`SELECT s.id AS "sessionId", s.owner_id AS "personId", s.authorization_id AS "authorizationId",
          t.audience, t.scopes, t.expires_at AS "tokenExpiresAt", ${APP}, coalesce(c.changes, 0) AS changes,
          coalesce(c.policy, 0) AS policy, coalesce(p.policy, 0) AS "appPolicy"
        FROM app_tokens t JOIN app_sessions s ON s.owner_id = t.owner_id AND s.id = t.session_id
        JOIN apps a ON a.id = s.app_id LEFT JOIN sequences c ON c.id = s.owner_id LEFT JOIN sequences p ON p.id = a.id
        WHERE t.digest = ${digest} AND t.kind = 'access' AND s.ended_at IS NULL AND a.deleted_at IS NULL`,
      'credential-token',
    );
    if (!row) return null;
    const { sessionId, personId, authorizationId, tokenExpiresAt, appPolicy, scopes, audience, ...rest } =
      row;
    const { changes, policy, requestedPermissions, ...app } = rest;
    return {
      ownerId: personId,
      key: { id: sessionId, userId: personId, authorizationId, expiresAt: tokenExpiresAt },
      app: { ...app, requestedPermissions: requestedPermissionsFrom(requestedPermissions) },
      scopes,
      audience,
      stamp: { changes, policy },
      appPolicy,
    };
  }

  async findUser(id: string): Promise<UserCredentials | null> {
    const since = new Date(this.clock.now().getTime() - ENDED_FOR_MS);
    const [row] = await this.database.read<User & CounterValues & { generation: number; ended: string[] }>(
      sql`SELECT u.id, u.email, u.email_verified_at AS "emailVerifiedAt", u.username, u.is_public AS "isPublic", u.tier, u.created_at AS "createdAt",
          u.updated_at AS "updatedAt", u.token_generation AS generation,
          ARRAY(SELECT l.id::text FROM log_ins l WHERE l.user_id = u.id AND l.ended_at > ${since}
            AND l.generation = u.token_generation) AS ended,
          coalesce(s.changes, 0) AS changes, coalesce(s.policy, 0) AS policy
        FROM users u LEFT JOIN sequences s ON s.id = u.id WHERE u.id = ${id}`,
      'credential-user',
    );
    if (!row) return null;
    const { changes, policy, generation, ended, ...user } = row;
    return { user, generation, ended: new Set(ended), stamp: { changes, policy } };
  }
}
