import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import type passport from 'passport';
import { AccessTokenStrategy, type AuthenticatedUser, EXPIRED } from './access-token.strategy.js';
import { ApiKeyStrategy, type AuthenticatedKey } from './api-key.strategy.js';

/**
 * Runs Passport's strategies as Passport does: each attempt is an object of its own that inherits from the
 * strategy and receives the result. Passport's middleware would in addition give every request a session's
 * methods, and all services in one process (as in tests) the strategies of the last one started.
 */
@Injectable()
export class Authenticator {
  constructor(
    private readonly accessTokens: AccessTokenStrategy,
    private readonly apiKeys: ApiKeyStrategy,
  ) {}

  /**
   * The user of `Authorization: Bearer`; null when the token is missing, not issued by this service, or its
   * user is deleted.
   */
  async byAccessToken(request: Request): Promise<AuthenticatedUser | typeof EXPIRED | null> {
    const { found, why } = await attempt<AuthenticatedUser>(this.accessTokens, request);
    return found ?? (why === EXPIRED ? EXPIRED : null);
  }

  /**
   * The key in X-API-Key; null when the key is missing, unknown, revoked or expired, or its app is deleted.
   */
  async byApiKey(request: Request): Promise<AuthenticatedKey | null> {
    return (await attempt<AuthenticatedKey>(this.apiKeys, request)).found;
  }
}

interface Attempt<T> {
  found: T | null;
  /** The strategy's reason for a refusal. */
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
