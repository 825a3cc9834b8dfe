import { type RequestedPermissions, requestedPermissionsFrom, requestsTag } from './requested-permissions.js';

/** The scopes of access tokens, in the order in which people read them (rule 14.2). */
export const SCOPES = [
  'graph:discover',
  'graph:read',
  'graph:propose',
  'graph:create',
  'graph:edit',
  'graph:delete',
  'files:read',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that a client which names none is offered, and which a refusal names: agents suggest, people approve. */
export const BASELINE: readonly Scope[] = ['graph:read', 'graph:propose'];

/** The scope by which a client asks for refresh tokens; no permission. */
export const OFFLINE = 'offline_access';

const VERBS: Record<
  Exclude<Scope, 'files:read'>,
  'discover' | 'read' | 'propose' | 'create' | 'edit' | 'delete'
> = {
  'graph:discover': 'discover',
  'graph:read': 'read',
  'graph:propose': 'propose',
  'graph:create': 'create',
  'graph:edit': 'edit',
  'graph:delete': 'delete',
};

/** The schema of files: a node with it is a file. Files alone are read through it (rule 1.14). */
export const RAW_FILE_SCHEMA_ID = '00000000-0000-7000-8000-000000000001';

/** Schemas that the scopes are limited to; absent kinds are unlimited. */
export type ScopeSchemas = Partial<RequestedPermissions['schemas']>;

/** Scopes in their order, with read beside edit and delete, which need it; unknown texts are left out. */
export function scopesOf(texts: Iterable<string>): Scope[] {
  const named = new Set(texts);
  const needsRead = named.has('graph:edit') || named.has('graph:delete');
  return SCOPES.filter((scope) => named.has(scope) || (scope === 'graph:read' && needsRead));
}

/** The permissions of scopes. Schemas are all unless limited: the profile limits them, too. */
export function permissionsOf(
  scopes: readonly Scope[],
  { read, write }: ScopeSchemas = {},
): RequestedPermissions {
  const has = (scope: Scope): boolean => scopes.includes(scope);
  const reads = has('graph:read');
  const writes = (['graph:propose', 'graph:create', 'graph:edit', 'graph:delete'] as const).some(has);
  const all = { schema_ids: [], allow_all: true };
  const none = { schema_ids: [], allow_all: false };
  const ofFiles = { schema_ids: [RAW_FILE_SCHEMA_ID], allow_all: false };
  const tags = Object.fromEntries(Object.entries(VERBS).map(([scope, verb]) => [verb, has(scope as Scope)]));
  return requestedPermissionsFrom({
    tags,
    files: { read: has('files:read') },
    schemas: {
      read: reads ? (read ?? all) : has('files:read') ? ofFiles : none,
      write: writes ? (write ?? all) : none,
    },
  });
}

/** The scopes that a token needs for a permission of an endpoint, such as `tags.create`. */
export function scopesFor(permission: string): Scope[] {
  if (permission === 'files.read') return ['files:read'];
  if (permission === 'schemas.read') return ['graph:read'];
  if (permission === 'schemas.write') return ['graph:propose'];
  const verb = permission.replace(/^tags\./, '').replace('create_new', 'create');
  return scopesOf([`graph:${verb}`]);
}

/** The scopes that permissions contain. */
export function scopesIn(permissions: RequestedPermissions): Scope[] {
  return SCOPES.filter((scope) =>
    scope === 'files:read' ? permissions.files.read : requestsTag(permissions, VERBS[scope]),
  );
}
