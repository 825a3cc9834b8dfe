import { laterTime } from '../../../kernel/later-time.js';
import { changedFields, type ChangedFields } from '../../../kernel/change-log/changed-fields.js';

/** The fields of a tag beside its name. Null: not set. */
export interface TagFields {
  /** `#RRGGBB` */
  color: string | null;
  category: string | null;
  description: string | null;
  parent_tag_id: string | null;
}

/**
 * A name in its stored and shown form, and the key by which names are compared and unique per owner (rule
 * 4.14).
 */
export interface TagName {
  name: string;
  key: string;
}

/**
 * A label in one person's graph, and the unit of privacy control: profiles grant and exclude by tag. A
 * deleted tag keeps its row, because it still excludes the nodes that carry it (rule 3.11). The names are
 * the table's and the wire's.
 */
export interface Tag extends TagFields {
  owner_id: string;
  id: string;
  name: string;
  name_key: string;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

/** A tag as its owner sees it and as the change log stores it (rule 4.14). */
export type TagRecord = Omit<Tag, 'name_key' | 'version' | 'deleted_at'>;

export const TAG_LIMITS = { category: 100, description: 10_000 } as const;
export const TAG_COLOR = /^#[0-9A-Fa-f]{6}$/;

/** An unsaved tag; absent fields are null. */
export function newTag(
  birth: { owner_id: string; id: string; at: Date },
  name: TagName,
  fields: Partial<TagFields> = {},
): Tag {
  return {
    owner_id: birth.owner_id,
    id: birth.id,
    name: name.name,
    name_key: name.key,
    color: fields.color ?? null,
    category: fields.category ?? null,
    description: fields.description ?? null,
    parent_tag_id: fields.parent_tag_id ?? null,
    version: 1,
    created_at: birth.at,
    updated_at: birth.at,
    deleted_at: null,
  };
}

/**
 * The next version of a tag: absent fields stay, null clears. Returns null, and so no new version, when
 * nothing would differ (rule 4.2).
 * @param how `unseen`: fields that make a version, and are named in it, even if they do not differ (rule
 * 3.16f)
 */
export function changeTag(
  tag: Tag,
  given: Partial<TagFields> & { name?: TagName },
  { at, unseen = [] }: { at: Date; unseen?: readonly string[] },
): { tag: Tag; changed: ChangedFields } | null {
  const { name, ...fields } = given;
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const next: Tag = { ...tag, ...present, ...(name ? { name: name.name, name_key: name.key } : {}) };
  const changed = changedFields(tagRecord(tag), tagRecord(next), unseen);
  if (Object.keys(changed).length === 0) return null;
  return { tag: { ...next, version: tag.version + 1, updated_at: laterTime(tag.updated_at, at) }, changed };
}

/** The last version of a tag, marked as deleted. */
export function deletedTag(tag: Tag, at: Date): Tag {
  return { ...tag, version: tag.version + 1, updated_at: laterTime(tag.updated_at, at), deleted_at: at };
}

export function tagRecord(tag: Tag): TagRecord {
  return {
    id: tag.id,
    name: tag.name,
    color: tag.color,
    category: tag.category,
    description: tag.description,
    parent_tag_id: tag.parent_tag_id,
    owner_id: tag.owner_id,
    created_at: tag.created_at,
    updated_at: tag.updated_at,
  };
}
