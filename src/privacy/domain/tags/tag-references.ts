import { mapTags } from './tag-expression.js';
import {
  type NamedRules,
  type ProfileRules,
  type Rules,
  type TagFilters,
  type TagReference,
} from '../profile-rules.js';
import { tagNameKey } from './tag-name.js';
import { type KnownTag, type TagVocabulary } from './tag-vocabulary.js';

/**
 * Names in rules and the tags they mean (rule 3.11). There are two ways to read a name:
 *
 * - in an **include** it means the living tag of that name at the moment of saving; without such a tag it means
 * nothing, until the profile is saved again;
 * - in an **exclude** it means every tag of that name, deleted ones included, because nodes still carry them.
 * While it names no living tag it also means any tag that takes the name later.
 *
 * A reference to a living tag follows it through renaming.
 */
const unresolved = (name: string): TagReference => ({ id: null, name });

/** Rules as they were written, their names not yet resolved. */
export function byName(rules: NamedRules): ProfileRules;
export function byName(rules: Partial<NamedRules>): Partial<ProfileRules>;
export function byName({
  tag_filters,
  tag_expression,
  ...rules
}: Partial<NamedRules>): Partial<ProfileRules> {
  return {
    ...rules,
    ...(tag_filters === undefined ? {} : { tag_filters: mapFilters(tag_filters, unresolved) }),
    ...(tag_expression === undefined
      ? {}
      : { tag_expression: tag_expression && mapTags(tag_expression, unresolved) }),
  };
}

/** The rules as saved: references to living tags stay, all others are resolved again by their name. */
export function resolveAgain(rules: ProfileRules, vocabulary: TagVocabulary): ProfileRules {
  const include = (tag: TagReference): TagReference => resolveInclude(tag, vocabulary);
  const resolved = mapRules(rules, include);
  const excludes = rules.tag_filters.exclude_any.flatMap((tag) => resolveExclude(tag, vocabulary));
  return {
    ...resolved,
    tag_filters: {
      include_all: uniqueReferences(resolved.tag_filters.include_all),
      include_any: uniqueReferences(resolved.tag_filters.include_any),
      exclude_any: uniqueReferences(excludes),
    },
  };
}

/** The rules as they are shown, with the current names of the tags. */
export function showNames(rules: ProfileRules, vocabulary: TagVocabulary): NamedRules {
  const shown = mapRules(rules, (tag) => currentName(tag, vocabulary));
  const { include_all, include_any, exclude_any } = shown.tag_filters;
  return {
    ...shown,
    tag_filters: {
      include_all: uniqueNames(include_all),
      include_any: uniqueNames(include_any),
      exclude_any: uniqueNames(exclude_any),
    },
  };
}

/** The ids of all tags that an exclude currently means. */
export function excludedTagIds(excludes: readonly TagReference[], vocabulary: TagVocabulary): string[] {
  return excludes.flatMap((tag) => {
    const own = tag.id === null ? [] : [tag.id];
    if (tag.id !== null && vocabulary.isLiving(tag.id)) return own;
    return [...own, ...named(tag, vocabulary).map(({ id }) => id)];
  });
}

/** True if excludes that name no living tag by its id mean this one by its name. */
export const reachByName = (
  excludes: readonly TagReference[],
  tagId: string,
  vocabulary: TagVocabulary,
): boolean => excludedTagIds(excludes, vocabulary).includes(tagId);

/**
 * Binds an exclude to the id of a tag that it reaches only by a name, before the tag loses that name. Null
 * when no exclude does.
 */
export function keepExcluding(
  rules: ProfileRules,
  tagId: string,
  vocabulary: TagVocabulary,
): ProfileRules | null {
  const { exclude_any } = rules.tag_filters;
  const tag = vocabulary.get(tagId);
  if (tag === undefined || exclude_any.some(({ id }) => id === tagId)) return null;
  if (!reachByName(exclude_any, tagId, vocabulary)) return null;
  const added = [...exclude_any, { id: tagId, name: tag.name }];
  return { ...rules, tag_filters: { ...rules.tag_filters, exclude_any: added } };
}

/** The tags of a reference's current name. Rules are read again for each change of a tag: keys of names are not. */
function named(tag: TagReference, vocabulary: TagVocabulary): readonly KnownTag[] {
  const known = tag.id === null ? undefined : vocabulary.get(tag.id);
  return vocabulary.namesakes(known ?? tag);
}

function currentName(tag: TagReference, vocabulary: TagVocabulary): string {
  return (tag.id === null ? undefined : vocabulary.get(tag.id)?.name) ?? tag.name;
}

function resolveInclude(tag: TagReference, vocabulary: TagVocabulary): TagReference {
  const name = currentName(tag, vocabulary);
  if (tag.id !== null && vocabulary.isLiving(tag.id)) return { id: tag.id, name };
  const found = { id: vocabulary.idOf(name) ?? tag.id, name };
  return { ...found, name: currentName(found, vocabulary) };
}

function resolveExclude(tag: TagReference, vocabulary: TagVocabulary): TagReference[] {
  const name = currentName(tag, vocabulary);
  const own = tag.id === null ? [] : [{ id: tag.id, name }];
  if (tag.id !== null && vocabulary.isLiving(tag.id)) return own;
  const found = [...own, ...vocabulary.named(name).map((known) => ({ id: known.id, name: known.name }))];
  return found.length === 0 ? [unresolved(name)] : found;
}

function mapRules<From, To>(rules: Rules<From>, map: (tag: From) => To): Rules<To> {
  return {
    ...rules,
    tag_filters: mapFilters(rules.tag_filters, map),
    tag_expression: rules.tag_expression && mapTags(rules.tag_expression, map),
  };
}

function mapFilters<From, To>(filters: TagFilters<From>, map: (tag: From) => To): TagFilters<To> {
  return {
    include_all: filters.include_all.map(map),
    include_any: filters.include_any.map(map),
    exclude_any: filters.exclude_any.map(map),
  };
}

function uniqueReferences(tags: TagReference[]): TagReference[] {
  return [...new Map(tags.map((tag) => [tag.id ?? `?${tagNameKey(tag.name)}`, tag])).values()];
}

function uniqueNames(names: string[]): string[] {
  return [...new Map(names.map((name) => [tagNameKey(name), name])).values()];
}
