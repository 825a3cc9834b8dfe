import { byVerb, type Ceiling } from './ceiling.js';
import {
  ALL_SCHEMAS,
  grantsSchemas,
  grantsTags,
  intersectSchemas,
  NO_SCHEMAS,
  NO_TAGS,
  type SchemaGrant,
  schemasBeyond,
  type TagGrant,
  uniteTags,
} from './grant-sets.js';
import {
  type ProfileRules,
  type SchemaPermission,
  TAG_VERBS,
  type TagPermission,
  type TagVerb,
} from './profile-rules.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';

/** The rights of a caller, verb by verb: granted by a profile, or effective for an app. */
export interface Grants {
  readonly tags: Readonly<Record<TagVerb, TagGrant>>;
  readonly schemas: { readonly read: SchemaGrant; readonly write: SchemaGrant };
}

export interface GrantingProfile {
  rules: ProfileRules;
  isActive: boolean;
}

/** The part of a profile that its grants follow from. */
export interface ProfileGrants {
  rules: Pick<ProfileRules, 'tag_permissions' | 'schema_permissions'>;
  isActive: boolean;
}

const NOTHING_GRANTED: Grants = {
  tags: byVerb(() => NO_TAGS),
  schemas: { read: NO_SCHEMAS, write: NO_SCHEMAS },
};

/**
 * The current grants of a profile for an app: living tags only, `delete` as edit where the profile does not
 * mention it (rule 3.8). An inactive profile grants nothing (rule 2.9).
 */
export function grantedBy({ rules, isActive }: ProfileGrants, vocabulary: TagVocabulary): Grants {
  if (!isActive) return NOTHING_GRANTED;
  const { tag_permissions: tags, schema_permissions: schemas } = rules;
  return {
    tags: byVerb((verb) => tagGrant(verb === 'delete' ? (tags.delete ?? tags.edit) : tags[verb], vocabulary)),
    schemas: { read: schemaGrant(schemas.read), write: schemaGrant(schemas.write) },
  };
}

/**
 * Requested ∩ granted. Discover is part of every verb but delete (rule 3.9), so an app knows the names of the
 * tags that it may read. `allow_new` counts only where every tag may be discovered (rule 3.7): names are
 * unique, so making a tag would reveal that a hidden one has its name.
 */
export function effective(ceiling: Ceiling, granted: Grants): Grants {
  const tags = byVerb((verb) => (ceiling.tags[verb] ? granted.tags[verb] : NO_TAGS));
  const discover = uniteTags([tags.discover, tags.read, tags.propose, tags.edit, tags.create]);
  return {
    tags: discover.allowAll ? { ...tags, discover } : withoutNew({ ...tags, discover }),
    schemas: {
      read: intersectSchemas(ceiling.schemas.read, granted.schemas.read),
      write: intersectSchemas(ceiling.schemas.write, granted.schemas.write),
    },
  };
}

const withoutNew = (tags: Grants['tags']): Grants['tags'] =>
  byVerb((verb) => ({ ...tags[verb], allowNew: false }));

/**
 * The requested permissions that are not granted, such as `tags.propose` or `schemas.write:<id>` (rule 2.3).
 */
export function missingPermissions(ceiling: Ceiling, granted: Grants): string[] {
  const asked = (verb: TagVerb): boolean =>
    ceiling.tags[verb] && (verb !== 'delete' || ceiling.declares.delete);
  const reaching = effective(ceiling, granted).tags;
  // Discover is part of other verbs, but where it is requested the profile has to grant it.
  const isMissing = (verb: TagVerb): boolean =>
    !grantsTags((verb === 'discover' ? granted.tags : reaching)[verb]);
  const tags = TAG_VERBS.filter((verb) => asked(verb) && isMissing(verb)).map((verb) => `tags.${verb}`);
  const files =
    ceiling.files && ceiling.declares.files && !grantsTags(granted.tags.read) ? ['files.read'] : [];
  return [
    ...tags,
    ...files,
    ...missingSchemas('read', ceiling, granted),
    ...missingSchemas('write', ceiling, granted),
  ];
}

/**
 * The same for a request by scopes (rule 14.6c): one that names no schemas asks for those that the profile has, so that a
 * profile limited to some is enough.
 */
export function missingForScopes(ceiling: Ceiling, granted: Grants): string[] {
  const isOpen = (kind: 'read' | 'write'): boolean =>
    ceiling.schemas[kind].allowAll && grantsSchemas(granted.schemas[kind]);
  const left = (['read', 'write'] as const).filter(isOpen).map((kind) => `schemas.${kind}`);
  return missingPermissions(ceiling, granted).filter((name) => !left.includes(name));
}

function missingSchemas(kind: 'read' | 'write', ceiling: Ceiling, granted: Grants): string[] {
  const beyond = schemasBeyond(ceiling.schemas[kind], granted.schemas[kind]);
  return beyond.map((id) => (id === '' ? `schemas.${kind}` : `schemas.${kind}:${id}`));
}

function tagGrant({ tag_ids, allow_all, allow_new }: TagPermission, vocabulary: TagVocabulary): TagGrant {
  return {
    allowAll: allow_all,
    tagIds: new Set(tag_ids.filter((id) => vocabulary.isLiving(id))),
    endedIds: new Set(tag_ids.filter((id) => !vocabulary.isLiving(id))),
    allowNew: allow_new ?? allow_all,
  };
}

function schemaGrant({ schema_ids, allow_all }: SchemaPermission): SchemaGrant {
  return allow_all ? ALL_SCHEMAS : { allowAll: false, schemaIds: new Set(schema_ids) };
}
