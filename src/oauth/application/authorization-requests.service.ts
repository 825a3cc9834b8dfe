import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { requestVersionOf } from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import {
  type AuthorizationRequest,
  challengeIn,
  type Parameters,
  refuseOversized,
  wishesIn,
} from '../domain/authorization-request.js';
import { type Client } from '../domain/client.js';
import { isRegistered, placeOf, withParameters } from '../domain/redirect-uris.js';
import { Clients } from './clients.service.js';
import { SealedRequests } from './sealed-requests.js';

/** A refusal that is shown on a page, because nobody knows whether the address it would be sent to is the client's. */
export class UnsafeRequest extends Error {}

/** Checks requests of the authorization endpoint (RFC 6749, 4.1.1; rule 14.6). */
@Injectable()
export class AuthorizationRequests {
  constructor(
    private readonly clients: Clients,
    private readonly sealed: SealedRequests,
    private readonly config: Config,
  ) {}

  /**
   * The address to which the browser goes: the consent page, or the client with an error.
   * @throws UnsafeRequest for a client or redirect URI that is not known
   */
  async locationOf(sent: Parameters): Promise<string> {
    const client = await this.clientOf(sent);
    const parameters = this.unpushed(client, sent);
    const redirectUri = redirectIn(parameters, client);
    try {
      const request = this.checked(parameters, client, redirectUri);
      return `${this.config.publicUrl}/console/consent?request=${this.sealed.seal({ kind: 'redirect', version: requestVersionOf(client.app), ...request })}`;
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { oauthCode, message } = error;
      // Anybody can register a client with any site or scheme: its faults must not send people there unseen (RFC 9700,
      // 4.11.2).
      if (client.app.kind === 'dynamic' && placeOf(redirectUri).kind !== 'this_computer')
        throw new UnsafeRequest('The app made a request that cannot be understood.');
      const state = (parameters.state?.length ?? 0) <= 2_048 ? parameters.state : undefined;
      return withParameters(redirectUri, {
        error: oauthCode,
        error_description: message,
        state,
        iss: this.config.publicUrl,
      });
    }
  }

  /** Checks parameters that a client pushes (RFC 9126). @throws OAuthError */
  push(
    client: Client,
    { client_secret: _, ...parameters }: Parameters,
  ): { requestUri: string; expiresInSeconds: number } {
    if (parameters.request_uri !== undefined)
      throw new OAuthError('invalid_request', 'request_uri cannot be pushed');
    const redirectUri = parameters.redirect_uri;
    if (redirectUri === undefined || !isRegistered(client.redirectUris, redirectUri))
      throw new OAuthError('invalid_request', 'redirect_uri is not one of the client');
    this.checked(parameters, client, redirectUri);
    return this.sealed.push(client.clientId, parameters);
  }

  private checked(parameters: Parameters, { app }: Client, redirectUri: string): AuthorizationRequest {
    refuseOversized(parameters);
    const challenge = challengeIn(parameters);
    const wishes = wishesIn(parameters, app, this.config.publicUrl);
    return { ...wishes, appId: app.id, redirectUri, state: parameters.state ?? null, challenge };
  }

  private async clientOf({ client_id: id }: Parameters): Promise<Client> {
    if (id === undefined) throw new UnsafeRequest('The app did not say who it is (client_id is missing).');
    const client = await this.clients.find(id);
    if (client === null)
      throw new UnsafeRequest('This app is not known here, or what it says about itself cannot be read.');
    return client;
  }

  private unpushed({ clientId }: Client, sent: Parameters): Parameters {
    if (sent.request_uri === undefined) return sent;
    const pushed = this.sealed.pushed(clientId, sent.request_uri);
    if (pushed === null)
      throw new UnsafeRequest('The request of the app has expired, or is not one of this app.');
    return pushed;
  }
}

/** The address for the answer; a client with one alone need not name it. */
function redirectIn({ redirect_uri: sent }: Parameters, { redirectUris }: Client): string {
  const [only] = redirectUris;
  if (sent === undefined && redirectUris.length === 1 && only !== undefined) return only;
  if (sent === undefined || !isRegistered(redirectUris, sent))
    throw new UnsafeRequest(
      'The address to which the answer would go is not one that this app has registered.',
    );
  return sent;
}
