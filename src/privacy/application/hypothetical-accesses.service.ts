import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type App, appNotFound, Apps } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { type Access } from '../domain/access.js';
import { appAccess, explainedAppAccess } from '../domain/access-of.js';
import { type Authorization, type AuthorizationStatus, statusOf } from '../domain/authorization.js';
import { type Ceiling, ceilingOf, NO_CEILING } from '../domain/ceiling.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { grantedBy, missingPermissions } from '../domain/profile-grants.js';
import { type NodeVerb } from '../domain/profile-visibility.js';
import { type Rule, type RuleVerdict } from '../domain/rule.js';
import { type KnownAuthorization, AuthorizationsQueries } from '../infrastructure/authorizations.queries.js';
import { Accesses } from './accesses.service.js';
import { effectiveCeiling } from './authorizations.service.js';

/** The access that an app would have through a profile, with its reasons. */
export interface HypotheticalAccess {
  /**
   * The guard's access once the app is authorized with this profile, seen by the owner. Nothing is granted while it is
   * inactive.
   */
  access: Access;
  /** The rules behind `access.nodes` of an active profile; inactivity is a circumstance. */
  rules: Record<NodeVerb, Rule>;
  /** Conditions that do not depend on the node: the guard checks them first. */
  circumstances: RuleVerdict[];
  authorization: (Authorization & { status: AuthorizationStatus }) | null;
  /** Permissions that the app requests and the profile does not grant; empty without an app. */
  missing: string[];
}

/**
 * The access an app would have through any profile: active, revoked, or not yet saved. Made by the same function as the
 * guard's.
 */
@Injectable()
export class HypotheticalAccesses {
  constructor(
    private readonly authorizations: AuthorizationsQueries,
    private readonly accesses: Accesses,
    private readonly apps: Apps,
    private readonly clock: Clock,
  ) {}

  /**
   * @param owner to the own graph
   * @param appId null: an app that requests everything
   * @throws NOT_FOUND for an unknown app
   */
  async of(owner: Access, profile: ExposureProfile, appId: string | null): Promise<HypotheticalAccess> {
    const named = appId === null ? null : await this.appNamed(owner.ownerId, appId);
    const app = named?.app ?? null;
    const known = named?.known ?? null;
    const ceiling = ceilingFor(app, known);
    const { rules: fields, isActive } = profile;
    const granting = { rules: fields, isActive };
    const key = keyOf([owner.key, app?.id, granting, app?.requestedPermissions, known?.authorization]);
    const { ownerId, vocabulary, changes, policy } = owner;
    const circumstances = { ownerId, vocabulary, changes, policy, key };
    const appActing = app?.id ?? ownerId;
    const terms = { appId: appActing, ceiling, pseudonymKey: this.accesses.pseudonymKey(appActing, ownerId) };
    const access = appAccess(circumstances, { ...terms, profile: granting });
    const { rules } = explainedAppAccess(circumstances, {
      ...terms,
      profile: { rules: fields, isActive: true },
    });
    const now = this.clock.now();
    return {
      access: { ...access, actor: owner.actor, receives: false },
      rules,
      circumstances: circumstancesOf(profile, { app, known, now }),
      authorization: known && { ...known.authorization, status: statusOf(known.authorization, now) },
      missing: app === null ? [] : missingPermissions(ceiling, grantedBy(granting, vocabulary)),
    };
  }

  /** An inactive app is known only to users who have authorized it. */
  private async appNamed(ownerId: string, appId: string): Promise<Pick<Standing, 'known'> & { app: App }> {
    const app = await this.apps.find(appId);
    const known = app && (await this.authorizations.findLiving({ ownerId, appId: app.id }));
    if (app === null || !(app.isActive || known)) throw appNotFound(['app_id']);
    return { app, known };
  }
}

interface Standing {
  app: App | null;
  known: KnownAuthorization | null;
  now: Date;
}

/** An authorized app has at most the approved permissions; any other, those that would be approved today (rule 2.7). */
function ceilingFor(app: App | null, known: KnownAuthorization | null): Ceiling {
  if (app === null) return NO_CEILING;
  return known === null
    ? ceilingOf(app.requestedPermissions)
    : effectiveCeiling(known.authorization, known.requested);
}

/** The circumstances in the order of the guard's checks. */
function circumstancesOf(profile: ExposureProfile, { app, known, now }: Standing): RuleVerdict[] {
  const authorization = known?.authorization;
  const said = (rule: string, holds: boolean): RuleVerdict => ({
    rule,
    verdict: holds ? 'passes' : 'refuses',
  });
  const unset = (rule: string): RuleVerdict => ({ rule, verdict: 'not_set' });
  return [
    app === null ? unset('app.is_active') : said('app.is_active', app.isActive),
    app === null
      ? unset('authorization')
      : said('authorization', authorization?.exposureProfileId === profile.id),
    !authorization?.expiresAt
      ? unset('authorization.expires_at')
      : said('authorization.expires_at', statusOf(authorization, now) !== 'expired'),
    said('is_active', profile.isActive),
  ];
}

/** Equal inputs mean equal decisions, so totals are cached by it. */
const keyOf = (inputs: unknown[]): string =>
  `hypothetical ${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url')}`;
