import { Injectable } from '@nestjs/common';
import { type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type GrantingProfile } from '../domain/granted.js';

/** An authorized app, as far as its view of nodes needs it. */
export interface OnlookingApp extends GrantingProfile {
  appId: string;
  approved: RequestedPermissions;
  expiresAt: Date | null;
}

/** The profiles by which others read a graph. Read within the unit of work that is judged. */
@Injectable()
export class OnlookersQueries {
  constructor(private readonly database: Database) {}

  /**
   * The authorized apps with their approved permissions: an app may request fewer now, and all of them again
   * later.
   */
  async apps(ownerId: string): Promise<OnlookingApp[]> {
    const rows = await this.database.read<OnlookingApp>(
      sql`SELECT a.app_id AS "appId", a.requested_permissions AS approved, a.expires_at AS "expiresAt",
          p.is_active AS "isActive", p.rules
        FROM authorizations AS a
        JOIN exposure_profiles AS p ON p.owner_id = a.owner_id AND p.id = a.exposure_profile_id
        WHERE a.owner_id = ${ownerId} AND a.revoked_at IS NULL`,
      'onlookers-apps',
    );
    return rows.map((row) => ({ ...row, approved: requestedPermissionsFrom(row.approved) }));
  }

  /**
   * The profiles of a person through which groups are shown something, or of a group through which members
   * are.
   */
  groupProfiles(ownerId: string): Promise<GrantingProfile[]> {
    return this.database.read<GrantingProfile>(
      sql`SELECT p.is_active AS "isActive", p.rules FROM exposure_profiles AS p
        WHERE p.owner_id = ${ownerId} AND (
          EXISTS (SELECT FROM group_shares AS s WHERE s.owner_id = p.owner_id AND s.exposure_profile_id = p.id)
          OR EXISTS (SELECT FROM group_members AS m
            WHERE m.owner_id = p.owner_id AND m.exposure_profile_id = p.id AND m.role <> 'admin'))`,
      'onlookers-groups',
    );
  }
}
