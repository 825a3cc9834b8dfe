import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { DomainError } from '../../kernel/errors/domain-error.js';
import {
  endpointOf,
  isOfAppItself,
  onlyReads,
  type Requirement,
  requirementOf,
  TICKET_PARAMETER,
} from '../../kernel/http/endpoint.js';
import { endpointName } from '../../kernel/http/endpoint-name.js';
import { ServedRequests } from '../../kernel/observability/served-requests.js';
import { requestContext } from '../../kernel/request-context.js';
import { SingleUserLookup } from '../application/single-user-lookup.js';
import { StreamTickets } from '../application/stream-tickets.service.js';
import { Usage } from '../application/usage.service.js';
import { actorOf, type Caller, type CallerToken } from '../domain/caller.js';
import { type Subject } from '../domain/rate-limits.js';
import { type AuthenticatedUser, EXPIRED } from './access-token.strategy.js';
import { type AuthenticatedKey, userIdSent } from './api-key.strategy.js';
import { appTokenIn, AppTokens, type TokenFault } from './app-tokens.js';
import { Challenges } from './challenges.js';
import { Authenticator } from './authenticator.js';
import { callerKey, setCaller } from './caller.js';
import { LogInSecrets } from './log-in-secrets.js';
import { QuotaHeader } from './quota-header.js';
import { RateLimits } from './rate-limits.js';
import { StepUp } from './step-up.js';

const BEARER = /^bearer(\s|$)/i;

