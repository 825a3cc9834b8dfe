import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import passport from 'passport';
import { OwnerCounters, type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { isId } from '../../kernel/ids.js';
import { takeOuterCounters } from '../../kernel/inner-requests.js';
import { hashOfSecret, isKeyText } from '../domain/key-text.js';
import { CredentialQueries, type KeyCredentials } from '../infrastructure/credentials.queries.js';
import { CredentialCache, countersOf } from '../infrastructure/credential-cache.js';

const MAX_KNOWN_KEYS = 10_000;

/** A request with a valid key. */
export interface AuthenticatedKey extends KeyCredentials {
  /** Counters of the app and of the user it may act for. */
  stamps: Map<string, CounterValues>;
}

type Verified = (error: unknown, key?: AuthenticatedKey | null) => void;

/** The strategy for Passport: takes the text of X-API-Key and lets `verify` identify its owner. */
class KeyHeaderStrategy extends passport.Strategy {
  constructor(private readonly verify: (request: Request, key: string, done: Verified) => void) {
    super();
  }

  override authenticate(request: Request): void {
    const key = request.headers['x-api-key'];
    if (typeof key !== 'string') return this.fail('no key');
    this.verify(request, key, (error, verified) => {
      if (error) this.error(error);
      else if (verified) this.success(verified);
      else this.fail('unknown key');
    });
  }
}

const API_KEY = 'api-key';

/**
 * Identifies the owner of a key (rules 1.6-1.8): without any query when nothing has changed since the last
 * time.
 */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(KeyHeaderStrategy, API_KEY) {
  private readonly cache: CredentialCache<KeyCredentials>;

  constructor(
    queries: CredentialQueries,
    private readonly counters: OwnerCounters,
    private readonly clock: Clock,
  ) {
    super();
    // Each entry has a copy of its app, whose texts and lists can be long.
    const bytesOf = (entry: KeyCredentials): number => 2 * JSON.stringify(entry).length;
    this.cache = new CredentialCache((hash) => queries.findKey(hash), { max: MAX_KNOWN_KEYS, bytesOf });
  }

  async validate(request: Request, text: string): Promise<AuthenticatedKey | null> {
    if (!isKeyText(text)) return null;
    const hash = hashOfSecret(text);
    const recalled = await this.cache.recall(hash);
    if (!recalled) return null;
    const ids = idsOf(recalled, request);
    const current = takeOuterCounters(request, ids) ?? (await this.counters.current(ids));
    const fresh = await this.cache.fresh(hash, recalled, current.get(recalled.app.id));
    if (!fresh || isOver(fresh, this.clock.now())) return null;
    return { ...fresh, stamps: countersOf(ids, current, [fresh.app.id, fresh.stamp]) };
  }
}

function idsOf({ key, app }: KeyCredentials, request: Request): string[] {
  const userId = key.userId ?? userIdSent(request);
  return userId === null ? [app.id] : [app.id, userId];
}

/** X-User-ID in the form of ids in the database; null when it is absent or no id. */
export function userIdSent(request: Request): string | null {
  const sent = request.headers['x-user-id'];
  return isId(sent) ? sent.toLowerCase() : null;
}

const isOver = ({ key }: KeyCredentials, now: Date): boolean =>
  key.expiresAt !== null && key.expiresAt <= now;
