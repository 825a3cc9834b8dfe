import { Injectable } from '@nestjs/common';
import { type App, type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { isId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Authorization, type AuthorizationStatus } from '../domain/authorization.js';

/** An authorization with the current requests of its app. */
export interface KnownAuthorization {
  authorization: Authorization;
  requested: RequestedPermissions;
  /** The app's current name. */
  currentName: string;
  client: Pick<App, 'kind' | 'documentUrl' | 'redirectUris'>;
}

export interface AuthorizationFilter {
  status?: AuthorizationStatus | undefined;
  limit: number;
  offset: number;
}

interface Pair {
  ownerId: string;
  appId: string;
}

// The end of an app ends its authorizations (rule 1.5); the app's row states it.
const REVOKED_AT = sql.raw('COALESCE(a.revoked_at, app.deleted_at)');
const COLUMNS = sql`a.owner_id AS "ownerId", a.id, a.app_id AS "appId", a.exposure_profile_id AS "exposureProfileId",
  a.requested_permissions AS "requestedPermissions", a.created_at AS "createdAt", a.updated_at AS "updatedAt",
  a.expires_at AS "expiresAt", ${REVOKED_AT} AS "revokedAt", a.version, a.app_name AS "appName", a.purpose,
  a.is_chosen AS "isChosen",
  app.requested_permissions AS requested, app.name AS "currentName", app.kind, app.document_url AS "documentUrl",
  app.redirect_uris AS "redirectUris"`;
const livingOf = ({ ownerId, appId }: Pair): Sql =>
  sql`a.owner_id = ${ownerId} AND a.app_id = ${appId} AND ${REVOKED_AT} IS NULL`;
const TABLES = sql.raw('authorizations a JOIN apps app ON app.id = a.app_id');

/** Reads of authorizations for users and apps. */
@Injectable()
export class AuthorizationsQueries {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(ownerId: string, id: string): Promise<KnownAuthorization | null> {
    if (!isId(id)) return null;
    return this.one(sql`a.owner_id = ${ownerId} AND a.id = ${id}`);
  }

  /** Locks the authorization against changes until the unit ends. */
  async lock(ownerId: string, id: string): Promise<KnownAuthorization | null> {
    if (!isId(id)) return null;
    return this.one(sql`a.owner_id = ${ownerId} AND a.id = ${id}`, sql.raw(' FOR UPDATE OF a'));
  }

  /** The living authorization of a pair of user and app: not revoked, perhaps expired. */
  async findLiving(pair: Pair): Promise<KnownAuthorization | null> {
    return this.one(livingOf(pair), sql.empty, 'authorization-living');
  }

  /** The same, locked until the unit ends. */
  async lockLiving(pair: Pair): Promise<KnownAuthorization | null> {
    return this.one(livingOf(pair), sql.raw(' FOR UPDATE OF a'));
  }

  /**
   * True if others see something through the profile, or will without a new choice of profile (rule 1.16e): an
   * expired authorization is renewed with it, a pending invitation makes a member with it, and an invitation of
   * a former member takes up the last one.
   */
  async isInUse(ownerId: string, profileId: string): Promise<boolean> {
    const through = sql`a.owner_id = ${ownerId} AND a.exposure_profile_id = ${profileId}`;
    const left = sql.raw(`entity = 'group_member' AND action = 'deleted'`);
    const [row] = await this.database.read<{ used: boolean }>(
      sql`SELECT EXISTS (SELECT FROM ${TABLES} WHERE ${through} AND ${REVOKED_AT} IS NULL)
        OR EXISTS (SELECT FROM group_members AS a WHERE ${through})
        OR EXISTS (SELECT FROM group_invitations AS a WHERE ${through} AND a.status = 'pending')
        OR EXISTS (SELECT FROM group_shares AS a WHERE ${through})
        OR EXISTS (SELECT FROM (SELECT DISTINCT ON (entity_id) snapshot FROM changes
            WHERE owner_id = ${ownerId} AND ${left} ORDER BY entity_id, sequence DESC) AS last
          WHERE last.snapshot ->> 'exposure_profile_id' = ${profileId}::text) AS used`,
      'profile-in-use',
    );
    return row?.used ?? false;
  }

  /** The authorizations of a profile, locked until the unit ends, in the order of their ids. */
  async lockOfProfile(ownerId: string, profileId: string): Promise<KnownAuthorization[]> {
    const where = sql`a.owner_id = ${ownerId} AND a.exposure_profile_id = ${profileId}`;
    return this.rows(sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${where} ORDER BY a.id FOR UPDATE OF a`);
  }

  /** A user's authorizations, newest first. */
  listOf(
    ownerId: string,
    filter: AuthorizationFilter,
  ): Promise<{ authorizations: KnownAuthorization[]; total: number }> {
    return this.list(sql`a.owner_id = ${ownerId}`, filter);
  }

  /** An app's authorizations, newest first; with an id that one only. */
  listOfApp(
    appId: string,
    { only, ...filter }: AuthorizationFilter & { only: string | null },
  ): Promise<{ authorizations: KnownAuthorization[]; total: number }> {
    const one = only === null ? sql.empty : sql` AND a.id = ${only}`;
    return this.list(sql`a.app_id = ${appId}${one}`, filter);
  }

  /** Users who currently authorize the app; at most `limit` of them. */
  async activeUsers(appId: string, limit: number): Promise<string[]> {
    const rows = await this.database.read<{ ownerId: string }>(
      sql`SELECT a.owner_id AS "ownerId" FROM ${TABLES} WHERE a.app_id = ${appId} AND ${this.hasStatus('active')} LIMIT ${limit}`,
    );
    return rows.map(({ ownerId }) => ownerId);
  }

  /** The apps of a list that somebody has authorized, if only once. */
  async authorizedOf(appIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT app.id FROM unnest(${appIds}::uuid[]) AS app (id)
        WHERE EXISTS (SELECT FROM authorizations a WHERE a.app_id = app.id)`,
      'authorized-apps',
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async list(of: Sql, { status, limit, offset }: AuthorizationFilter) {
    const where = status === undefined ? of : sql`${of} AND ${this.hasStatus(status)}`;
    const page = sql`ORDER BY a.created_at DESC, a.id DESC LIMIT ${limit} OFFSET ${offset}`;
    const authorizations = await this.rows(sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${where} ${page}`);
    const [count] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM ${TABLES} WHERE ${where}`,
    );
    return { authorizations, total: count?.total ?? 0 };
  }

  /** The same condition as `statusOf`, for a whole list. */
  private hasStatus(status: AuthorizationStatus): Sql {
    if (status === 'revoked') return sql`${REVOKED_AT} IS NOT NULL`;
    const isOver = sql`(a.expires_at IS NOT NULL AND a.expires_at <= ${this.clock.now()})`;
    return status === 'expired'
      ? sql`${REVOKED_AT} IS NULL AND ${isOver}`
      : sql`${REVOKED_AT} IS NULL AND NOT ${isOver}`;
  }

  private async one(where: Sql, lock: Sql = sql.empty, name?: string): Promise<KnownAuthorization | null> {
    const [found] = await this.rows(sql`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${where}${lock}`, name);
    return found ?? null;
  }

  private async rows(statement: Sql, name?: string): Promise<KnownAuthorization[]> {
    const rows = await this.database.read<
      Authorization & { requested: unknown; currentName: string } & KnownAuthorization['client']
    >(statement, name);
    return rows.map(({ requested, currentName, kind, documentUrl, redirectUris, ...row }) => {
      const approved = requestedPermissionsFrom(row.requestedPermissions);
      return {
        client: { kind, documentUrl, redirectUris },
        authorization: { ...row, requestedPermissions: approved },
        // Apps without a developer request in each consent.
        requested: kind === 'registered' ? requestedPermissionsFrom(requested) : approved,
        currentName,
      };
    });
  }
}
