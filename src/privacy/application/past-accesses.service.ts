import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { rest } from '../../kernel/slices.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { appAccess, ownerAccess } from '../domain/access-of.js';
import { ceilingOf, lowerCeiling, withinScopes } from '../domain/ceiling.js';
import { pseudonymKeyOf } from '../domain/exposure/pseudonym.js';
import { type PastAccess } from '../domain/past-access.js';
import { type PastRequest, RuleHistoryQueries } from '../infrastructure/rule-history.queries.js';
import { type PastRuleState, PastRules, type Viewer } from './past-rules.service.js';

/** A moment in the life of a view: positions in the owner's change log and in the app's. */
export interface Moment {
  changes: number;
  app: number;
}

/** Null: the app was not authorized. */
type Found = PastAccess | null;

/** An access, and the rules that it was made of. */
interface Known {
  found: Found;
  state: PastRuleState;
}

const MAX_KNOWN = 20_000;
const MAX_REQUESTS = 1_000;
const MAX_REQUESTS_BYTES = 4 * 1024 * 1024;
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
  private readonly known = new LRUCache<string, Known>({
    max: MAX_KNOWN,
    maxSize: MAX_KNOWN_BYTES,
    sizeCalculation: ({ found, state }) =>
      LEAST_BYTES +
      state.vocabulary.bytes +
      (found === null ? 0 : 3 * found.rules.length + found.access.exposure.bytes),
  });

  /** The key of the latest access that was loaded for a viewer: later ones are made from its rules. */
  private readonly newest = new LRUCache<string, string>({ max: MAX_KNOWN });

  /** The position of the last rule change up to a position of an owner's log. */
  private readonly lastChanges = new LRUCache<string, number>({ max: MAX_KNOWN });

  private readonly requests = new LRUCache<string, PastRequest>({
    max: MAX_REQUESTS,
    maxSize: MAX_REQUESTS_BYTES,
    sizeCalculation: (request) => LEAST_BYTES + 2 * JSON.stringify(request).length,
  });

  constructor(
    private readonly history: RuleHistoryQueries,
    private readonly rules: PastRules,
    private readonly secret: EncryptionKey,
  ) {}

  /**
   * The access at a moment. Null when the app was not authorized then, or its profile was inactive. Expiry is
   * left to the caller's clock.
   */
  async at(viewer: Viewer, moment: Moment): Promise<Found> {
    return (await this.knownAt(viewer, moment)).found;
  }

  /**
   * The accesses at several moments, each with its place in the list, in no order. What one moment takes of memory is
   * free when the next one is taken; what both share is loaded once.
   */
  async *atEach(viewer: Viewer, moments: readonly Moment[]): AsyncGenerator<{ place: number; found: Found }> {
    const rising = [...moments.entries()].sort(([, one], [, other]) => one.changes - other.changes);
    const [earliest] = rising;
    if (earliest === undefined) return;
    const first = await this.knownAt(viewer, earliest[1]);
    const positions = rising.map(([, { changes }]) => Math.max(changes, first.state.ruled));
    const states = this.rules.following(viewer, first.state, positions);
    let [lastKey, found]: [string, Found] = ['', null];
    for (const [place, { app }] of rising) {
      const state = (await states.next()).value as PastRuleState;
      const key = keyOf(viewer, state.ruled, app);
      if (key !== lastKey) {
        await rest();
        found = this.known.get(key)?.found ?? (await this.access(viewer, { state, app, key }));
        lastKey = key;
      }
      yield { place, found };
    }
  }

  /** The moments of changes, of which only the owner's side is known. */
  async momentsOf({ appId }: Viewer, changes: readonly { sequence: number; at: Date }[]): Promise<Moment[]> {
    const times = changes.map(({ at }) => at);
    const positions =
      appId === null || times.length === 0 ? [] : await this.history.appPositions(appId, times);
    return changes.map(({ sequence }, place) => ({ changes: sequence, app: positions[place] ?? 0 }));
  }

  private async knownAt(viewer: Viewer, { changes, app }: Moment): Promise<Known> {
    const ruled = await this.lastChange(viewer.ownerId, changes);
    const key = keyOf(viewer, ruled, app);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const state = await this.stateAt(viewer, ruled);
    const made = { state, found: await this.access(viewer, { state, app, key }) };
    this.known.set(key, made);
    const newest = this.newestOf(viewer);
    if (newest === undefined || newest.ruled <= state.ruled) this.newest.set(nameOf(viewer), key);
    return made;
  }

  private async stateAt(viewer: Viewer, ruled: number): Promise<PastRuleState> {
    const state = this.newestOf(viewer);
    if (state === undefined || state.ruled > ruled) return this.rules.at(viewer, ruled);
    return (await this.rules.following(viewer, state, [ruled]).next()).value as PastRuleState;
  }

  private newestOf(viewer: Viewer): PastRuleState | undefined {
    const key = this.newest.get(nameOf(viewer));
    return key === undefined ? undefined : this.known.get(key)?.state;
  }

  private async lastChange(ownerId: string, upTo: number): Promise<number> {
    const key = `${ownerId} ${upTo}`;
    const known = this.lastChanges.get(key);
    if (known !== undefined) return known;
    const last = await this.history.lastChange(ownerId, upTo);
    this.lastChanges.set(key, last);
    return last;
  }

  /** The answer for a position of the app's log never changes. */
  private async requested(appId: string, app: number): Promise<PastRequest> {
    const key = `${appId} ${app}`;
    const request = this.requests.get(key) ?? (await this.history.requested(appId, app));
    this.requests.set(key, request);
    return request;
  }

  private async access(
    { ownerId, appId, scopes }: Viewer,
    { state, app, key }: { state: PastRuleState; app: number; key: string },
  ): Promise<Found> {
    const { ruled, vocabulary, terms } = state;
    // Shared nodes take no part in sync (rule 7.11), and only they need the counter.
    const circumstances = { ownerId, vocabulary, key, changes: ruled, policy: 0 };
    if (appId === null)
      return { access: ownerAccess(circumstances), rules: 'owner', ruledAt: null, expiresAt: null };
    if (terms === null) return null;
    const { rules, approved, text, since, expiresAt } = terms;
    const { requested, since: requestedAt } = await this.requested(appId, app);
    const access = appAccess(circumstances, {
      appId,
      profile: { rules, isActive: true },
      ceiling: withinScopes(lowerCeiling(ceilingOf(approved), ceilingOf(requested)), scopes),
      pseudonymKey: pseudonymKeyOf(this.secret.bytes, appId, ownerId),
    });
    return {
      access,
      rules: `${text} ${JSON.stringify(requested)}`,
      ruledAt: requestedAt !== null && requestedAt > since ? requestedAt : since,
      expiresAt,
    };
  }
}

const nameOf = ({ ownerId, appId, scopes = [] }: Viewer): string =>
  [ownerId, appId ?? '', ...scopes].join(' ');

const keyOf = (viewer: Viewer, ruled: number, app: number): string => `${nameOf(viewer)} ${ruled} ${app}`;
