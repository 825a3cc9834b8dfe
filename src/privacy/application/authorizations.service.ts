import { Injectable } from '@nestjs/common';
import {
  ApiKeys,
  type App,
  Apps,
  CONFIRMED,
  type ConfirmRights,
  Notices,
  permissionsOf,
  type RequestedPermissions,
  requestVersionOf,
  type Scope,
  scopesIn,
  scopesOf,
} from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { requireFuture } from '../../kernel/errors/require-future.js';
import { newId } from '../../kernel/ids.js';
import { LastShown } from '../../kernel/last-shown.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Access } from '../domain/access.js';
import { appsRights, type Authorization, statusOf } from '../domain/authorization.js';
import { type Ceiling, ceilingOf, lowerCeiling } from '../domain/ceiling.js';
import { type ExposureProfile, type ProfileFields, profileNotFound } from '../domain/exposure-profile.js';
import { grantedBy, missingForScopes, missingPermissions } from '../domain/profile-grants.js';
import { AuthorizationsQueries, type KnownAuthorization } from '../infrastructure/authorizations.queries.js';
import { VocabularyQueries } from '../infrastructure/vocabulary.queries.js';
import { approvable } from './approval-previews.service.js';
import { AuthorizationRecords } from './authorization-records.js';
import { ExposureProfiles } from './exposure-profiles.service.js';
import { found, pairOf } from './living-authorizations.service.js';

/**
 * Changes to the profile while approving: to the profile itself, or to a copy with another name (rule 2.2).
 */
export type Customization =
  { mode: 'overwrite'; fields: ProfileFields } | { mode: 'save_as_new'; name: string; fields: ProfileFields };

export interface Approval {
  appId: string;
  profileId: string;
  customization: Customization | null;
  /** The version of the request that the person was shown; null: the one that they were last shown. */
  requestVersion: string | null;
  /** Undefined: the approval does not mention an end. */
  expiresAt?: Date | null | undefined;
  /** The terms of a consent by OAuth (rule 14.6); absent: all that a registered app requests. */
  consent?: { asked: RequestedPermissions; purpose: string | null } | undefined;
}

export interface Approved extends KnownAuthorization {
  /**
   * The user key of a new authorization, shown only now; null when an existing authorization was replaced, and where the
   * app has tokens instead.
   */
  userKey: string | null;
}

export interface Revision {
  profileId?: string | undefined;
  expiresAt?: Date | null | undefined;
  /** The scopes that remain, of those approved. */
  scopes?: readonly Scope[] | undefined;
  confirm: ConfirmRights;
}