/**
 * The first guard: identifies the caller, counts the request (rule 9.7), and checks that the endpoint admits
 * this kind of caller (rules 1.7-1.12). A ticket stands for the credential that asked for it (rule 7.14).
 * Refusals, in this order: two credentials 400; none or a bad one 401; the wrong kind 403; a key without its
 * user 401; a log-in that is too old 401. The next guard checks that the user exists and has authorized the
 * app. On public endpoints no credential is read.
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  /** The app of a request with a key: its use is counted when the request is answered. */
  private readonly appIds = new WeakMap<Request, string>();
  /** Requests whose ticket was taken: they are admitted again by the credential behind it. */
  private readonly redeemed = new WeakSet<Request>();

  constructor(
    private readonly authenticator: Authenticator,
    private readonly appTokens: AppTokens,
    private readonly challenges: Challenges,
    private readonly limits: RateLimits,
    private readonly secrets: LogInSecrets,
    private readonly soleUsers: SingleUserLookup,
    private readonly stepUp: StepUp,
    private readonly quotas: QuotaHeader,
    private readonly tickets: StreamTickets,
    usage: Usage,
    served: ServedRequests,
  ) {
    served.listen((request, { status, milliseconds, context }) => {
      const appId = this.appIds.get(request);
      // The requests of a tool count in place of the message that asked for it.
      if (appId !== undefined && context.isOuter !== true)
        usage.count({ appId, endpoint: endpointName(request), status, milliseconds });
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const requirement = requirementOf(context);
    const request = context.switchToHttp().getRequest<Request>();
    const endpoint = endpointOf(context.getHandler());
    const reads = onlyReads(request.method, endpoint);
    if (requirement === 'public') {
      const endsAccess = endpoint?.endsAccess === true;
      Object.assign(requestContext.current(), { caller: callerKey(request), endsAccess, reads });
      await this.limits.countPublic(request, () => this.secrets.holderOf(context), endpoint?.limit);
      return true;
    }
    const response = context.switchToHttp().getResponse<Response>();
    const credential = await this.identify(request, response, endpoint?.takesTicket === true);
    if (credential.kind === 'key') this.appIds.set(request, credential.app.id);
    const userId = await this.userOf(credential, { request, requirement });
    await this.limits.count(request, subjectOf(credential, userId), endpoint);
    const caller = this.admit(credential, userId, { request, response, requirement });
    setCaller(request, caller);
    Object.assign(requestContext.current(), {
      actor: actorOf(caller),
      caller: callerKey(request),
      endsAccess: caller.kind === 'user' && endpoint?.endsAccess === true,
      reads,
    });
    if (caller.kind === 'user') this.quotas.tell(caller.user, response);
    if (requirement.stepUp === 'always') this.stepUp.require(request);
    return true;
  }

  /**
   * The user who calls, or for whom the app acts here: the one that the answer is for is the one that counts.
   * X-User-ID has no meaning where the app acts for itself; a user key, and where that suffices its only
   * user, take precedence over it (rules 1.7, 1.9).
   */
  private async userOf(
    credential: Credential,
    { request, requirement }: Pick<Circumstances, 'request' | 'requirement'>,
  ): Promise<string | null> {
    if (credential.kind === 'token') return credential.user.id;
    const { app, key } = credential;
    if (key.userId !== null || isOfAppItself(requirement)) return key.userId;
    const sole = requirement.user === 'derived' ? await this.soleUsers.of(app.id) : null;
    return sole ?? userIdSent(request);
  }

  /**
   * Identifies the caller, counting one without a valid credential by address. The error for an exceeded
   * limit precedes the one for the credential.
   */
  private async identify(request: Request, response: Response, takesTicket: boolean): Promise<Credential> {
    try {
      if (takesTicket && !this.redeemed.has(request)) await this.redeem(request, response);
      return await this.read(request, response);
    } catch (refusal) {
      await this.limits.countStranger(request);
      throw refusal;
    }
  }

  /**
   * Puts the credential behind a ticket on its request.
   * @throws AMBIGUOUS_CREDENTIALS; UNAUTHORIZED for a ticket that is unknown, expired or used
   */
  private async redeem(request: Request, response: Response): Promise<void> {
    const ticket = request.url.includes('?') ? request.query[TICKET_PARAMETER] : undefined;
    if (ticket === undefined) return;
    const { headers } = request;
    if (Boolean(headers['x-api-key']) || headers.authorization !== undefined) {
      throw new DomainError('AMBIGUOUS_CREDENTIALS', 'Send either a ticket or a credential, not both');
    }
    const credential = typeof ticket === 'string' ? await this.tickets.redeem(ticket) : null;
    if (credential === null)
      throw this.challenges.refusal(
        response,
        'The ticket is unknown, used or older than a minute; ask for another one',
      );
    delete headers['x-user-id'];
    Object.assign(headers, credential);
    this.redeemed.add(request);
  }

  private async read(request: Request, response: Response): Promise<Credential> {
    const hasKey = Boolean(request.headers['x-api-key']);
    const hasToken = BEARER.test(request.headers.authorization ?? '');
    if (hasKey && hasToken) {
      throw new DomainError('AMBIGUOUS_CREDENTIALS', 'Send either X-API-Key or a bearer token, not both');
    }
    if (hasKey) {
      const byKey = await this.authenticator.byApiKey(request);
      if (!byKey) throw this.challenges.refusal(response, 'The API key is not valid');
      return { kind: 'key', ...byKey };
    }
    if (hasToken) return this.byToken(request, response);
    throw this.challenges.refusal(
      response,
      request.headers.authorization === undefined
        ? 'This endpoint needs an API key or an access token'
        : 'Authorization must be "Bearer <access token>"; API keys go into X-API-Key',
    );
  }

  /** Refuses a kind of caller that the endpoint does not admit. */
  private admit(
    credential: Credential,
    userId: string | null,
    { request, response, requirement }: Circumstances,
  ): Caller {
    const { callers, user = 'required' } = requirement;
    if (credential.kind === 'token') {
      if (callers === 'key') throw denied('This endpoint is for apps, with an API key');
      const { user: caller, logIn, stamps } = credential;
      return { kind: 'user', userId: caller.id, user: caller, logIn, stamps };
    }
    const { app, key, token, stamps } = credential;
    if (!app.isActive) throw denied('The app is switched off');
    if (callers === 'user') throw denied('This endpoint is for users, with an access token');
    if (user === 'none' && key.userId !== null)
      throw denied('This endpoint is for the app itself, with an app key');
    if (!isOfAppItself(requirement)) refuseOther(request, key);
    if (user === 'required' && userId === null)
      throw this.challenges.refusal(response, 'X-User-ID must be the id of the user the app acts for');
    const bound = { keyId: key.id, userId, boundAuthorizationId: key.authorizationId };
    return { kind: 'app', app, ...bound, ...(token === undefined ? {} : { token }), stamps };
  }

  /** The caller of `Authorization: Bearer`: an app by a token of its session, or a person by one of their log-in. */
  private async byToken(request: Request, response: Response): Promise<Credential> {
    const text = appTokenIn(request);
    if (text !== null) {
      const found = await this.appTokens.identify(request, text);
      if (typeof found === 'string') throw this.challenges.refusal(response, FAULTS[found], 'invalid_token');
      return { kind: 'key', ...found };
    }
    const byToken = await this.authenticator.byAccessToken(request);
    if (byToken === null || byToken === EXPIRED)
      throw this.challenges.refusal(response, refusalOf(byToken, request), 'invalid_token');
    return { kind: 'token', ...byToken };
  }
}

const FAULTS: Record<TokenFault, string> = {
  unknown: 'The access token is not valid',
  expired: 'The access token has expired; refresh it or connect again',
  'other resource': 'The access token is for another resource of this service',
};

/**
 * The message of a refusal. Only a caller with a token signed by this service learns that it has expired; a
 * key in the wrong header is recognized by its form.
 */
function refusalOf(refused: typeof EXPIRED | null, { headers }: Request): string {
  if (refused === EXPIRED) return 'The access token has expired; refresh it or log in again';
  const isKey = /^bearer +pig_(live|user)_/i.test(headers.authorization ?? '');
  return `The access token is not valid${isKey ? '; API keys go into X-API-Key' : ''}`;
}

type Credential =
  ({ kind: 'key'; token?: CallerToken } & AuthenticatedKey) | ({ kind: 'token' } & AuthenticatedUser);

function subjectOf(credential: Credential, userId: string | null): Subject {
  if (credential.kind === 'token') {
    const { id, tier } = credential.user;
    return { kind: 'user', userId: id, tier };
  }
  const { id: appId, ownerId: developerId, tier } = credential.app;
  const isUserKey = credential.key.userId !== null;
  // A made-up id opens a window of its own, as a real one does: another count would reveal which ids are
  // real. The window of the app itself limits them.
  return { kind: 'app', appId, developerId, userId, isUserKey, tier };
}

interface Circumstances {
  request: Request;
  response: Response;
  requirement: Requirement;
}

/** X-User-ID with a user key must name the key's own user (rule 1.7). */
function refuseOther(request: Request, { userId }: AuthenticatedKey['key']): void {
  if (userId === null || request.headers['x-user-id'] === undefined) return;
  if (userIdSent(request) !== userId) throw denied('The key belongs to another user than X-User-ID names');
}

const denied = (message: string): DomainError => new DomainError('PERMISSION_DENIED', message);
