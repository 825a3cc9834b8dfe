import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { OwnerCounters, type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { originOf, takeOuterCounters } from '../../kernel/inner-requests.js';
import { isBelowPrefix } from '../../kernel/http/version-prefix.js';
import { type CallerToken } from '../domain/caller.js';
import { digestOfToken, isTokenText } from '../domain/token-text.js';
import { CredentialCache, countersOf } from '../infrastructure/credential-cache.js';
import { CredentialQueries, type TokenCredentials } from '../infrastructure/credentials.queries.js';

const MAX_KNOWN_TOKENS = 10_000;

/** A request with a valid access token of an app. */
export interface AuthenticatedToken extends Pick<TokenCredentials, 'key' | 'app' | 'stamp'> {
  token: CallerToken;
  /** Counters of the app and of the token's user. */
  stamps: Map<string, CounterValues>;
}

/** The fault of a token of the service's form. */
export type TokenFault = 'unknown' | 'expired' | 'other resource';

const HEADER = /^bearer +(pig_at_\w+)$/i;

/** The text of an app's access token in `Authorization: Bearer`; null for any other credential. */
export const appTokenIn = ({ headers }: Request): string | null =>
  HEADER.exec(headers.authorization ?? '')?.[1] ?? null;

/**
 * Identifies apps by their access tokens (rule 14.4): without any query when nothing has changed since the last time. The
 * end of a session raises the counter of its owner, a change of the app the counter of the app.
 */
@Injectable()
export class AppTokens {
  private readonly cache: CredentialCache<TokenCredentials>;

  constructor(
    queries: CredentialQueries,
    private readonly counters: OwnerCounters,
    private readonly clock: Clock,
  ) {
    const bytesOf = (entry: TokenCredentials): number => 2 * JSON.stringify(entry).length;
    this.cache = new CredentialCache((digest) => queries.findToken(digest), {
      max: MAX_KNOWN_TOKENS,
      bytesOf,
    });
  }

  async identify(request: Request, text: string): Promise<AuthenticatedToken | TokenFault> {
    if (!isTokenText('access', text)) return 'unknown';
    const digest = digestOfToken(text);
    const recalled = await this.cache.recall(digest);
    if (recalled === null) return 'unknown';
    const { ownerId, app } = recalled;
    const ids = [app.id, ownerId];
    const current = takeOuterCounters(request, ids) ?? (await this.counters.current(ids));
    const isAppCurrent = recalled.appPolicy === (current.get(app.id)?.policy ?? 0);
    const fresh = isAppCurrent
      ? await this.cache.fresh(digest, recalled, current.get(ownerId))
      : await this.cache.reload(digest);
    if (fresh === null) return 'unknown';
    if (fresh.key.expiresAt <= this.clock.now()) return 'expired';
    const surface = isBelowPrefix(request) && originOf(request) === undefined ? 'api' : 'mcp';
    if (fresh.audience !== 'all' && fresh.audience !== surface) return 'other resource';
    const stamps = countersOf(ids, current, [ownerId, fresh.stamp]);
    const appChanges = current.get(app.id)?.changes ?? 0;
    stamps.set(app.id, { policy: fresh.appPolicy, changes: appChanges });
    const { key, stamp, scopes } = fresh;
    return { key, app: fresh.app, stamp, token: { digest, scopes }, stamps };
  }
}
