import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../../kernel/database/database.js';
import { type App } from '../domain/app.js';
import { requestedPermissionsFrom } from '../domain/requested-permissions.js';
import { AppEntity } from './entities.js';

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
