import { Injectable } from '@nestjs/common';
import { type ConfirmRights } from '../../identity/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { changedFields, changedItems } from '../../kernel/change-log/changed-fields.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { rest } from '../../kernel/slices.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../kernel/database/violations.js';
import { statusOf } from '../domain/authorization.js';
import {
  copyOf,
  type ExposureProfile,
  newProfile,
  nextVersion,
  profileNotFound,
  type ProfileFields,
  snapshotOf,
  withFields,
} from '../domain/exposure-profile.js';
import { profileRights } from '../domain/profile-rights.js';
import { type Template, templateRules } from '../domain/profile-rules.js';
import { byName, keepExcluding, reachByName } from '../domain/tags/tag-references.js';
import { AuthorizationsQueries } from '../infrastructure/authorizations.queries.js';
import {
  ExposureProfilesRepository,
  type ProfilesPage,
} from '../infrastructure/exposure-profiles.repository.js';
import { ProfileLocks } from '../infrastructure/profile-locks.queries.js';
import { VocabularyQueries } from '../infrastructure/vocabulary.queries.js';
import { AuthorizationRecords } from './authorization-records.js';
import { ProfileReferences } from './profile-references.js';

const DEFAULT_NAME = 'Default';

/** Checks of a profile while it is locked; each throws to refuse the write. */
export interface ProfileChecks {
  /**
   * Runs first. Throws PRECONDITION_FAILED when the profile is not the one that the caller has seen
   * (If-Match).
   */
  precondition: (profile: ExposureProfile) => void;
  /** Runs when an app, a member or a group is shown something through the profile. */
  confirm: ConfirmRights;
}

const UNCHECKED = (): void => undefined;

/**
 * Exposure profiles (specification, Exposure profiles; rules 3). Every step is one unit of work that writes a
 * row of the change log with the whole state and ends the decisions that guards remember for the owner.
 */
