import { type RequestedPermissions, type RequestedSchemas } from '../../identity/index.js';
import { type Access, type Permission, permissionsOf } from './access.js';
import { ceilingOf } from './ceiling.js';
import { type Grants, missingPermissions } from './profile-grants.js';
import { grantsTags, type SchemaGrant } from './grant-sets.js';

/** The three layers of one authorization, in one form (rule 2.6). */
export interface PermissionSummary {
  /** The permissions that the app requests now. */
  requested: RequestedPermissions;
  granted: RequestedPermissions;
  effective: RequestedPermissions;
  /** Requested and not effective, such as `tags.propose` or `schemas.write:<id>`. */
  missing: string[];
}

export function summarize(
  access: Access,
  requested: RequestedPermissions,
  granted: Grants,
): PermissionSummary {
  const reads = grantsTags(granted.tags.read);
  return {
    requested,
    granted: inRequestedForm(granted, permissionsOf(granted, { nodes: reads, files: reads })),
    effective: inRequestedForm(access, access.permissions),
    missing: missingPermissions(ceilingOf(requested), access).filter((name) => !isHeld(access, name)),
  };
}

/**
 * True if the permission is held, directly or through another one: discover through read, read through single
 * nodes.
 */
function isHeld({ permissions }: Access, name: string): boolean {
  return !name.startsWith('schemas.') && permissions.has(name as Permission);
}

function inRequestedForm(
  { schemas }: Pick<Grants, 'schemas'>,
  permissions: ReadonlySet<Permission>,
): RequestedPermissions {
  const has = (name: Permission): boolean => permissions.has(name);
  return {
    tags: {
      discover: has('tags.discover'),
      read: has('tags.read'),
      propose: has('tags.propose'),
      create: has('tags.create'),
      edit: has('tags.edit'),
      write: has('tags.create') && has('tags.edit'),
      delete: has('tags.delete'),
    },
    files: { read: has('files.read') },
    schemas: { read: listed(schemas.read), write: listed(schemas.write) },
  };
}

const listed = ({ allowAll, schemaIds }: SchemaGrant): RequestedSchemas => ({
  schema_ids: [...schemaIds],
  allow_all: allowAll,
});
