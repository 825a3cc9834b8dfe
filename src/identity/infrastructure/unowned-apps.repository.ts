import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type App } from '../domain/app.js';
import { requestedPermissionsFrom } from '../domain/requested-permissions.js';
import { AppEntity } from './entities.js';

/** An app without a developer in the order of their creation. */
export type UnownedAppPlace = Pick<App, 'id' | 'kind' | 'createdAt'>;

/** Apps without a developer, as stored. Whatever writes needs a unit of work. */
@Injectable()
export class UnownedAppRows {
  constructor(private readonly database: Database) {}

  /** Waits for a concurrent insert of the same document, which then remains. */
  async insert(app: App): Promise<void> {
    const rows = await this.database.repository(AppEntity);
    await rows
      .createQueryBuilder()
      .insert()
      .values({ ...app, deletedAt: null })
      .orIgnore()
      .execute();
  }

  async findByDocument(documentUrl: string): Promise<App | null> {
    const rows = await this.database.repository(AppEntity);
    const row = await rows.findOneBy({ documentUrl, deletedAt: IsNull() });
    if (row === null) return null;
    const { deletedAt: _, requestedPermissions, ...app } = row;
    return { ...app, requestedPermissions: requestedPermissionsFrom(requestedPermissions) };
  }

  /** Apps without a developer, newest first. */
  page(before: UnownedAppPlace | null, limit: number): Promise<UnownedAppPlace[]> {
    const earlier =
      before === null ? sql`` : sql`AND (created_at, id) < (${before.createdAt}, ${before.id}::uuid)`;
    return this.database.read<UnownedAppPlace>(
      sql`SELECT id, kind, created_at AS "createdAt" FROM apps
        WHERE kind <> 'registered' AND deleted_at IS NULL ${earlier}
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`,
      before === null ? 'unowned-apps' : 'unowned-apps-after',
    );
  }

  /** Deletes apps without a developer and without sessions. */
  async delete(ids: readonly string[]): Promise<void> {
    await this.database.write(
      sql`DELETE FROM apps a WHERE a.id = ANY(${ids}::uuid[]) AND a.kind <> 'registered'
        AND NOT EXISTS (SELECT FROM app_sessions s WHERE s.app_id = a.id)`,
    );
  }

  async update(
    id: string,
    { name, homepageUrl, redirectUris }: Pick<App, 'name' | 'homepageUrl' | 'redirectUris'>,
    now: Date,
  ): Promise<App> {
    const rows = await this.database.repository(AppEntity);
    await rows.update({ id }, { name, homepageUrl, redirectUris, updatedAt: now });
    const { deletedAt: _, requestedPermissions, ...app } = await rows.findOneByOrFail({ id });
    return { ...app, requestedPermissions: requestedPermissionsFrom(requestedPermissions) };
  }
}