/** The consents of users that apps act within their profiles (rules 2.1-2.7). */
@Injectable()
export class Authorizations {
  constructor(
    private readonly queries: AuthorizationsQueries,
    private readonly records: AuthorizationRecords,
    private readonly profiles: ExposureProfiles,
    private readonly vocabularies: VocabularyQueries,
    private readonly apps: Apps,
    private readonly keys: ApiKeys,
    private readonly notices: Notices,
    private readonly lastShown: LastShown,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws NOT_FOUND, for foreign and malformed ids as well */
  async get(ownerId: string, id: string): Promise<KnownAuthorization> {
    return found(await this.queries.find(ownerId, id));
  }

  /**
   * Authorizes an app. An active authorization of the pair is replaced.
   * @throws NOT_FOUND, REQUEST_CHANGED, PROFILE_INSUFFICIENT (409), VALIDATION_ERROR, and the errors of
   *   saving a profile; nothing is written then
   */
  approve(ownerId: string, approval: Approval): Promise<Approved> {
    const { appId, profileId, customization, expiresAt, consent } = approval;
    this.refusePast(expiresAt ?? null);
    return this.units.run(async () => {
      const app = approvable(await this.apps.find(appId), consent !== undefined);
      await this.refuseChanged(ownerId, app, approval);
      const profile = await this.customized(ownerId, profileId, customization);
      const asked = consent?.asked ?? app.requestedPermissions;
      const missing = consent === undefined ? missingPermissions : missingForScopes;
      await this.refuseInsufficient(profile, ceilingOf(asked), missing);
      await this.hold(app);
      const terms: Omit<Terms, 'expiresAt'> = {
        exposureProfileId: profile.id,
        requestedPermissions: asked,
        appName: app.name,
        purpose: consent?.purpose ?? null,
        isChosen: consent !== undefined,
        hasKey: consent === undefined,
      };
      await this.notices.tell(ownerId, { kind: 'app', appName: app.name });
      return (
        (await this.replace(ownerId, app, { ...terms, expiresAt })) ??
        (await this.begin(ownerId, app, { ...terms, expiresAt: expiresAt ?? null }))
      );
    });
  }

  /**
   * Changes the profile or the end; a new end also renews an expired authorization.
   * @throws INVALID_STATE_TRANSITION when it is revoked, PROFILE_INSUFFICIENT (409), NOT_FOUND,
   *   VALIDATION_ERROR, and the errors of `confirm`
   */
  revise(
    ownerId: string,
    id: string,
    { profileId, expiresAt, scopes, confirm }: Revision,
  ): Promise<KnownAuthorization> {
    this.refusePast(expiresAt ?? null);
    return this.units.run(async () => {
      // The profile is locked before the authorization, as everywhere: two units that lock both cannot
      // deadlock.
      const profile = profileId === undefined ? null : await this.locked(ownerId, profileId);
      const { authorization, ...known } = found(await this.queries.lock(ownerId, id));
      if (authorization.revokedAt !== null) {
        throw new DomainError(
          'INVALID_STATE_TRANSITION',
          'A revoked authorization stays revoked; approve the app again',
        );
      }
      const requestedPermissions = narrowed(authorization.requestedPermissions, scopes);
      const ceiling = effectiveCeiling({ ...authorization, requestedPermissions }, known.requested);
      const missing = authorization.isChosen ? missingForScopes : missingPermissions;
      if (profile) await this.refuseInsufficient(profile, ceiling, missing);
      const changes = {
        requestedPermissions,
        isChosen: authorization.isChosen || requestedPermissions !== authorization.requestedPermissions,
        exposureProfileId: profile?.id ?? authorization.exposureProfileId,
        expiresAt: expiresAt === undefined ? authorization.expiresAt : expiresAt,
      };
      const isSame =
        requestedPermissions === authorization.requestedPermissions &&
        changes.exposureProfileId === authorization.exposureProfileId &&
        changes.expiresAt?.getTime() === authorization.expiresAt?.getTime();
      await confirm(appsRights(authorization), appsRights({ ...authorization, ...changes }));
      if (isSame) return { ...known, authorization };
      await this.notices.tell(ownerId, { kind: 'app-changed', appName: known.currentName });
      return { ...known, authorization: await this.records.revise(authorization, changes) };
    });
  }

  /** Ends the authorization permanently; one that has ended is left unchanged. @throws NOT_FOUND */
  revoke(ownerId: string, id: string): Promise<Authorization> {
    return this.units.run(async () => {
      const { authorization, currentName } = found(await this.queries.lock(ownerId, id));
      if (authorization.revokedAt !== null) return authorization;
      await this.notices.tell(ownerId, { kind: 'app-ended', appName: currentName });
      return this.records.revoke(authorization);
    });
  }

  /** Ends the authorization that an app is acting by. */
  async giveUp(access: Access): Promise<Authorization> {
    const { authorization } = found(await this.queries.findLiving(pairOf(access)));
    return this.revoke(access.ownerId, authorization.id);
  }

  /** An agreed end stays until another is named: a larger request must not last longer (rule 2.2). */
  private async replace(
    ownerId: string,
    app: App,
    { expiresAt, hasKey: _, ...terms }: Omit<Terms, 'expiresAt'> & Pick<Approval, 'expiresAt'>,
  ): Promise<Approved | null> {
    const living = await this.queries.lockLiving({ ownerId, appId: app.id });
    if (living === null) return null;
    if (statusOf(living.authorization, this.clock.now()) === 'expired') {
      await this.records.revoke(living.authorization);
      return null;
    }
    const authorization = await this.records.revise(living.authorization, {
      ...terms,
      expiresAt: expiresAt === undefined ? living.authorization.expiresAt : expiresAt,
    });
    return { authorization, ...knownOf(app), userKey: null };
  }

  private async begin(ownerId: string, app: App, { hasKey, ...terms }: Terms): Promise<Approved> {
    const now = this.clock.now();
    const birth = {
      ownerId,
      id: newId(),
      appId: app.id,
      createdAt: now,
      updatedAt: now,
      revokedAt: null,
      version: 1,
    };
    const authorization: Authorization = { ...birth, ...terms };
    if (!(await this.records.add(authorization))) {
      // The same pair has been approved since it was read; now there is one to replace.
      const again = { ...terms, hasKey };
      return (await this.replace(ownerId, app, again)) ?? this.begin(ownerId, app, again);
    }
    const bound = { appId: app.id, userId: ownerId, authorizationId: authorization.id };
    const userKey = hasKey ? (await this.keys.issueUserKey(bound)).api_key : null;
    return { authorization, ...knownOf(app), userKey };
  }

  private async customized(
    ownerId: string,
    profileId: string,
    customization: Customization | null,
  ): Promise<ExposureProfile> {
    const profile = await this.locked(ownerId, profileId, customization?.fields);
    if (customization === null) return profile;
    return customization.mode === 'overwrite'
      ? this.profiles.update(profile, customization.fields, {
          precondition: () => undefined,
          confirm: CONFIRMED,
        })
      : this.profiles.copy(profile, customization.name, customization.fields);
  }

  /** Locks the profile, so that it cannot be deleted before the authorization is written. */
  private async locked(
    ownerId: string,
    profileId: string,
    written?: ProfileFields,
  ): Promise<ExposureProfile> {
    const profile = await this.profiles.lock(ownerId, profileId, written);
    if (profile === null) throw profileNotFound(['exposure_profile_id']);
    return profile;
  }

  /** Locks the app, after all that may take long: its developer waits from then on. */
  private async hold(app: App): Promise<void> {
    const held = approvable(await this.apps.hold(app.id), true);
    if (requestVersionOf(held) !== requestVersionOf(app)) throw requestChanged();
  }

  /** Refuses an approval of anything but the request that was shown: an app may change it between the two. */
  private async refuseChanged(ownerId: string, app: App, { requestVersion }: Approval): Promise<void> {
    const shown = requestVersion ?? (await this.lastShown.of(ownerId, 'app', app.id));
    if (shown === null || shown === requestVersionOf(app)) return;
    throw requestChanged();
  }

  private async refuseInsufficient(
    profile: ExposureProfile,
    ceiling: Ceiling,
    missingOf = missingPermissions,
  ): Promise<void> {
    const vocabulary = await this.vocabularies.load(profile.ownerId);
    const missing = missingOf(ceiling, grantedBy(profile, vocabulary));
    if (missing.length === 0) return;
    const message = 'The profile does not grant everything that the app requests';
    throw new DomainError('PROFILE_INSUFFICIENT', message, { missing });
  }

  private refusePast(expiresAt: Date | null): void {
    requireFuture('expires_at', expiresAt, this.clock.now());
  }
}

type Terms = Pick<
  Authorization,
  'exposureProfileId' | 'requestedPermissions' | 'appName' | 'purpose' | 'isChosen' | 'expiresAt'
> & {
  /** True if a new authorization has a user key. */
  hasKey: boolean;
};

const knownOf = (app: App): Omit<KnownAuthorization, 'authorization'> => ({
  requested: app.requestedPermissions,
  currentName: app.name,
  client: app,
});

/** The most that an app may have through an authorization (rule 2.7). */
export const effectiveCeiling = (
  { requestedPermissions }: Authorization,
  requested: RequestedPermissions,
): Ceiling => lowerCeiling(ceilingOf(requestedPermissions), ceilingOf(requested));

/** The permissions that are left of approved ones. @throws VALIDATION_ERROR for a scope that was not approved */
function narrowed(
  approved: RequestedPermissions,
  scopes: readonly Scope[] | undefined,
): RequestedPermissions {
  if (scopes === undefined) return approved;
  const before = scopesIn(approved);
  const left = scopesOf(scopes);
  if (left.length === 0)
    throw DomainError.validation('scopes', 'must not be empty; revoke the authorization instead');
  if (!left.every((scope) => before.includes(scope)))
    throw DomainError.validation('scopes', 'can only leave out scopes; the app has to ask for more');
  return left.length === before.length ? approved : permissionsOf(left, approved.schemas);
}

const requestChanged = (): DomainError =>
  new DomainError(
    'REQUEST_CHANGED',
    'What the app asks for, or what it says about itself, has changed since you were shown it; ' +
      'preview it again before you approve it',
  );
