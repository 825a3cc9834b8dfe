import { permissionsOf, type RequestedPermissions, requestsTag, type Scope } from '../../identity/index.js';
import { ALL_SCHEMAS, intersectSchemas, type SchemaGrant, schemasBeyond } from './grant-sets.js';
import { TAG_VERBS, type TagVerb } from './profile-rules.js';

/**
 * The most that an app may have: its requested permissions with every abbreviation resolved (`write` is
 * create and edit, an absent `delete` is the same as edit).
 */
export interface Ceiling {
  readonly tags: Readonly<Record<TagVerb, boolean>>;
  /** Files are readable with `tags.read` as well. */
  readonly files: boolean;
  readonly schemas: { readonly read: SchemaGrant; readonly write: SchemaGrant };
  /**
   * Permissions that the app declares itself, not only through another permission: only these can be missing.
   */
  readonly declares: { readonly delete: boolean; readonly files: boolean };
}

export function ceilingOf(requested: RequestedPermissions): Ceiling {
  const schemas = (kind: 'read' | 'write'): SchemaGrant => ({
    allowAll: requested.schemas[kind].allow_all,
    schemaIds: new Set(requested.schemas[kind].schema_ids),
  });
  return {
    tags: byVerb((verb) => requestsTag(requested, verb)),
    files: requested.files.read || requested.tags.read,
    schemas: { read: schemas('read'), write: schemas('write') },
    declares: { delete: requested.tags.delete === true, files: requested.files.read },
  };
}

/** The intersection of the approved and the currently requested permissions (rule 2.7). */
export function lowerCeiling(a: Ceiling, b: Ceiling): Ceiling {
  return {
    tags: byVerb((verb) => a.tags[verb] && b.tags[verb]),
    files: a.files && b.files,
    schemas: {
      read: intersectSchemas(a.schemas.read, b.schemas.read),
      write: intersectSchemas(a.schemas.write, b.schemas.write),
    },
    declares: {
      delete: a.declares.delete || b.declares.delete,
      files: a.declares.files || b.declares.files,
    },
  };
}

/** The most that an app may have by a token with these scopes (rule 14.2b); by a key, which has none, nothing changes. */
export const withinScopes = (ceiling: Ceiling, scopes: readonly Scope[] | undefined): Ceiling =>
  scopes === undefined ? ceiling : lowerCeiling(ceiling, ceilingOf(permissionsOf(scopes)));

/** True if an app requests more than was approved (`upgrade_pending`, rule 2.7). */
export function isBeyond(asked: Ceiling, approved: Ceiling): boolean {
  return (
    TAG_VERBS.some((verb) => asked.tags[verb] && !approved.tags[verb]) ||
    (asked.files && !approved.files) ||
    schemasBeyond(asked.schemas.read, approved.schemas.read).length > 0 ||
    schemasBeyond(asked.schemas.write, approved.schemas.write).length > 0
  );
}

export function byVerb<T>(of: (verb: TagVerb) => T): Record<TagVerb, T> {
  return Object.fromEntries(TAG_VERBS.map((verb) => [verb, of(verb)])) as Record<TagVerb, T>;
}

/** The ceiling between persons, who request nothing: everything that a profile grants is effective. */
export const NO_CEILING: Ceiling = {
  tags: byVerb(() => true),
  files: true,
  schemas: { read: ALL_SCHEMAS, write: ALL_SCHEMAS },
  declares: { delete: true, files: true },
};
