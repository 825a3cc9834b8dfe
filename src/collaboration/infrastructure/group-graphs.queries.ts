import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../kernel/database/database.js';
import { openTransaction } from '../../kernel/database/transaction.js';
import { sql } from '../../kernel/database/sql.js';
import { hasBlocked, type ProfileRules } from '../../privacy/index.js';

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

type SharerKey = Pick<StoredSharer, 'userId'> & Pick<StoredProfile, 'id' | 'version'>;

const MIB = 1024 * 1024;
/** The bound of all cached profiles. */
const MAX_BYTES = 16 * MIB;

/**
 * The rows that decide on access to a group's graph: the member's profile, and the sharing members with
 * their profiles. Which they are is read again for each request; the rules of a version of a profile never
 * change, so they are read once.
 */
@Injectable()
export class GroupGraphsQueries {
  private readonly profiles = new LRUCache<string, StoredProfile>({
    maxSize: MAX_BYTES,
    sizeCalculation: profileBytes,
  });

  constructor(private readonly database: Database) {}

  async profile(ownerId: string, id: string): Promise<StoredProfile | null> {
    const [row] = await this.database.read<StoredProfile>(
      sql`SELECT id, is_active AS "isActive", version, rules FROM exposure_profiles WHERE owner_id = ${ownerId} AND id = ${id}`,
      'group-profile',
    );
    return row ?? null;
  }

  /**
   * The profile that a member has now: read with the membership, because a profile that was replaced can be deleted.
   * @returns null for a member without a profile, undefined for a user who is no member
   */
  async memberProfile(groupId: string, userId: string): Promise<StoredProfile | null | undefined> {
    const [row] = await this.database.read<StoredProfile | Record<keyof StoredProfile, null>>(
      sql`SELECT p.id, p.is_active AS "isActive", p.version, p.rules
        FROM group_members AS m
        LEFT JOIN exposure_profiles AS p ON p.owner_id = m.owner_id AND p.id = m.exposure_profile_id
        WHERE m.owner_id = ${groupId} AND m.user_id = ${userId}`,
      'group-member-profile',
    );
    return row?.id === null ? null : row;
  }

  /** Members who share something with the group and whom the reader has not blocked, in the order of their ids. */
  async sharers(groupId: string, readerId: string): Promise<StoredSharer[]> {
    const keys = await this.database.read<SharerKey>(
      sql`SELECT s.owner_id AS "userId", p.id, p.version
        FROM group_shares AS s
        JOIN group_members AS m ON m.owner_id = s.group_id AND m.user_id = s.owner_id
        JOIN exposure_profiles AS p ON p.owner_id = s.owner_id AND p.id = s.exposure_profile_id
        WHERE s.group_id = ${groupId} AND NOT ${hasBlocked(sql`${readerId}`, [sql.raw('s.owner_id')])}
        ORDER BY s.owner_id`,
      'group-sharers',
    );
    const known = new Map(keys.map((key) => [nameOf(key), this.profiles.get(nameOf(key))]));
    const missing = keys.filter((key) => known.get(nameOf(key)) === undefined);
    const loaded = new Map((await this.load(missing)).map((one) => [one.userId, one.profile]));
    return keys.flatMap((key) => {
      const profile = known.get(nameOf(key)) ?? loaded.get(key.userId);
      return profile ? [{ userId: key.userId, profile }] : [];
    });
  }

  /** Profiles in their present state; those that are gone are left out. */
  private async load(keys: readonly SharerKey[]): Promise<StoredSharer[]> {
    if (keys.length === 0) return [];
    const rows = await this.database.read<StoredProfile & { userId: string }>(
      sql`SELECT p.owner_id AS "userId", p.id, p.is_active AS "isActive", p.version, p.rules
        FROM exposure_profiles AS p WHERE (p.owner_id, p.id) IN (SELECT * FROM unnest(
          ${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]))`,
      'group-sharers-rules',
    );
    // A unit of work may see a version that is never committed.
    const isReading = openTransaction.getStore() === null;
    return rows.map(({ userId, ...profile }) => {
      if (isReading) this.profiles.set(nameOf({ userId, ...profile }), profile);
      return { userId, profile };
    });
  }
}

const nameOf = ({ userId, id, version }: SharerKey): string => `${userId} ${id} ${version}`;

/** An estimate of the memory that a profile takes. Lists of its rules are sets, of about three times their text. */
export const profileBytes = ({ rules }: Pick<StoredProfile, 'rules'>): number =>
  1024 + 3 * JSON.stringify(rules).length;
