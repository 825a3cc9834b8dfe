import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import {
  AppSessions,
  type Audience,
  hashOfSecret,
  type IssuedTokens,
  scopesIn,
  type Scope,
  scopesOf,
} from '../../identity/index.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { requestContext } from '../../kernel/request-context.js';
import { LivingAuthorizations } from '../../privacy/index.js';
import { grantedDetails } from '../domain/graph-access.js';
import { isVerifierOf } from '../domain/pkce.js';
import { audienceOf, isWithin } from '../domain/resources.js';
import { type Code, CodeRows } from '../infrastructure/codes.repository.js';
import { type AuthenticatedClient } from './clients.service.js';
import { Devices } from './devices.service.js';

/** Tokens as issued, and the authorization_details as granted. */
export type Granted = IssuedTokens & { details: object[] | null };

export interface CodeExchange {
  code: string | undefined;
  redirectUri: string | undefined;
  verifier: string | undefined;
  resource: string | undefined;
  device: string | null;
}

export interface Refresh {
  refreshToken: string | undefined;
  scope: string | undefined;
  resource: string | undefined;
}

const invalid = (message: string): OAuthError => new OAuthError('invalid_grant', message);

/** Grants of the token endpoint (RFC 6749, 4.1.3 and 6; RFC 8628, 3.4; rule 14.4). */
@Injectable()
export class TokenGrants {
  constructor(
    private readonly codes: CodeRows,
    private readonly devices: Devices,
    private readonly sessions: AppSessions,
    private readonly authorizations: LivingAuthorizations,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Exchanges a code. Its second use ends the session that it began. @throws invalid_grant, invalid_target, invalid_request */
  async ofCode(client: AuthenticatedClient, exchange: CodeExchange): Promise<Granted> {
    if (exchange.code === undefined) throw new OAuthError('invalid_request', 'code is missing');
    const found = await this.codes.find(hashOfSecret(exchange.code));
    if (found?.appId !== client.app.id) throw invalid('The code is not valid');
    const audience = this.checked(found, exchange);
    // Requests that wait for one person's rows must not take all connections.
    requestContext.current().account = found.ownerId;
    // A refusal must not undo the end of a session.
    const granted = await this.units.run(async () => {
      const authorization = await this.authorizations.holdActive(found.ownerId, found.authorizationId);
      const code = await this.codes.lock(found);
      if (code !== null && code.sessionId !== null)
        await this.sessions.endAs(
          { ownerId: code.ownerId, id: code.sessionId, appId: code.appId },
          'code_reused',
        );
      if (code?.sessionId !== null || code.expiresAt <= this.clock.now() || authorization === null)
        return null;
      const issued = await this.sessions.begin({
        ownerId: code.ownerId,
        appId: client.app.id,
        authorizationId: authorization.id,
        device: exchange.device,
        scopes: code.scopes,
        audience,
        isConfidential: client.isConfidential,
        hasDetails: code.details !== null,
        endsAt: authorization.expiresAt,
      });
      await this.codes.use(code, issued.session.id);
      return { ...issued, details: code.details };
    });
    if (granted === null) throw invalid('The code was used or has expired, or its authorization has ended');
    return granted;
  }

  /** Exchanges a refresh token. All is checked before it is spent. @throws invalid_grant, invalid_target, invalid_client */
  async ofRefreshToken(client: AuthenticatedClient, refresh: Refresh): Promise<Granted> {
    if (refresh.refreshToken === undefined)
      throw new OAuthError('invalid_request', 'refresh_token is missing');
    const found = await this.sessions.find('refresh', refresh.refreshToken);
    if (found?.session.appId !== client.app.id) throw invalid('The refresh token is not valid');
    const { session } = found;
    requestContext.current().account = session.ownerId;
    if (session.isConfidential && !client.isConfidential)
      throw new OAuthError('invalid_client', 'This session needs the client secret');
    const audience = this.audienceOf(refresh.resource, session.audience);
    if (!isWithin(audience, session.audience))
      throw new OAuthError('invalid_target', 'The session was not approved for this resource');
    const granted = await this.units.run(async () => {
      const authorization = await this.authorizations.holdActive(session.ownerId, session.authorizationId);
      if (authorization === null) return null;
      const approved = scopesIn(authorization.requestedPermissions);
      const left = session.scopes.filter((scope) => approved.includes(scope));
      const scopes = narrower(left, refresh.scope);
      const issued = await this.sessions.refresh(found, {
        scopes,
        audience,
        endsAt: authorization.expiresAt,
      });
      const { schemas } = authorization.requestedPermissions;
      const granted = { scopes, schemas, purpose: authorization.purpose };
      return (
        issued && {
          ...issued,
          details: session.hasDetails ? grantedDetails(authorization.id, granted) : null,
        }
      );
    });
    if (granted === null) throw invalid('The refresh token is no longer valid; connect again');
    return granted;
  }

  /** Answers a device that asks for its tokens. @throws authorization_pending, slow_down, expired_token, access_denied, invalid_grant */
  async ofDevice(
    client: AuthenticatedClient,
    { deviceCode, device }: { deviceCode: string | undefined; device: string | null },
  ): Promise<Granted> {
    if (deviceCode === undefined) throw new OAuthError('invalid_request', 'device_code is missing');
    const waiting = await this.devices.find(deviceCode, client.app.id);
    if (waiting === null) throw invalid('The device code is not valid');
    requestContext.current().account = waiting.ownerId ?? `device ${waiting.digest}`;
    const granted = await this.units.run(async () => {
      // Locks the authorization before the device, in the order of a consent.
      if (waiting.ownerId !== null && waiting.authorizationId !== null)
        await this.authorizations.holdActive(waiting.ownerId, waiting.authorizationId);
      const allowed = await this.devices.ask(deviceCode, client.app.id);
      if (allowed instanceof OAuthError) return allowed;
      const { ownerId, authorizationId, scopes, details, request } = allowed;
      const authorization = await this.authorizations.holdActive(ownerId, authorizationId);
      if (authorization === null) return invalid('The authorization has ended');
      const issued = await this.sessions.begin({
        ownerId,
        appId: client.app.id,
        authorizationId,
        device: request.device ?? device,
        scopes: scopes ?? [],
        audience: request.audience,
        isConfidential: client.isConfidential,
        hasDetails: details !== null,
        endsAt: authorization.expiresAt,
      });
      return { ...issued, details };
    });
    if (granted instanceof OAuthError) throw granted;
    return granted;
  }

  private checked(code: Code, { redirectUri, verifier, resource }: CodeExchange): Audience {
    if (redirectUri !== undefined && redirectUri !== code.redirectUri)
      throw invalid('redirect_uri is another one');
    if (verifier === undefined) throw new OAuthError('invalid_request', 'code_verifier is missing');
    if (!isVerifierOf(code.challenge, verifier)) throw invalid('code_verifier does not match the challenge');
    const audience = this.audienceOf(resource, code.audience);
    if (!isWithin(audience, code.audience))
      throw new OAuthError('invalid_target', 'The code was not approved for this resource');
    return audience;
  }

  /** The audience that a resource names; an absent one is the approved one. */
  private audienceOf(resource: string | undefined, approved: Audience): Audience {
    return resource === undefined ? approved : audienceOf(resource, this.config.publicUrl);
  }
}

/** The scopes of a refreshed token: all of the session, or fewer where the client asks for fewer (RFC 6749, 6). */
function narrower(scopes: Scope[], asked: string | undefined): Scope[] {
  if (asked === undefined) return scopes;
  const fewer = scopesOf(asked.split(' ')).filter((scope) => scopes.includes(scope));
  if (fewer.length === 0) throw new OAuthError('invalid_scope', 'None of these scopes was granted');
  return fewer;
}
