import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import type passport from 'passport';
import { AccessTokenStrategy, type AuthenticatedUser } from './access-token.strategy.js';
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

  /** By `Authorization: Bearer`; null when the token is missing, not ours, over, or its user is gone. */
  byAccessToken(request: Request): Promise<AuthenticatedUser | null> {
    return attempt<AuthenticatedUser>(this.accessTokens, request);
  }

  /** By X-API-Key; null when the key is missing, unknown, revoked or over, or its app is deleted. */
  byApiKey(request: Request): Promise<AuthenticatedKey | null> {
    return attempt<AuthenticatedKey>(this.apiKeys, request);
  }
}

function attempt<T>(strategy: passport.Strategy, request: Request): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const one = Object.create(strategy) as passport.StrategyCreated<passport.Strategy>;
    one.success = (found) => resolve(found as T);
    one.fail = () => resolve(null);
    one.error = reject;
    one.authenticate(request);
  });
}
