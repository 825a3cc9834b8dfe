import { Body, Controller, Header, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Config } from '../../config/config.js';
import { CurrentDevice, type Device } from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { type AuthenticatedClient, Clients } from '../application/clients.service.js';
import { type Granted, TokenGrants } from '../application/token-grants.service.js';
import { type ActiveToken, TokenStatus } from '../application/token-status.service.js';
import { DEVICE_GRANT } from '../domain/registration.js';
import { clientCredentialsOf } from './client-credentials.js';
import { IntrospectionDto, RevokedTokenDto, TokenBody, TokenDto, TokenTextBody } from './oauth.dto.js';

/** The requests of one network: the servers of an assistant refresh for all of its people from a few addresses. */
const LIMIT = { name: 'oauth tokens', perMinute: 3_000 };

/** The endpoints of tokens, which clients call themselves (rule 14.4). */
@ApiTags('OAuth')
@Controller('oauth')
export class TokenController {
  constructor(
    private readonly clients: Clients,
    private readonly grants: TokenGrants,
    private readonly status: TokenStatus,
    private readonly config: Config,
  ) {}

  @Post('token')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Get tokens',
    description:
      'Exchanges a code, a refresh token, or the code of a device for tokens (RFC 6749, RFC 8628).',
    requires: 'public',
    takesForm: true,
    limit: LIMIT,
    answers: TokenDto,
    oauthErrors: [
      'invalid_client',
      'invalid_grant',
      'unsupported_grant_type',
      'invalid_scope',
      'invalid_target',
      'authorization_pending',
      'slow_down',
      'access_denied',
      'expired_token',
    ],
  })
  async token(
    @Req() request: Request,
    @Body() body: TokenBody,
    @CurrentDevice() { userAgent }: Device,
  ): Promise<TokenDto> {
    if (body.grant_type === undefined) throw new OAuthError('invalid_request', 'grant_type is missing');
    const client = await this.clientOf(request, body);
    return presentTokens(await this.granted(client, body, userAgent));
  }

  @Post('revoke')
  @Endpoint({
    summary: 'Revoke a token',
    description:
      'Ends an access token, or with a refresh token its whole session; 200 for any other text (RFC 7009).',
    requires: 'public',
    takesForm: true,
    limit: LIMIT,
    answers: RevokedTokenDto,
    oauthErrors: ['invalid_client'],
  })
  async revoke(@Req() request: Request, @Body() body: TokenTextBody): Promise<RevokedTokenDto> {
    const client = await this.clientOf(request, body);
    await this.status.revoke(client, tokenIn(body));
    return {};
  }

  @Post('introspect')
  @Header('Cache-Control', 'no-store')
  @Endpoint({
    summary: 'Look up a token',
    description: 'The state of a token of the client that asks; others’ are not active (RFC 7662).',
    requires: 'public',
    takesForm: true,
    limit: LIMIT,
    answers: IntrospectionDto,
    oauthErrors: ['invalid_client'],
  })
  async introspect(@Req() request: Request, @Body() body: TokenTextBody): Promise<IntrospectionDto> {
    const client = await this.clientOf(request, body);
    const active = await this.status.introspect(client, tokenIn(body));
    return active === null ? { active: false } : this.presentActive(active, client);
  }

  private clientOf(
    request: Request,
    body: { client_id?: string; client_secret?: string },
  ): Promise<AuthenticatedClient> {
    return this.clients.authenticate(clientCredentialsOf(request, body));
  }

  private granted(client: AuthenticatedClient, body: TokenBody, device: string | null): Promise<Granted> {
    const { code, redirect_uri, code_verifier, refresh_token, device_code, scope, resource } = body;
    switch (body.grant_type) {
      case 'authorization_code':
        return this.grants.ofCode(client, {
          code,
          redirectUri: redirect_uri,
          verifier: code_verifier,
          resource,
          device,
        });
      case 'refresh_token':
        return this.grants.ofRefreshToken(client, { refreshToken: refresh_token, scope, resource });
      case DEVICE_GRANT:
        return this.grants.ofDevice(client, { deviceCode: device_code, device });
      default:
        throw new OAuthError('unsupported_grant_type', 'The grant is not one of this service');
    }
  }

  private presentActive(
    { token, session, kind }: ActiveToken,
    { clientId }: AuthenticatedClient,
  ): IntrospectionDto {
    const { publicUrl } = this.config;
    const path = { all: '', mcp: '/mcp', api: `/${VERSION_PREFIX}` }[session.audience];
    return {
      active: true,
      scope: token.scopes.join(' '),
      client_id: clientId,
      ...(kind === 'access' ? { token_type: 'Bearer' } : {}),
      exp: seconds(token.expiresAt),
      iat: seconds(token.createdAt),
      sub: session.ownerId,
      aud: publicUrl + path,
      iss: publicUrl,
      authorization_id: session.authorizationId,
    };
  }
}

const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);

function presentTokens({ accessToken, expiresInSeconds, refreshToken, scopes, details }: Granted): TokenDto {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
    ...(details === null ? {} : { authorization_details: details }),
  };
}

function tokenIn({ token }: TokenTextBody): string {
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing');
  return token;
}
