import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Config } from '../../config/config.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { newId, NO_ID } from '../../kernel/ids.js';
import { type App } from '../domain/app.js';
import { permissionsOf, SCOPES } from '../domain/scopes.js';
import { AppLocks } from '../infrastructure/app-locks.queries.js';
import { type UnownedAppPlace, UnownedAppRows } from '../infrastructure/unowned-apps.repository.js';

export { type UnownedAppPlace };

/** The description of a client by itself or by its document. */
export type ClientDescription = Pick<App, 'name' | 'homepageUrl' | 'redirectUris'>;

/**
 * Apps without a developer here: of clients that register themselves, and of those that a document describes (rule 14.3).
 * Each may request everything; the consent decides what it gets, and the row of its authorization is the ceiling.
 */
@Injectable()
export class UnownedApps {
  constructor(
    private readonly rows: UnownedAppRows,
    private readonly locks: AppLocks,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Adds a client that registers itself. */
  add(description: ClientDescription): Promise<App> {
    const app = this.newApp(description, null);
    return this.units.run(async () => {
      await this.rows.insert(app);
      return app;
    });
  }

  /** The app of a document as it was last read; null if none was. */
  findByDocument(url: string): Promise<App | null> {
    return this.rows.findByDocument(url);
  }

  /** Stores what a document says now, under one app for all requests with it. Nothing is written where it says the same. */
  async describe(url: string, description: ClientDescription): Promise<{ app: App; isNew: boolean }> {
    const before = await this.rows.findByDocument(url);
    if (before !== null && isDescribed(before, description)) return { app: before, isNew: false };
    const app = await this.units.run(() => this.stored(url, description));
    return { app, isNew: before === null };
  }

  /** Locks the app like any change of one: neither an approval nor the sweep of unused apps comes between. */
  private async stored(url: string, description: ClientDescription): Promise<App> {
    await this.rows.insert(this.newApp(description, url));
    const known = await this.rows.findByDocument(url);
    if (known !== null) await this.locks.lock(known.id);
    const held = known && (await this.rows.findByDocument(url));
    // It was swept before the lock.
    if (held === null) return this.stored(url, description);
    if (isDescribed(held, description)) return held;
    this.changes.bumpPolicyVersion(held.id);
    return this.rows.update(held.id, description, this.clock.now());
  }

  /** Apps without a developer, newest first, from a place on. */
  page(before: UnownedAppPlace | null, limit: number): Promise<UnownedAppPlace[]> {
    return this.rows.page(before, limit);
  }

  /** Locks those of the apps that nobody is about to authorize, until the unit of work ends. */
  lockFree(ids: readonly string[]): Promise<string[]> {
    return this.locks.lockFree(ids);
  }

  /** Deletes apps that nobody has authorized, in the unit of work that locked them. */
  delete(ids: readonly string[]): Promise<void> {
    return this.rows.delete(ids);
  }

  private newApp(description: ClientDescription, documentUrl: string | null): App {
    const now = this.clock.now();
    return {
      id: newId(),
      ownerId: NO_ID,
      ...description,
      description: null,
      clientLevel: 'L2',
      requestedPermissions: permissionsOf(SCOPES),
      tier: this.config.defaultTier,
      isActive: true,
      kind: documentUrl === null ? 'dynamic' : 'document',
      documentUrl,
      createdAt: now,
      updatedAt: now,
    };
  }
}

function isDescribed({ name, homepageUrl, redirectUris }: App, description: ClientDescription): boolean {
  return isDeepStrictEqual({ name, homepageUrl, redirectUris }, description);
}
