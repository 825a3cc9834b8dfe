import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Access } from '../domain/access.js';
import { type Authorization, statusOf } from '../domain/authorization.js';
import { type PermissionSummary, summarize } from '../domain/permission-summary.js';
import { grantedBy } from '../domain/profile-grants.js';
import { AuthorizationsQueries, type KnownAuthorization } from '../infrastructure/authorizations.queries.js';
import { ExposureProfiles } from './exposure-profiles.service.js';

/** The authorizations by which apps may act now. */
@Injectable()
export class LivingAuthorizations {
  constructor(
    private readonly queries: AuthorizationsQueries,
    private readonly profiles: ExposureProfiles,
    private readonly clock: Clock,
  ) {}

  /** The apps of a list that somebody has authorized, if only once. */
  authorizedOf(appIds: readonly string[]): Promise<Set<string>> {
    return this.queries.authorizedOf(appIds);
  }

  /** The authorization, locked until the unit ends; null unless it is active. */
  async holdActive(ownerId: string, id: string): Promise<Authorization | null> {
    const known = await this.queries.lock(ownerId, id);
    if (known === null) return null;
    return statusOf(known.authorization, this.clock.now()) === 'active' ? known.authorization : null;
  }

  /** The authorization by which an app may act now; null without one. */
  async activeOf(ownerId: string, appId: string): Promise<Authorization | null> {
    const known = await this.queries.findLiving({ ownerId, appId });
    if (known === null) return null;
    return statusOf(known.authorization, this.clock.now()) === 'active' ? known.authorization : null;
  }

  /**
   * The currently authorized apps, and the total: the named one first, then the others from the oldest on. Of more than
   * `limit` the newest are returned.
   */
  async activeApps(
    ownerId: string,
    { first, limit }: { first: string; limit: number },
  ): Promise<{ apps: { id: string; name: string }[]; total: number }> {
    const named = await this.queries.findLiving({ ownerId, appId: first });
    const isActive = named !== null && statusOf(named.authorization, this.clock.now()) === 'active';
    const page = await this.queries.listOf(ownerId, { status: 'active', limit, offset: 0 });
    const others = page.authorizations.filter(({ authorization }) => authorization.appId !== first).reverse();
    const known = [...(isActive ? [named] : []), ...others].slice(0, limit);
    const apps = known.map(({ authorization, currentName }) => ({
      id: authorization.appId,
      name: currentName,
    }));
    return { apps, total: page.total };
  }

  /** The authorization that an app is acting by, and its permissions. */
  async current(access: Access): Promise<{ known: KnownAuthorization; summary: PermissionSummary }> {
    const known = found(await this.queries.findLiving(pairOf(access)));
    const profile = await this.profiles.get(access.ownerId, known.authorization.exposureProfileId);
    const granted = grantedBy(profile, access.vocabulary);
    return { known, summary: summarize(access, known.requested, granted) };
  }
}

export const pairOf = ({ ownerId, actor }: Access) => ({ ownerId, appId: actor.appId as string });

/** @throws NOT_FOUND */
export function found(authorization: KnownAuthorization | null): KnownAuthorization {
  if (authorization === null) throw new DomainError('NOT_FOUND', 'Authorization not found');
  return authorization;
}
