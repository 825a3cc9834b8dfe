import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type ApiKey } from '../domain/api-key.js';
import { hashOfSecret, marksOf, newKeyText } from '../domain/key-text.js';
import { ApiKeyEntity } from '../infrastructure/entities.js';
import { type Page } from './page.js';
import { requireFuture } from '../../kernel/errors/require-future.js';

/** A key with its secret, which is available only now. */
export interface IssuedKey {
  key: ApiKey;
  text: string;
}

/** A developer's choices for a new key. */
export interface NewKey {
  name?: string | null;
  expiresAt?: Date | null;
}

/** Keys of apps (rules 1.6, 1.7). */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws VALIDATION_ERROR when it would already be expired */
  issueAppKey(appId: string, { name = null, expiresAt = null }: NewKey = {}): Promise<IssuedKey> {
    requireFuture('expires_at', expiresAt, this.clock.now());
    return this.issue({ appId, kind: 'app', userId: null, authorizationId: null, name, expiresAt });
  }

  /**
   * Issues the user key of an authorization (rules 1.7, 2.4). An authorization has one key: earlier ones end.
   * Called in the unit of work that makes or renews the authorization.
   */
  async issueUserKey(bound: {
    appId: string;
    userId: string;
    authorizationId: string;
  }): Promise<{ id: string; api_key: string }> {
    return this.units.run(async () => {
      await this.revokeOfAuthorization(bound.authorizationId);
      const { key, text } = await this.issue({ ...bound, kind: 'user', name: null, expiresAt: null });
      return { id: key.id, api_key: text };
    });
  }

  /** The app keys that were not deleted, oldest first, expired ones included. */
  async listOfApp(appId: string, { limit, offset }: Page): Promise<{ keys: ApiKey[]; total: number }> {
    const [keys, total] = await (
      await this.database.repository(ApiKeyEntity)
    ).findAndCount({
      where: { appId, kind: 'app', revokedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: limit,
      skip: offset,
    });
    return { keys, total };
  }

  /** The number of app keys that were not deleted, expired ones included. */
  async countOfApp(appId: string): Promise<number> {
    return (await this.database.repository(ApiKeyEntity)).countBy({
      appId,
      kind: 'app',
      revokedAt: IsNull(),
    });
  }

  /** @throws NOT_FOUND, for user keys as well: those belong to their authorization */
  async revoke(appId: string, keyId: string): Promise<void> {
    const ended = isId(keyId) ? await this.end({ appId, id: keyId, kind: 'app' }) : [];
    if (ended.length === 0) throw new DomainError('NOT_FOUND', 'Key not found');
  }

  /** Ends the user keys of an authorization; called in the unit of work that revokes it. */
  async revokeOfAuthorization(authorizationId: string): Promise<void> {
    await this.end({ authorizationId });
  }

  /** Ends every key of an app, user keys included. */
  async endAllOf(appId: string): Promise<void> {
    await this.end({ appId });
  }

  private issue(
    given: Pick<ApiKey, 'appId' | 'kind' | 'userId' | 'authorizationId' | 'name' | 'expiresAt'>,
  ): Promise<IssuedKey> {
    const text = newKeyText(given.kind);
    const key: ApiKey = { ...given, id: newId(), ...marksOf(text), createdAt: this.clock.now() };
    return this.units.run(async () => {
      const keys = await this.database.repository(ApiKeyEntity);
      await keys.insert({ ...key, keyHash: hashOfSecret(text), revokedAt: null });
      this.changes.bumpPolicyVersion(key.appId);
      return { key, text };
    });
  }

  /** Deletes the matching keys and makes every process read their apps again. */
  private end(which: {
    appId?: string;
    id?: string;
    kind?: 'app';
    authorizationId?: string;
  }): Promise<unknown[]> {
    return this.units.run(async () => {
      const keys = await this.database.repository(ApiKeyEntity);
      const { raw } = await keys
        .createQueryBuilder()
        .delete()
        .where({ ...which, revokedAt: IsNull() })
        .returning('app_id')
        .execute();
      const ended = raw as { app_id: string }[];
      for (const { app_id } of ended) this.changes.bumpPolicyVersion(app_id);
      return ended;
    });
  }
}
