import { Injectable } from '@nestjs/common';
import { type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { openTransaction } from '../../kernel/database/transaction.js';
import { workerNow } from '../../kernel/slices.js';
import { type ProfileRules } from '../domain/profile-rules.js';
import { TagVocabulary } from '../domain/tags/tag-vocabulary.js';

/** The stored inputs of a decision about an app acting for a user. */
export interface StoredPolicy {
  authorizationId: string;
  /** The ceiling as approved. */
  approved: RequestedPermissions;
  expiresAt: Date | null;
  isActive: boolean;
  rules: ProfileRules;
}

/** A policy with the tags of its owner. */
interface PolicyWithTags {
  policy: StoredPolicy;
  vocabulary: TagVocabulary;
}

type TagTuple = [id: string, name: string, deleted: boolean];

/**
 * The read of the guard when nothing is cached: one statement. Concurrent requests of one person load the tags of an
 * owner once for one policy version. Other persons load them on their own, so that none waits in another's queue.
 */
@Injectable()
export class AccessQueries {
  /** Null: the load brought no tags, because the pair has no authorization. */
  private readonly loading = new Map<string, Promise<TagVocabulary | null>>();

  constructor(private readonly database: Database) {}

  /**
   * The policy of the living authorization of a pair, with the owner's tags unless they are known; null if
   * the pair has no such authorization.
   */
  async policy(
    pair: { ownerId: string; appId: string },
    known: TagVocabulary | null,
    policyVersion: number,
  ): Promise<PolicyWithTags | null> {
    if (known !== null) return this.readPolicy(pair, known);
    const key = loadKey(pair.ownerId, policyVersion);
    const loading = this.underWay(key);
    if (loading !== undefined) return this.policy(pair, await loading, policyVersion);
    const reading = this.readPolicy(pair, null);
    await this.share(
      key,
      reading.then((found) => found?.vocabulary ?? null),
    );
    return reading;
  }

  /** The tags of an owner as of this policy version or later. */
  async vocabulary(ownerId: string, policyVersion: number): Promise<TagVocabulary> {
    const key = loadKey(ownerId, policyVersion);
    const loading = this.underWay(key);
    if (loading === undefined) return this.share(key, this.readVocabulary(ownerId));
    return (await loading) ?? this.vocabulary(ownerId, policyVersion);
  }

  /** A transaction waits for no other request's load while it holds a connection. */
  private underWay(key: string): Promise<TagVocabulary | null> | undefined {
    return openTransaction.getStore() === null ? this.loading.get(key) : undefined;
  }

  /** Others may use a load unless it reads what its transaction has not committed. */
  private share<Found extends TagVocabulary | null>(key: string, load: Promise<Found>): Promise<Found> {
    if (openTransaction.getStore() !== null) return load;
    const loading = load.finally(() => this.loading.delete(key));
    this.loading.set(key, loading);
    return loading;
  }

  private async readPolicy(
    pair: { ownerId: string; appId: string },
    known: TagVocabulary | null,
  ): Promise<PolicyWithTags | null> {
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

  private async readVocabulary(ownerId: string): Promise<TagVocabulary> {
    const [row] = await this.database.read<{ tags: TagTuple[] | null }>(
      sql`SELECT ${allTags(ownerId)} AS tags`,
      'access-vocabulary',
    );
    return vocabularyOf(row?.tags ?? null);
  }
}

const loadKey = (ownerId: string, policyVersion: number): string =>
  `${workerNow()} ${ownerId} ${policyVersion}`;

/** All tags as one value, so that they come in one row with the policy. */
const allTags = (ownerId: string): Sql =>
  sql`(SELECT json_agg(json_build_array(t.id, t.name, t.deleted_at IS NOT NULL)) FROM tags t WHERE t.owner_id = ${ownerId})`;

const vocabularyOf = (tags: TagTuple[] | null): Promise<TagVocabulary> =>
  TagVocabulary.of((tags ?? []).map(([id, name, deleted]) => ({ id, name, deleted })));
