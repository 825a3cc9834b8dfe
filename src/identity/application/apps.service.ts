import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { In, IsNull, type QueryDeepPartialEntity } from 'typeorm';
import { Config, type Tier } from '../../config/config.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { type Change } from '../../kernel/change-log/change.js';
import { reserveOf } from '../../kernel/change-log/growth.js';
import { Quotas } from '../../kernel/change-log/quotas.js';
import { Clock } from '../../kernel/clock.js';
import { isId, newId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type App, appNotFound, requestRights } from '../domain/app.js';
import { type ConfirmRights } from '../domain/others-rights.js';
import { requestedPermissionsFrom } from '../domain/requested-permissions.js';
import { AppLocks } from '../infrastructure/app-locks.queries.js';
import { AppEntity, type AppRow } from '../infrastructure/entities.js';
import { LivingAccounts } from '../infrastructure/living-accounts.queries.js';
import { ApiKeys, type IssuedKey, type NewKey } from './api-keys.service.js';
import { Notices } from './notices.service.js';
import { type Page } from './page.js';

/** A developer's description of an app. */
export type AppDescription = Pick<
  App,
  'name' | 'description' | 'homepageUrl' | 'redirectUris' | 'clientLevel' | 'requestedPermissions'
>;

export type AppChanges = Partial<AppDescription & Pick<App, 'isActive'>>;

/** The most keys of an app: enough to replace those of many servers without a pause. */
const MOST_KEYS = 100;

/** The description of a deleted app, which only past authorizations name. */
const EMPTIED: Partial<AppRow> = {
  description: null,
  homepageUrl: null,
  redirectUris: [],
  requestedPermissions: requestedPermissionsFrom({}),
};

/** The part of the bytes of an app's tier that its own log may have (rule 9.8j). */
const LOG_PART = 0.01;

/** Apps and their developers (rules 1.5, 1.13). A deleted app is never found. */
@Injectable()
export class Apps {
  constructor(
    private readonly database: Database,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly keys: ApiKeys,
    private readonly accounts: LivingAccounts,
    private readonly locks: AppLocks,
    private readonly notices: Notices,
    private readonly quotas: Quotas,
  ) {}

  /** The app and the secret of its first key. */
  register(ownerId: string, description: AppDescription): Promise<{ app: App; apiKey: string }> {
    const now = this.clock.now();
    const app: App = {
      id: newId(),
      ownerId,
      ...description,
      tier: this.config.defaultTier,
      isActive: true,
      kind: 'registered',
      documentUrl: null,
      createdAt: now,
      updatedAt: now,
    };
    return this.units.run(async () => {
      await this.accounts.keep(ownerId);
      await (await this.database.repository(AppEntity)).insert({ ...app, deletedAt: null });
      this.changes.count(ownerId, { apps: 1 });
      const { text } = await this.keys.issueAppKey(app.id);
      return { app, apiKey: text };
    });
  }

  /**
   * Adds a key; its developer receives a notice.
   * @throws VALIDATION_ERROR when it would already be expired; QUOTA_EXCEEDED; NOT_FOUND
   */
  addKey({ id, name, ownerId }: App, key: NewKey): Promise<IssuedKey> {
    return this.units.run(async () => {
      await this.locks.lock(id);
      await this.get(id);
      if ((await this.keys.countOfApp(id)) >= MOST_KEYS) throw tooManyKeys();
      await this.notices.tell(ownerId, { kind: 'key', appName: name });
      return this.keys.issueAppKey(id, key);
    });
  }

  async find(id: string): Promise<App | null> {
    if (!isId(id)) return null;
    const row = await (await this.database.repository(AppEntity)).findOneBy({ id, deletedAt: IsNull() });
    return row && appOf(row);
  }

  /** The app, locked against changes until the unit of work ends. */
  async hold(id: string): Promise<App | null> {
    if (!isId(id)) return null;
    await this.locks.hold(id);
    return this.find(id);
  }

  /** @throws NOT_FOUND */
  async get(id: string): Promise<App> {
    const app = await this.find(id);
    if (!app) throw appNotFound();
    return app;
  }

  /** Living apps by id, for the ids that name one; one query for any number of ids. */
  async findAll(ids: readonly string[]): Promise<Map<string, App>> {
    const wanted = [...new Set(ids)].filter(isId);
    if (wanted.length === 0) return new Map();
    const rows = await (
      await this.database.repository(AppEntity)
    ).findBy({ id: In(wanted), deletedAt: IsNull() });
    return new Map(rows.map((row) => [row.id, appOf(row)]));
  }

