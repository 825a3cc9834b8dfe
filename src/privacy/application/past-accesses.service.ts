import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { requestedPermissionsFrom } from '../../identity/index.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { appAccess, ownerAccess } from '../domain/access-of.js';
import { ceilingOf, lowerCeiling } from '../domain/ceiling.js';
import { rulesOfSnapshot } from '../domain/exposure-profile.js';
import { pseudonymKeyOf } from '../domain/exposure/pseudonym.js';
import { type PastAccess } from '../domain/past-access.js';
import { TagVocabulary } from '../domain/tags/tag-vocabulary.js';
import { type PastRecord, type PastTag, RuleHistoryQueries } from '../infrastructure/rule-history.queries.js';

/** A viewer of one owner's graph; no app: the owner. */
export interface Viewer {
  ownerId: string;
  appId: string | null;
}

/** A moment in the life of a view: positions in the owner's change log and in the app's. */
export interface Moment {
  changes: number;
  app: number;
}

/** Null: the app was not authorized. */
type Found = PastAccess | null;

const MAX_KNOWN = 20_000;
/** The bound of the cache; beyond it the least recently used accesses are dropped. */
const MAX_KNOWN_BYTES = 32 * 1024 * 1024;
/** The size of an empty access. */
const LEAST_BYTES = 1024;

/**
 * Answers "what could this caller see at position N" as a value: the Access that the guard made then, from
 * the rows of profiles, authorizations and tags in the change log. The answer for a moment never changes, so
 * it is cached by the last rule change before it.
 */
@Injectable()
export class PastAccesses {
  private readonly known = new LRUCache<string, { found: Found }>({
    max: MAX_KNOWN,
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: ({ found }) =>
      LEAST_BYTES + (found === null ? 0 : found.access.vocabulary.bytes + 3 * found.rules.length),
  });

  /** The position of the last rule change up to a position of an owner's log. */
  private readonly lastChanges = new LRUCache<string, number>({ max: MAX_KNOWN });

  constructor(
    private readonly history: RuleHistoryQueries,
    private readonly secret: EncryptionKey,
  ) {}

  /**
   * The access at a moment. Null when the app was not authorized then, or its profile was inactive. Expiry is
   * left to the caller's clock.
   */
  async at(viewer: Viewer, { changes, app }: Moment): Promise<Found> {
    const ruled = await this.lastChange(viewer.ownerId, changes);
    const key = `${viewer.ownerId} ${viewer.appId ?? ''} ${ruled} ${app}`;
    const known = this.known.get(key);
    if (known !== undefined) return known.found;
    const found = await this.load(viewer, { changes: ruled, app }, key);
    this.known.set(key, { found });
    return found;
  }

  /** The moment of a change, of which only the owner's side is known. */
  async momentOf({ appId }: Viewer, change: { sequence: number; at: Date }): Promise<Moment> {
    const app = appId === null ? 0 : await this.history.appPosition(appId, change.at);
    return { changes: change.sequence, app };
  }

  private async lastChange(ownerId: string, upTo: number): Promise<number> {
    const key = `${ownerId} ${upTo}`;
    const known = this.lastChanges.get(key);
    if (known !== undefined) return known;
    const last = await this.history.lastChange(ownerId, upTo);
    this.lastChanges.set(key, last);
    return last;
  }

  private async load({ ownerId, appId }: Viewer, moment: Moment, key: string): Promise<Found> {
    const tags = await this.history.tags(ownerId, moment.changes);
    const vocabulary = await TagVocabulary.of(tags);
    // Shared nodes take no part in sync (rule 7.11), and only they need the counter.
    const circumstances = { ownerId, vocabulary, key, changes: moment.changes, policy: 0 };
    if (appId === null) {
      const access = ownerAccess(circumstances);
      return { access, rules: 'owner', ruledAt: null, namedAt: timesOf(tags), expiresAt: null };
    }
    const authorization = (await this.history.authorizations({ ownerId, appId }, moment.changes)).find(
      isLiving,
    );
    if (authorization === undefined) return null;
    const profileId = authorization.snapshot['exposure_profile_id'] as string;
    const profile = await this.history.profile(ownerId, profileId, moment.changes);
    if (profile === null || profile.action === 'deleted' || profile.snapshot['is_active'] !== true)
      return null;
    const { requested, since } = await this.history.requested(appId, moment.app);
    const approved = requestedPermissionsFrom(authorization.snapshot['requested_permissions']);
    const rules = rulesOfSnapshot(profile.snapshot);
    const access = appAccess(circumstances, {
      appId,
      profile: { rules, isActive: true },
      ceiling: lowerCeiling(ceilingOf(approved), ceilingOf(requested)),
      pseudonymKey: pseudonymKeyOf(this.secret.bytes, appId, ownerId),
    });
    return {
      access,
      rules: JSON.stringify([rules, approved, requested]),
      ruledAt: latest([authorization.since, profile.since, ...(since === null ? [] : [since])]),
      namedAt: timesOf(tags),
      expiresAt: dateOf(authorization.snapshot['expires_at']),
    };
  }
}

const isLiving = ({ action, snapshot }: PastRecord): boolean =>
  action !== 'deleted' && (snapshot['revoked_at'] ?? null) === null;

const timesOf = (tags: readonly PastTag[]): Map<string, Date> =>
  new Map(tags.map(({ id, since }) => [id, since]));

const dateOf = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

const latest = (dates: readonly Date[]): Date =>
  dates.reduce((newest, date) => (date > newest ? date : newest));
