import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { emptyRules, type ProfileRules, type TagPermissions } from './profile-rules.js';
import { refuseLongNames } from './rule-names.js';
import { byName, resolveAgain } from './tags/tag-references.js';
import { type TagVocabulary } from './tags/tag-vocabulary.js';
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
 * A group's profile as the member sees it to whom it is assigned: its permissions for the tags that they may discover
 * and for schemas. What it hides, and why, is for admins (rule 10.6c).
 */
export const asItsMemberSees = (
  profile: ExposureProfile,
  discovers: (tagId: string) => boolean,
): ExposureProfile => {
  const { tag_permissions, schema_permissions } = profile.rules;
  const known = Object.entries(tag_permissions).map(([verb, permission]) => [
    verb,
    { ...permission, tag_ids: permission.tag_ids.filter(discovers) },
  ]);
  const rules = {
    ...byName(emptyRules()),
    tag_permissions: Object.fromEntries(known) as TagPermissions,
    schema_permissions,
  };
  return { ...profile, description: null, rules };
};

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
 * The profile with the given fields replaced as a whole and all names resolved again: writing a profile is
 * saving it again (rule 3.11).
 * @throws VALIDATION_ERROR, INVALID_TRANSFORMATION
 */
export function withFields(
  profile: ExposureProfile,
  fields: ProfileFields,
  vocabulary: TagVocabulary,
): ExposureProfile {
  const written: ProfileRules = { ...profile.rules, ...byName(readRules(fields.rules)) };
  refuseEmptyRange(written);
  // Before its names are resolved, which takes time for each; their ids may make it larger.
  refuseTooLarge(written, profile.rules);
  refuseLongNames(written, profile.rules, vocabulary);
  const rules = resolveAgain(written, vocabulary);
  refuseTooLarge(rules, profile.rules);
  return {
    ...profile,
    name: fields.name ?? profile.name,
    description: fields.description === undefined ? profile.description : fields.description,
    isDefault: fields.is_default ?? profile.isDefault,
    isActive: fields.is_active ?? profile.isActive,
    rules,
  };
}

/** The most bytes that the lists in the rules of one profile take together, as JSON. */
const MOST_BYTES = 256 * 1024;

/** Everything but lists has a bounded size, and grows by narrower rules, too (`false` is longer than `true`). */
function bytesOfLists(value: unknown): number {
  if (Array.isArray(value)) return Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + bytesOfLists(inner), 0);
}

/** Refuses lists that grow beyond the bound; an earlier release let longer ones through. @throws VALIDATION_ERROR */
function refuseTooLarge(rules: ProfileRules, before: ProfileRules): void {
  const bytes = bytesOfLists(rules);
  if (bytes <= MOST_BYTES || bytes <= bytesOfLists(before)) return;
  const sizes = Object.entries(rules).map(([field, value]) => ({ field, bytes: bytesOfLists(value) }));
  const { field } = sizes.reduce((most, one) => (one.bytes > most.bytes ? one : most));
  const message = `is too long: all lists of a profile together take ${bytes} bytes as JSON, and at most ${MOST_BYTES} are stored`;
  throw DomainError.validation(field, message);
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