  /** An app of that developer. @throws NOT_FOUND, for other developers' apps as well (rule 1.5) */
  async getOwn(ownerId: string, id: string): Promise<App> {
    const app = await this.get(id);
    if (app.ownerId !== ownerId) throw appNotFound();
    return app;
  }

  /** A developer's apps, oldest first. */
  async listOf(ownerId: string, { limit, offset }: Page): Promise<{ apps: App[]; total: number }> {
    const [rows, total] = await (
      await this.database.repository(AppEntity)
    ).findAndCount({
      where: { ownerId, deletedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: limit,
      skip: offset,
    });
    return { apps: rows.map(appOf), total };
  }

  /** @throws NOT_FOUND, and the errors of `confirm` */
  update(id: string, changes: AppChanges, confirm: ConfirmRights): Promise<App> {
    return this.units.run(async () => {
      await this.locks.lock(id);
      const before = await this.get(id);
      await confirm(requestRights(before), requestRights({ ...before, ...changes }));
      return this.write(id, changes);
    });
  }

  /** Called by the operator's command line (rule 1.13). @throws NOT_FOUND */
  setTier(id: string, tier: Tier): Promise<App> {
    return this.write(id, { tier });
  }

  /** Ends the app and its keys; its authorizations count as revoked from then on. @throws NOT_FOUND */
  async delete(id: string): Promise<void> {
    await this.units.run(async () => {
      await this.locks.lock(id);
      const { ownerId } = await this.write(id, { deletedAt: this.clock.now(), isActive: false });
      // Not a change of its requests, which its log would record.
      await (await this.database.repository(AppEntity)).update({ id }, EMPTIED);
      this.changes.count(ownerId, { apps: -1 });
      await this.keys.endAllOf(id);
    });
  }

  private async write(id: string, changes: Partial<AppRow>): Promise<App> {
    return this.units.run(async () => {
      const before = await this.get(id);
      if (Object.keys(changes).length === 0) return before;
      const apps = await this.database.repository(AppEntity);
      const written = { ...changes, updatedAt: this.clock.now() } as QueryDeepPartialEntity<AppRow>;
      // The condition is repeated: the app may have been deleted while this waited for its row.
      const { affected } = await apps.update({ id, deletedAt: IsNull() }, written);
      if (affected !== 1) throw appNotFound();
      this.changes.bumpPolicyVersion(before.id);
      const app = appOf(await apps.findOneByOrFail({ id }));
      await this.recordRequest(before, app);
      return app;
    });
  }

  /**
   * Records the request in the app's own log, so that its requests at an earlier time are known.
   * @throws QUOTA_EXCEEDED for a large request, when the log is full
   */
  private async recordRequest(before: App, { id, tier, requestedPermissions }: App): Promise<void> {
    const requested = { old: before.requestedPermissions, new: requestedPermissions };
    if (isDeepStrictEqual(requested.old, requested.new)) return;
    const change: Change = {
      ownerId: id,
      entity: 'app',
      entityId: id,
      action: 'updated',
      // Apps have no versions; the position in the log distinguishes changes.
      version: 1,
      snapshot: { requested_permissions: requestedPermissions },
    };
    if (reserveOf([change]) !== null) await this.refuseFullLog(id, tier);
    this.changes.append({ ...change, changedFields: { requested_permissions: requested } });
  }

  private async refuseFullLog(id: string, tier: Tier): Promise<void> {
    const most = this.quotas.limitsOf(tier).graph_bytes;
    const limit = most === null ? Infinity : Math.floor(most * LOG_PART);
    const { graph_bytes: used } = await this.quotas.used(id);
    if (used <= limit) return;
    const message = `The requests of this app have taken ${used} of ${limit} bytes; only small ones are possible`;
    throw new DomainError('QUOTA_EXCEEDED', message, { quota: 'graph_bytes', limit, used });
  }
}

const tooManyKeys = (): DomainError =>
  new DomainError('QUOTA_EXCEEDED', `An app can have ${MOST_KEYS} keys; delete some of them first`, {
    quota: 'app_keys',
    limit: MOST_KEYS,
  });

function appOf(row: AppRow): App {
  const app: App & Partial<AppRow> = {
    ...row,
    requestedPermissions: requestedPermissionsFrom(row.requestedPermissions),
  };
  delete app.deletedAt;
  return app;
}
