import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { emptyRules, type ProfileRules } from './profile-rules.js';
import { byName, resolveAgain } from './tag-references.js';
import { type TagVocabulary } from './tag-vocabulary.js';
import { readRules, refuseEmptyRange, type WrittenRules } from './written-rules.js';

/** A privacy filter that a user owns (specification, Exposure profile). */
export interface ExposureProfile {
  ownerId: string;
  id: string;
  name: string;
  description: string | null;
  isDefault: boolean;
  isActive: boolean;
  rules: ProfileRules;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * One error for absent, foreign and malformed ids (rule 3.18); `fields` are those of a body that held the id.
 */
export const profileNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NOT_FOUND', 'Exposure profile not found', fields);

/** The fields of a profile in a write; absent ones stay unchanged. */
export interface ProfileFields {
  name?: string;
  description?: string | null;
  is_default?: boolean;
  is_active?: boolean;
  rules: WrittenRules;
}

export interface ProfileBirth {
  ownerId: string;
  id: string;
  name: string;
  at: Date;
}

/** A profile created with a name alone lets nothing through (rule 3.13). */
export function newProfile({ ownerId, id, name, at }: ProfileBirth): ExposureProfile {
  return {
    ownerId,
    id,
    name,
    description: null,
    isDefault: false,
    isActive: true,
    rules: byName(emptyRules()),
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}

/**
 * The profile with the given fields replaced as a whole and all names resolved anew: writing a profile is
 * saving it again (rule 3.11).
 * @throws VALIDATION_ERROR, INVALID_TRANSFORMATION
 */
export function withFields(
  profile: ExposureProfile,
  fields: ProfileFields,
  vocabulary: TagVocabulary,
): ExposureProfile {
  const rules: ProfileRules = { ...profile.rules, ...byName(readRules(fields.rules)) };
  refuseEmptyRange(rules);
  return {
    ...profile,
    name: fields.name ?? profile.name,
    description: fields.description === undefined ? profile.description : fields.description,
    isDefault: fields.is_default ?? profile.isDefault,
    isActive: fields.is_active ?? profile.isActive,
    rules: resolveAgain(rules, vocabulary),
  };
}

/** A separate profile with the same rules under another name: active, and not the default. */
export function copyOf(profile: ExposureProfile, birth: ProfileBirth): ExposureProfile {
  return { ...newProfile(birth), description: profile.description, rules: profile.rules };
}

/** The next version, or null when nothing has changed. */
export function nextVersion(
  before: ExposureProfile,
  after: ExposureProfile,
  at: Date,
): ExposureProfile | null {
  if (isDeepStrictEqual(before, after)) return null;
  return { ...after, version: before.version + 1, updatedAt: at };
}

/**
 * The whole state for the change log, with the tag ids that names meant, so that an app's view can be
 * reconstructed later.
 */
export function snapshotOf({
  ownerId,
  id,
  createdAt,
  updatedAt,
  ...profile
}: ExposureProfile): Record<string, unknown> {
  const { name, description, isDefault, isActive, rules, version } = profile;
  return {
    id,
    owner_id: ownerId,
    name,
    description,
    is_default: isDefault,
    is_active: isActive,
    ...rules,
    version,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** The rules in such a state. */
export function rulesOfSnapshot(snapshot: Readonly<Record<string, unknown>>): ProfileRules {
  const rules = byName(emptyRules());
  return Object.fromEntries(
    Object.entries(rules).map(([field, empty]) => [field, field in snapshot ? snapshot[field] : empty]),
  ) as unknown as ProfileRules;
}
