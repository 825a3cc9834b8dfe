import { type Sql, sql } from '../../kernel/database/sql.js';

/** True in SQL if this owner has authorized the app, also if the authorization has ended since. */
export const hasEverAuthorized = (ownerId: string, appId: Sql): Sql =>
  sql`EXISTS (SELECT FROM authorizations AS a WHERE a.owner_id = ${ownerId} AND a.app_id = ${appId})`;
