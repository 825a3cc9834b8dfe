import { Injectable } from '@nestjs/common';
import { type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type GrantingProfile } from '../domain/profile-grants.js';
import { pagesById } from './pages-by-id.js';

/** An authorized app, as far as its view of nodes needs it. */
export interface OnlookingApp extends GrantingProfile {
  appId: string;
  profileId: string;
  approved: RequestedPermissions;
  expiresAt: Date | null;
}

interface Placed {
  id: string;
}

/** Rows of a page: a profile may hold 256 KiB of rules, and a request of an app about as much. */
const PAGE = 10;

/** The profiles by which others read a graph, in pages. Read within the unit of work that is judged. */
@Injectable()
export class OnlookersQueries {
  constructor(private readonly database: Database) {}

  /**
   * The authorized apps with their approved permissions: an app may request fewer now, and all of them again
   * later.
   */
  async *apps(ownerId: string): AsyncGenerator<OnlookingApp[]> {
    for await (const rows of pagesById(PAGE, (after) => this.appsAfter(ownerId, after)))
      yield rows.map((row) => ({ ...row, approved: requestedPermissionsFrom(row.approved) }));
  }

  /**
   * The profiles of a person through which groups are shown something, or of a group through which members
   * are, or will be once they accept an invitation.
   */
  groupProfiles(ownerId: string): AsyncGenerator<(GrantingProfile & Placed)[]> {
    return pagesById(PAGE, (after) => this.groupProfilesAfter(ownerId, after));
  }

  private appsAfter(ownerId: string, after: string): Promise<(OnlookingApp & Placed)[]> {
    return this.database.read<OnlookingApp & Placed>(
      sql`SELECT a.id, a.app_id AS "appId", a.requested_permissions AS approved, a.expires_at AS "expiresAt",
          p.id AS "profileId", p.is_active AS "isActive", p.rules
        FROM authorizations AS a
        JOIN exposure_profiles AS p ON p.owner_id = a.owner_id AND p.id = a.exposure_profile_id
        WHERE a.owner_id = ${ownerId} AND a.id > ${after} AND a.revoked_at IS NULL ORDER BY a.id LIMIT ${PAGE}`,
      'onlookers-apps',
    );
  }

  private groupProfilesAfter(ownerId: string, after: string): Promise<(GrantingProfile & Placed)[]> {
    return this.database.read<GrantingProfile & Placed>(
      sql`SELECT p.id, p.is_active AS "isActive", p.rules FROM exposure_profiles AS p
        WHERE p.owner_id = ${ownerId} AND p.id > ${after} AND (
          EXISTS (SELECT FROM group_shares AS s WHERE s.owner_id = p.owner_id AND s.exposure_profile_id = p.id)
          OR EXISTS (SELECT FROM group_members AS m
            WHERE m.owner_id = p.owner_id AND m.exposure_profile_id = p.id AND m.role <> 'admin')
          OR EXISTS (SELECT FROM group_invitations AS i WHERE i.owner_id = p.owner_id
            AND i.exposure_profile_id = p.id AND i.role <> 'admin' AND i.status = 'pending'))
        ORDER BY p.id LIMIT ${PAGE}`,
      'onlookers-groups',
    );
  }

  /**
   * The nodes among these that recipients of shares of everything or of single nodes can read, followers
   * included. Such shares show nothing more of a node when its tags, type or schema change.
   */
  async sharedWhole(ownerId: string, ids: readonly string[], now: Date): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.read<{ id: string }>(
      sql`WITH living AS (SELECT s.scope, s.node_ids FROM shares AS s
          WHERE s.owner_id = ${ownerId} AND s.graph_owner_id = ${ownerId} AND s.scope <> 'specific_tags'
            AND s.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > ${now}))
        SELECT n.id FROM unnest(${[...ids]}::uuid[]) AS n (id)
        WHERE EXISTS (SELECT FROM living WHERE scope = 'all' OR n.id = ANY(node_ids))`,
      'onlookers-shared-whole',
    );
    return new Set(rows.map(({ id }) => id));
  }
}
