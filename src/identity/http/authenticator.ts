import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import type passport from 'passport';
import { AccessTokenStrategy, type AuthenticatedUser, EXPIRED } from './access-token.strategy.js';
import { ApiKeyStrategy, type AuthenticatedKey } from './api-key.strategy.js';

/**
 * Asks Passport's strategies who sent a request, the way Passport does: each attempt is an object of its own that
 * inherits from the strategy and hears how it went. Passport's middleware would in addition give every request a
 * session's methods, and all services in one process (as in tests) the strategies of the last one started.
 */
@Injectable()
export class Authenticator {
  constructor(
    private readonly accessTokens: AccessTokenStrategy,
    private readonly apiKeys: ApiKeyStrategy,
  ) {}

  /** By `Authorization: Bearer`; null when the token is missing, not ours, or its user is gone. */
  async byAccessToken(request: Request): Promise<AuthenticatedUser | typeof EXPIRED | null> {
    const { found, why } = await attempt<AuthenticatedUser>(this.accessTokens, request);
    return found ?? (why === EXPIRED ? EXPIRED : null);
  }

  /** By X-API-Key; null when the key is missing, unknown, revoked or over, or its app is deleted. */
  async byApiKey(request: Request): Promise<AuthenticatedKey | null> {
    return (await attempt<AuthenticatedKey>(this.apiKeys, request)).found;
  }
}

interface Attempt<T> {
  found: T | null;
  /** What the strategy said to a refusal. */
  why?: unknown;
}

function attempt<T>(strategy: passport.Strategy, request: Request): Promise<Attempt<T>> {
  return new Promise((resolve, reject) => {
    const one = Object.create(strategy) as passport.StrategyCreated<passport.Strategy>;
    one.success = (found) => resolve({ found: found as T });
    one.fail = (why: unknown) => resolve({ found: null, why });
    one.error = reject;
    one.authenticate(request);
  });
}
