/** The schemas that an app requests: ids, the word `__freeform__` for nodes without a schema, or all. */
export interface RequestedSchemas {
  schema_ids: string[];
  allow_all: boolean;
}

/**
 * The permissions that a developer declares for the app; a ceiling (rule 1.14). Stored and shown as
 * declared: {@link requestsTag} defines the meaning of `write` and of an absent `delete`.
 */
export interface RequestedPermissions {
  tags: {
    discover: boolean;
    read: boolean;
    propose: boolean;
    create: boolean;
    edit: boolean;
    /** Shorthand for create and edit. */
    write: boolean;
    /** Absent: the ceiling for deleting is the same as for editing. */
    delete?: boolean;
  };
  files: { read: boolean };
  schemas: { read: RequestedSchemas; write: RequestedSchemas };
}

const REQUESTED_TAG_VERBS = ['discover', 'read', 'propose', 'create', 'edit', 'write'] as const;

/** The verbs that an app can request for tags, after `write` and `delete` are resolved. */
export type TagVerb = 'discover' | 'read' | 'propose' | 'edit' | 'create' | 'delete';

/**
 * Reads any value as requested permissions: absent is false, unknown is dropped, and an unreadable value
 * counts as nothing, never as everything.
 */
export function requestedPermissionsFrom(declared: unknown): RequestedPermissions {
  const { tags, files, schemas } = record(declared);
  const verbs = record(tags);
  const flags = Object.fromEntries(REQUESTED_TAG_VERBS.map((verb) => [verb, verbs[verb] === true]));
  return {
    tags: {
      ...(flags as Record<(typeof REQUESTED_TAG_VERBS)[number], boolean>),
      ...(typeof verbs.delete === 'boolean' ? { delete: verbs.delete } : {}),
    },
    files: { read: record(files).read === true },
    schemas: { read: schemasFrom(record(schemas).read), write: schemasFrom(record(schemas).write) },
  };
}

/**
 * True if the declaration requests a verb: `write` means create and edit, an absent `delete` is the same as
 * edit (rule 1.14a).
 */
export function requestsTag({ tags }: RequestedPermissions, verb: TagVerb): boolean {
  switch (verb) {
    case 'create':
      return tags.create || tags.write;
    case 'edit':
      return tags.edit || tags.write;
    case 'delete':
      return tags.delete ?? (tags.edit || tags.write);
    default:
      return tags[verb];
  }
}

function schemasFrom(declared: unknown): RequestedSchemas {
  const { schema_ids, allow_all } = record(declared);
  const ids = Array.isArray(schema_ids)
    ? schema_ids.filter((id): id is string => typeof id === 'string')
    : [];
  return { schema_ids: [...new Set(ids.map((id) => id.toLowerCase()))], allow_all: allow_all === true };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
