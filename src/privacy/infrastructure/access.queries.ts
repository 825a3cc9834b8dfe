import { Injectable } from '@nestjs/common';
import { type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type ProfileRules } from '../domain/profile-rules.js';
import { TagVocabulary } from '../domain/tag-vocabulary.js';

/** The stored inputs of a decision about an app acting for a user. */
export interface StoredPolicy {
  authorizationId: string;
  /** The ceiling as approved. */
  approved: RequestedPermissions;
  expiresAt: Date | null;
  isActive: boolean;
  rules: ProfileRules;
}

type TagTuple = [id: string, name: string, deleted: boolean];

/** The read of the guard when nothing is cached: one statement. */
@Injectable()
export class AccessQueries {
  constructor(private readonly database: Database) {}

  /**
   * The policy of the living authorization of a pair, with the owner's tags unless they are known; null if
   * the pair has no such authorization.
   */
  async policy(
    pair: { ownerId: string; appId: string },
    known: TagVocabulary | null,
  ): Promise<{ policy: StoredPolicy; vocabulary: TagVocabulary } | null> {
    const tags = known ? sql.raw('NULL') : allTags(pair.ownerId);
    const [row] = await this.database.read<StoredPolicy & { tags: TagTuple[] | null }>(
      sql`SELECT a.id AS "authorizationId", a.requested_permissions AS approved, a.expires_at AS "expiresAt",
          p.is_active AS "isActive", p.rules, ${tags} AS tags
        FROM authorizations a
        JOIN exposure_profiles p ON p.owner_id = a.owner_id AND p.id = a.exposure_profile_id
        WHERE a.owner_id = ${pair.ownerId} AND a.app_id = ${pair.appId} AND a.revoked_at IS NULL`,
      'access-policy',
    );
    if (row === undefined) return null;
    const { tags: found, ...policy } = row;
    return {
      policy: { ...policy, approved: requestedPermissionsFrom(policy.approved) },
      vocabulary: known ?? (await vocabularyOf(found)),
    };
  }

  async vocabulary(ownerId: string): Promise<TagVocabulary> {
    const [row] = await this.database.read<{ tags: TagTuple[] | null }>(
      sql`SELECT ${allTags(ownerId)} AS tags`,
      'access-vocabulary',
    );
    return vocabularyOf(row?.tags ?? null);
  }
}

/** All tags as one value, so that they come in one row with the policy. */
const allTags = (ownerId: string): Sql =>
  sql`(SELECT json_agg(json_build_array(t.id, t.name, t.deleted_at IS NOT NULL)) FROM tags t WHERE t.owner_id = ${ownerId})`;

const vocabularyOf = (tags: TagTuple[] | null): Promise<TagVocabulary> =>
  TagVocabulary.of((tags ?? []).map(([id, name, deleted]) => ({ id, name, deleted })));
