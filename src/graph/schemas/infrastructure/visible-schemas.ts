import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, hasEverAuthorized } from '../../../privacy/index.js';
import { SYSTEM_OWNER_ID } from '../domain/schema.js';

/** The current state of `schemas AS s`, for {@link visibleSchemas}. */
export const LIVE = { owner: 's', scope: 's' };

/**
 * Condition for the schemas that a caller can see: an app its own private ones (with a user key those in the
 * user's graph), and those of its user as far as schemas.read allows; a person their own (specification,
 * Schema visibility; rules 3.10, 5.7).
 * Applies to the table or to a version.
 */
export function visibleSchemas(access: Access, { owner, scope }: { owner: string; scope: string }): Sql {
  const [o, s] = [sql.raw(owner), sql.raw(scope)];
  const isOpen = sql`(${o}.owner_id = ${SYSTEM_OWNER_ID} OR ${s}.scope = 'public')`;
  const { type, userId } = access.actor;
  // A received node belongs to its owner, who could no longer change it under a schema that only the
  // recipient sees.
  if (access.isReceived) return isOpen;
  if (type !== 'app') {
    const viewer = userId ?? access.ownerId;
    return sql`(${isOpen} OR (${s}.private_to = 'user' AND ${o}.owner_id = ${viewer}))`;
  }
  const { allowAll, schemaIds } = access.schemas.read;
  const granted = allowAll ? sql`TRUE` : sql`${o}.id::text = ANY(${[...schemaIds]}::text[])`;
  const isReached = access.isUserKey ? sql`${o}.owner_id = ${access.ownerId}` : sql`TRUE`;
  return sql`(${isOpen} OR (${privateToApp(access, { owner, scope })} AND ${isReached})
    OR (${s}.private_to = 'user' AND ${o}.owner_id = ${access.ownerId} AND ${granted}))`;
}

const privateToApp = (
  { actor: { appId } }: Access,
  { owner, scope }: { owner: string; scope: string },
): Sql => sql`${sql.raw(scope)}.private_to = 'app' AND ${sql.raw(owner)}.created_by_app_id = ${appId}`;

/**
 * Condition for schemas that a node has although the caller cannot see them: the owner, and a user key of
 * theirs, may change the node under an app's own schema. The app made it in this graph, or the owner let the app in, which
 * may then have given it to the node; a schema of any other app can be named by a forged archive (rule 5.7).
 */
export function standingSchemas(access: Access): Sql {
  const isFromHere = sql`(s.owner_id = ${access.ownerId} OR ${hasEverAuthorized(access.ownerId, sql`s.created_by_app_id`)})`;
  if (access.isOwner) return sql`(s.private_to = 'app' AND ${isFromHere})`;
  return access.isUserKey && !access.isReceived ? privateToApp(access, LIVE) : sql`FALSE`;
}
