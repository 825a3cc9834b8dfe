import { stringify } from 'yaml';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { showNames } from '../domain/tags/tag-references.js';
import { type TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import { idsIn } from '../domain/written-rules.js';
import { type ExposureProfileDetailDto, type ExposureProfileDto } from './dto/exposure-profiles.dto.js';

/** A profile as its owner sees it, tags of filters under their current names. */
export function presentProfile(profile: ExposureProfile, vocabulary: TagVocabulary): ExposureProfileDto {
  const { tag_permissions, schema_permissions, tag_filters, tag_expression, ...rules } = showNames(
    profile.rules,
    vocabulary,
  );
  return {
    id: profile.id,
    name: profile.name,
    description: profile.description,
    owner_id: profile.ownerId,
    is_default: profile.isDefault,
    is_active: profile.isActive,
    tag_permissions,
    schema_permissions,
    tag_filters,
    tag_expression,
    ...rules,
    version: profile.version,
    created_at: profile.createdAt,
    updated_at: profile.updatedAt,
  };
}

export function presentProfileDetail(
  profile: ExposureProfile,
  vocabulary: TagVocabulary,
  { include_yaml, resolve_tag_names }: { include_yaml: boolean; resolve_tag_names: boolean },
): ExposureProfileDetailDto {
  return {
    ...presentProfile(profile, vocabulary),
    ...(include_yaml ? { yaml: presentYaml(profile, vocabulary) } : {}),
    ...(resolve_tag_names ? { tag_names: namesOfTags(profile, vocabulary) } : {}),
  };
}

/** The same fields as in JSON, times as texts. */
export function presentYaml(profile: ExposureProfile, vocabulary: TagVocabulary): string {
  return stringify(JSON.parse(JSON.stringify(presentProfile(profile, vocabulary))), { lineWidth: 0 });
}

/** The names of tags; a deleted tag has the last name that its owner knew. */
function namesOfTags(profile: ExposureProfile, vocabulary: TagVocabulary): Record<string, string> {
  const names: [string, string][] = [];
  for (const id of new Set(idsIn(profile.rules).tags)) {
    const tag = vocabulary.get(id);
    if (tag !== undefined) names.push([id, tag.name]);
  }
  return Object.fromEntries(names);
}
