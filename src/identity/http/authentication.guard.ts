import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Requirement, requirementOf } from '../../kernel/http/endpoint.js';
import { requestContext } from '../../kernel/request-context.js';
import { actorOf, type Caller } from '../domain/caller.js';
import { type AuthenticatedKey, userIdSent } from './api-key.strategy.js';
import { Authenticator } from './authenticator.js';
import { setCaller } from './caller.js';

const BEARER = /^bearer(\s|$)/i;

/**
 * First guard: who calls, and is that kind of caller let in here at all (decisions 1.7-1.12). In this order: two
 * credentials 400; none or a bad one 401; the wrong kind 403; a key without its user 401. Whether the user exists
 * and has authorized the app is the next guard's question. Public endpoints look at no credential.
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirement = requirementOf(context);
    if (requirement === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const caller = await this.identify(request, http.getResponse<Response>(), requirement);
    setCaller(request, caller);
    requestContext.current().actor = actorOf(caller);
    return true;
  }

  private identify(request: Request, response: Response, requirement: Requirement): Promise<Caller> {
    const hasKey = Boolean(request.headers['x-api-key']);
    const hasToken = BEARER.test(request.headers.authorization ?? '');
    if (hasKey && hasToken) {
      throw new DomainError('AMBIGUOUS_CREDENTIALS', 'Send either X-API-Key or a bearer token, not both');
    }
    if (hasKey) return this.byKey(request, response, requirement);
    if (hasToken) return this.byToken(request, response, requirement);
    throw unauthorized(response, 'This endpoint needs an API key or an access token');
  }

  private async byToken(request: Request, response: Response, { callers }: Requirement): Promise<Caller> {
    const authenticated = await this.authenticator.byAccessToken(request, response);
    if (!authenticated) throw unauthorized(response, 'The access token is not valid', 'invalid_token');
    if (callers === 'key') throw denied('This endpoint is for apps, with an API key');
    const { user, stamps } = authenticated;
    return { kind: 'user', userId: user.id, user, stamps };
  }

  private async byKey(
    request: Request,
    response: Response,
    { callers, user = 'required' }: Requirement,
  ): Promise<Caller> {
    const authenticated = await this.authenticator.byApiKey(request, response);
    if (!authenticated) throw unauthorized(response, 'The API key is not valid');
    const { app, key, stamps } = authenticated;
    if (!app.isActive) throw denied('The app is switched off');
    if (callers === 'user') throw denied('This endpoint is for users, with an access token');
    const userId = user === 'optional' ? key.userId : userActedFor(request, authenticated);
    if (user === 'required' && userId === null)
      throw unauthorized(response, 'X-User-ID must name the user the app acts for');
    return { kind: 'app', app, keyId: key.id, userId, boundAuthorizationId: key.authorizationId, stamps };
  }
}

/** A user key's own user, whom X-User-ID must name if it is sent; else the one X-User-ID names (decisions 1.7). */
function userActedFor(request: Request, { key }: AuthenticatedKey): string | null {
  const sent = userIdSent(request);
  if (key.userId === null) return sent;
  if (request.headers['x-user-id'] !== undefined && sent !== key.userId) {
    throw denied('The key belongs to another user than X-User-ID names');
  }
  return key.userId;
}

const denied = (message: string): DomainError => new DomainError('PERMISSION_DENIED', message);

/** RFC 9110, 11.6.1: what would let the caller in; RFC 6750, 3: what was wrong with a token. */
function unauthorized(response: Response, message: string, error?: string): DomainError {
  const bearer = `Bearer realm="api"${error === undefined ? '' : `, error="${error}"`}`;
  response.setHeader('WWW-Authenticate', `${bearer}, ApiKey realm="api"`);
  return new DomainError('UNAUTHORIZED', message);
}
