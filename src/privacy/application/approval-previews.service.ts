import { Injectable } from '@nestjs/common';
import {
  type App,
  appNotFound,
  Apps,
  permissionsOf,
  requestVersionOf,
  type Scope,
  type ScopeSchemas,
} from '../../identity/index.js';
import { LastShown } from '../../kernel/last-shown.js';
import { rest } from '../../kernel/slices.js';
import { ceilingOf } from '../domain/ceiling.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { type Grants, grantedBy, missingForScopes, missingPermissions } from '../domain/profile-grants.js';
import { ExposureProfilesRepository } from '../infrastructure/exposure-profiles.repository.js';
import { VocabularyQueries } from '../infrastructure/vocabulary.queries.js';

type NamedProfile = Pick<ExposureProfile, 'id' | 'name' | 'isDefault'>;

/** An app, and for each profile of a user the requested permissions that it does not grant. */
export interface Preview {
  app: App;
  profiles: { profile: NamedProfile; missing: string[] }[];
}

/** A profile, and the scopes of a request that it does not grant in full. */
export interface GrantableProfile {
  profile: NamedProfile;
  lacks: Scope[];
}

/** Profiles of a user that grant what an app asks for (rules 2.1, 14.6b). Nothing is approved here. */
@Injectable()
export class ApprovalPreviews {
  constructor(
    private readonly stored: ExposureProfilesRepository,
    private readonly vocabularies: VocabularyQueries,
    private readonly apps: Apps,
    private readonly lastShown: LastShown,
  ) {}

  /** The data of a consent page; records that the person was shown it. @throws NOT_FOUND */
  async preview(ownerId: string, appId: string): Promise<Preview> {
    const app = approvable(await this.apps.find(appId));
    await this.lastShown.remember(ownerId, [{ entity: 'app', id: app.id, state: requestVersionOf(app) }]);
    const ceiling = ceilingOf(app.requestedPermissions);
    const profiles: Preview['profiles'] = [];
    for await (const { profile, granted } of this.grants(ownerId))
      profiles.push({ profile, missing: missingPermissions(ceiling, granted) });
    return { app, profiles };
  }

  /** The profiles of a user, narrowest first, each with the scopes that it does not grant in full. */
  async grantable(
    ownerId: string,
    { scopes, schemas }: { scopes: readonly Scope[]; schemas: ScopeSchemas },
  ): Promise<GrantableProfile[]> {
    const found: (GrantableProfile & { breadth: number })[] = [];
    const ceilings = scopes.map((scope) => ({ scope, ceiling: ceilingOf(permissionsOf([scope], schemas)) }));
    for await (const { profile, granted } of this.grants(ownerId)) {
      const lacking = ceilings.filter(({ ceiling }) => missingForScopes(ceiling, granted).length > 0);
      const { allowAll, tagIds } = granted.tags.read;
      const lacks = lacking.map(({ scope }) => scope);
      found.push({ profile, lacks, breadth: allowAll ? Infinity : tagIds.size });
    }
    const order = (a: number, b: number): number => (a === b ? 0 : a - b);
    return found.sort((a, b) => order(a.lacks.length, b.lacks.length) || order(a.breadth, b.breadth));
  }

  /** The profiles of a user and what each grants, one after the other: there may be many. */
  private async *grants(ownerId: string): AsyncGenerator<{ profile: NamedProfile; granted: Grants }> {
    const vocabulary = await this.vocabularies.load(ownerId);
    for await (const page of this.stored.grants(ownerId)) {
      for (const { id, name, isDefault, ...grants } of page) {
        await rest();
        yield { profile: { id, name, isDefault }, granted: grantedBy(grants, vocabulary) };
      }
    }
  }
}

/** The app, if it can be authorized: one that nobody registered only by a consent, which names its requests. */
export function approvable(app: App | null, isConsent = false): App {
  if (!app?.isActive || (app.kind !== 'registered' && !isConsent)) throw appNotFound(['app_id']);
  return app;
}