@Injectable()
export class ExposureProfiles {
  constructor(
    private readonly profiles: ExposureProfilesRepository,
    private readonly locks: ProfileLocks,
    private readonly vocabularies: VocabularyQueries,
    private readonly references: ProfileReferences,
    private readonly authorizations: AuthorizationsQueries,
    private readonly records: AuthorizationRecords,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND, for foreign and malformed ids as well */
  async get(ownerId: string, id: string): Promise<ExposureProfile> {
    return found(await this.profiles.find(ownerId, id));
  }

  list(ownerId: string, page: ProfilesPage): Promise<{ profiles: ExposureProfile[]; total: number }> {
    return this.profiles.list(ownerId, page);
  }

  /** @throws PROFILE_NAME_EXISTS, VALIDATION_ERROR, INVALID_TRANSFORMATION; NOT_FOUND, NODE_NOT_FOUND for ids in it */
  create(ownerId: string, { name, ...fields }: ProfileFields & { name: string }): Promise<ExposureProfile> {
    return this.add(newProfile(this.birth(ownerId, name)), fields);
  }

  /** Creates a profile that is never the default. @throws PROFILE_NAME_EXISTS */
  createFromTemplate(ownerId: string, template: Template, name: string): Promise<ExposureProfile> {
    const blank = newProfile(this.birth(ownerId, name));
    return this.add({ ...blank, rules: byName(templateRules(template)) }, { rules: {} });
  }

  /** Creates a profile with the same rules and these changes under a new name. @throws as create */
  copy(source: ExposureProfile, name: string, fields: ProfileFields): Promise<ExposureProfile> {
    return this.add(copyOf(source, this.birth(source.ownerId, name)), { ...fields, name }, source);
  }

  /** The owner's default profile; made from the transparent template if missing. */
  async getDefault(ownerId: string): Promise<ExposureProfile> {
    return (await this.profiles.findDefault(ownerId)) ?? this.units.run(() => this.makeDefault(ownerId));
  }

  /**
   * Locks the profile against changes and deletion until the unit ends. A caller that is going to write
   * `is_default` takes the lock of the default first: taken after a profile's lock it would deadlock with
   * writers that hold it and wait for that profile.
   * @param fields the fields that will be written, to the profile or to its copy
   */
  async lock(
    ownerId: string,
    id: string,
    fields: Pick<ProfileFields, 'is_default'> = {},
  ): Promise<ExposureProfile | null> {
    if (fields.is_default !== undefined) await this.locks.defaultOf(ownerId);
    return this.profiles.lock(ownerId, id);
  }

  /**
   * Replaces each given field as a whole.
   * @throws as create; NOT_FOUND when it has been deleted meanwhile; the errors of the checks
   */
  update(
    { ownerId, id }: ExposureProfile,
    fields: ProfileFields,
    { precondition, confirm }: ProfileChecks,
  ): Promise<ExposureProfile> {
    return this.units.run(async () => {
      const before = found(await this.lock(ownerId, id, fields));
      precondition(before);
      const vocabulary = await this.vocabularies.load(ownerId);
      const changed = withFields(before, fields, vocabulary);
      await this.references.refuseUnknown(changed, before.rules, vocabulary);
      if (await this.authorizations.isInUse(ownerId, id))
        await confirm(profileRights(before), profileRights(changed));
      return this.save(before, changed);
    });
  }

  /** The profile as it would be with these fields; nothing is saved. @throws as update */
  async edited(profile: ExposureProfile, fields: ProfileFields): Promise<ExposureProfile> {
    const vocabulary = await this.vocabularies.load(profile.ownerId);
    const changed = withFields(profile, fields, vocabulary);
    await this.references.refuseUnknown(changed, profile.rules, vocabulary);
    return changed;
  }

  /** The profile that these fields would make under any name; nothing is saved. @throws as create, but for its name */
  async draft(ownerId: string, fields: ProfileFields): Promise<ExposureProfile> {
    const vocabulary = await this.vocabularies.load(ownerId);
    const profile = withFields(newProfile(this.birth(ownerId, '')), fields, vocabulary);
    await this.references.refuseUnknown(profile, null, vocabulary);
    return profile;
  }

  /**
   * Deletes a profile and its revoked and expired authorizations (specification, Exposure profile deletion
   * rules).
   * @throws DEFAULT_PROFILE, ACTIVE_AUTHORIZATIONS, PROFILE_IN_USE (409); NOT_FOUND
   */
  delete(
    { ownerId, id }: ExposureProfile,
    precondition: ProfileChecks['precondition'] = UNCHECKED,
  ): Promise<void> {
    return this.units.run(async () => {
      const profile = found(await this.profiles.lock(ownerId, id));
      precondition(profile);
      if (profile.isDefault)
        throw new DomainError('DEFAULT_PROFILE', 'The default profile cannot be deleted');
      const users = await this.authorizations.lockOfProfile(ownerId, id);
      const now = this.clock.now();
      if (users.some(({ authorization }) => statusOf(authorization, now) === 'active')) {
        throw new DomainError(
          'ACTIVE_AUTHORIZATIONS',
          'Revoke the authorizations that use this profile first',
        );
      }
      for (const { authorization } of users) await this.records.erase(authorization);
      await unlessInUse(this.profiles.delete(ownerId, id));
      this.record(profile, 'deleted', null);
    });
  }

  /**
   * Binds excludes to the id of a tag that they reach only by its name, so that they still exclude it (rule
   * 3.11). Must be called in the unit of work that renames the tag, before the row changes.
   */
  async keepExcluding(ownerId: string, tagId: string): Promise<void> {
    const vocabulary = await this.vocabularies.load(ownerId);
    for await (const page of this.profiles.excludesByName(ownerId, tagId)) {
      for (const { id, excludes } of page) {
        await rest();
        if (!reachByName(excludes, tagId, vocabulary)) continue;
        const before = await this.profiles.lock(ownerId, id);
        const kept = before && keepExcluding(before.rules, tagId, vocabulary);
        if (before && kept) await this.save(before, { ...before, rules: kept });
      }
    }
  }

  private add(
    blank: ExposureProfile,
    fields: ProfileFields,
    source?: ExposureProfile,
  ): Promise<ExposureProfile> {
    return this.units.run(async () => {
      const vocabulary = await this.vocabularies.load(blank.ownerId);
      const profile = withFields(blank, fields, vocabulary);
      await this.references.refuseUnknown(profile, source?.rules ?? null, vocabulary);
      if (profile.isDefault) {
        await this.locks.defaultOf(profile.ownerId);
        await this.dismissDefault(profile);
      }
      if (!(await this.profiles.insert(profile))) throw nameTaken();
      this.record(profile, 'created', null);
      return profile;
    });
  }

  private async makeDefault(ownerId: string): Promise<ExposureProfile> {
    await this.locks.defaultOf(ownerId);
    const existing = await this.profiles.findDefault(ownerId);
    if (existing) return existing;
    const rules = byName(templateRules('transparent'));
    for (let number = 1; ; number++) {
      const name = number === 1 ? DEFAULT_NAME : `${DEFAULT_NAME} ${number}`;
      const profile = { ...newProfile(this.birth(ownerId, name)), rules, isDefault: true };
      if (!(await this.profiles.insert(profile))) continue;
      this.record(profile, 'created', null);
      return profile;
    }
  }

  private async save(before: ExposureProfile, changed: ExposureProfile): Promise<ExposureProfile> {
    const after = nextVersion(before, changed, this.clock.now());
    if (after === null) return before;
    if (after.isDefault && !before.isDefault) await this.dismissDefault(after);
    try {
      await this.profiles.update(after);
    } catch (error) {
      if (isUniqueViolation(error, 'exposure_profiles_name')) throw nameTaken();
      throw error;
    }
    this.record(after, 'updated', before);
    return after;
  }

  /** Unmarks the previous default profile: there is only one. */
  private async dismissDefault({ ownerId, id }: ExposureProfile): Promise<void> {
    const current = await this.profiles.findDefault(ownerId);
    if (current === null || current.id === id) return;
    const before = await this.profiles.lock(ownerId, current.id);
    if (before?.isDefault) await this.save(before, { ...before, isDefault: false });
  }

  private record(profile: ExposureProfile, action: string, before: ExposureProfile | null): void {
    const snapshot = snapshotOf(profile);
    this.changes.append({
      ownerId: profile.ownerId,
      entity: 'exposure_profile',
      entityId: profile.id,
      action,
      version: profile.version,
      changedFields: before && changedItems(changedFields(snapshotOf(before), snapshot)),
      snapshot,
    });
    this.changes.bumpPolicyVersion(profile.ownerId);
  }

  private birth(ownerId: string, name: string) {
    return { ownerId, id: newId(), name, at: this.clock.now() };
  }
}

function found(profile: ExposureProfile | null): ExposureProfile {
  if (profile === null) throw profileNotFound();
  return profile;
}

const nameTaken = (): DomainError =>
  new DomainError('PROFILE_NAME_EXISTS', 'An exposure profile with this name already exists');

/**
 * Translates a failed deletion: memberships and shares of groups refer to the profiles that they go through
 * (rules 3, Profiles).
 */
async function unlessInUse(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw new DomainError('PROFILE_IN_USE', 'A group share or a group member uses this profile');
  }
}
