import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import passport from 'passport';
import { ACCESS_TOKEN, AccessTokenStrategy, type AuthenticatedUser } from './access-token.strategy.js';
import { API_KEY, ApiKeyStrategy, type AuthenticatedKey } from './api-key.strategy.js';

/**
 * Asks Passport who sent a request. It is a Passport of this application's own: the library's shared one would give
 * all services in one process (as in tests) the strategies of the last one started.
 */
@Injectable()
export class Authenticator {
  private readonly passport = new passport.Passport();

  constructor(accessTokens: AccessTokenStrategy, apiKeys: ApiKeyStrategy) {
    this.passport.use(ACCESS_TOKEN, accessTokens);
    this.passport.use(API_KEY, apiKeys);
  }

  /** By `Authorization: Bearer`; null when the token is missing, not ours, over, or its user is gone. */
  byAccessToken(request: Request, response: Response): Promise<AuthenticatedUser | null> {
    return this.ask<AuthenticatedUser>(ACCESS_TOKEN, request, response);
  }

  /** By X-API-Key; null when the key is missing, unknown, revoked or over, or its app is deleted. */
  byApiKey(request: Request, response: Response): Promise<AuthenticatedKey | null> {
    return this.ask<AuthenticatedKey>(API_KEY, request, response);
  }

  private ask<T>(strategy: string, request: Request, response: Response): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, found?: unknown): void => {
        if (error) reject(error);
        else resolve((found || null) as T | null);
      };
      const handler = this.passport.authenticate(strategy, { session: false }, answer) as (
        ...args: unknown[]
      ) => void;
      handler(request, response, reject);
    });
  }
}
