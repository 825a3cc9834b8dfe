import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type ProfileRules } from '../../privacy/index.js';

/** The fields of a profile that permission decisions need. */
export interface StoredProfile {
  id: string;
  isActive: boolean;
  version: number;
  rules: ProfileRules;
}

export interface StoredSharer {
  userId: string;
  profile: StoredProfile;
}

type ProfileColumns = Omit<StoredProfile, 'id'> & { profileId: string };

/**
 * The rows that decide on access to a group's graph: the member's profile, and the sharing members with
 * their profiles. Read anew for each request.
 */
@Injectable()
export class GroupGraphsQueries {
  constructor(private readonly database: Database) {}

  async profile(ownerId: string, id: string): Promise<StoredProfile | null> {
    const [row] = await this.database.read<StoredProfile>(
      sql`SELECT id, is_active AS "isActive", version, rules FROM exposure_profiles WHERE owner_id = ${ownerId} AND id = ${id}`,
      'group-profile',
    );
    return row ?? null;
  }

  /** Members who share something with the group, in the order of their ids. */
  async sharers(groupId: string): Promise<StoredSharer[]> {
    const rows = await this.database.read<ProfileColumns & { userId: string }>(
      sql`SELECT s.owner_id AS "userId", p.id AS "profileId", p.is_active AS "isActive", p.version, p.rules
        FROM group_shares AS s
        JOIN group_members AS m ON m.owner_id = s.group_id AND m.user_id = s.owner_id
        JOIN exposure_profiles AS p ON p.owner_id = s.owner_id AND p.id = s.exposure_profile_id
        WHERE s.group_id = ${groupId} ORDER BY s.owner_id`,
      'group-sharers',
    );
    return rows.map(({ userId, profileId, ...rest }) => ({ userId, profile: { id: profileId, ...rest } }));
  }
}
