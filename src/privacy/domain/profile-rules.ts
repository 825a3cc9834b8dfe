import { type Transformation } from './exposure/transformation.js';
import { type TagExpression } from './tags/tag-expression.js';

/**
 * The verbs that a profile can grant for tags. `delete` is optional: absent, apps fall back to edit (rule
 * 3.8).
 */
export const TAG_VERBS = ['discover', 'read', 'propose', 'edit', 'create', 'delete'] as const;
export type TagVerb = (typeof TAG_VERBS)[number];
/** The verbs whose writes assign tags: only they have `allow_new` (rule 3.7). */
export type AssigningVerb = 'propose' | 'edit' | 'create';

export interface TagPermission {
  tag_ids: string[];
  allow_all: boolean;
  /** True to include tags that do not exist yet. Absent: the same as allow_all. */
  allow_new?: boolean;
}

export type TagPermissions = Record<Exclude<TagVerb, 'delete'>, TagPermission> & { delete?: TagPermission };

/** Ids of schemas, or `__freeform__` for nodes without one. */
export interface SchemaPermission {
  schema_ids: string[];
  allow_all: boolean;
}

/**
 * A tag named in a rule. `id` is the tag that the name meant when the profile was saved, null when it meant
 * none; `name` is the name at that moment, shown only while the vocabulary has no other (rule 3.11).
 */
export interface TagReference {
  id: string | null;
  name: string;
}

export interface TagFilters<Tag = TagReference> {
  include_all: Tag[];
  include_any: Tag[];
  exclude_any: Tag[];
}

export const DETAIL_LEVELS = ['full', 'summary', 'minimal'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/**
 * The rules of an exposure profile: the specification's field table, the names of tags as `Tag`. Stored with
 * references, on the wire with plain names.
 */
export interface Rules<Tag> {
  tag_permissions: TagPermissions;
  schema_permissions: { read: SchemaPermission; write: SchemaPermission };
  tag_filters: TagFilters<Tag>;
  tag_expression: TagExpression<Tag> | null;
  allowed_tag_ids: string[];
  excluded_tag_ids: string[];
  allowed_tags_logic: 'OR' | 'AND';
  allowed_node_ids: string[];
  allowed_node_types: string[];
  excluded_node_types: string[];
  /** ISO 8601, UTC. */
  date_range_start: string | null;
  date_range_end: string | null;
  /** In their canonical form. */
  transformations: Transformation[];
  max_detail_level: DetailLevel;
}

/** Rules as stored. */
export type ProfileRules = Rules<TagReference>;
/** Rules as written and shown: tags of filters by name. */
export type NamedRules = Rules<string>;

const nothing = (): TagPermission => ({ tag_ids: [], allow_all: false });
const noSchemas = (): SchemaPermission => ({ schema_ids: [], allow_all: false });
const allSchemas = (): SchemaPermission => ({ schema_ids: [], allow_all: true });

/** The rules of a profile created with a name alone: they let nothing through (rule 3.13). */
export function emptyRules(): NamedRules {
  return {
    tag_permissions: {
      discover: nothing(),
      read: nothing(),
      propose: nothing(),
      edit: nothing(),
      create: nothing(),
    },
    schema_permissions: { read: noSchemas(), write: noSchemas() },
    tag_filters: { include_all: [], include_any: [], exclude_any: [] },
    tag_expression: null,
    allowed_tag_ids: [],
    excluded_tag_ids: [],
    allowed_tags_logic: 'OR',
    allowed_node_ids: [],
    allowed_node_types: [],
    excluded_node_types: [],
    date_range_start: null,
    date_range_end: null,
    transformations: [],
    max_detail_level: 'full',
  };
}

export const TEMPLATES = ['transparent', 'restrictive'] as const;
export type Template = (typeof TEMPLATES)[number];

/** `transparent` grants everything; `restrictive` lets tags be discovered and nothing else (rule 3.13). */
export function templateRules(template: Template): NamedRules {
  const rules = emptyRules();
  if (template === 'restrictive') {
    rules.tag_permissions.discover.allow_all = true;
    return { ...rules, max_detail_level: 'minimal' };
  }
  const all = (): TagPermission => ({ tag_ids: [], allow_all: true });
  const allAndNew = (): TagPermission => ({ ...all(), allow_new: true });
  return {
    ...rules,
    tag_permissions: {
      discover: all(),
      read: all(),
      propose: allAndNew(),
      edit: allAndNew(),
      create: allAndNew(),
      delete: all(),
    },
    schema_permissions: { read: allSchemas(), write: allSchemas() },
  };
}
