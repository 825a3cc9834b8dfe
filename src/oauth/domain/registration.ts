import { type ClientDescription } from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { clientNameIn, redirectUrisIn } from './client-metadata.js';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const GRANTS: readonly string[] = ['authorization_code', 'refresh_token', DEVICE_GRANT];
/** The name of a client that names itself in no way. */
const UNNAMED = 'Unnamed app';

/** The metadata that a client sends (RFC 7591, 2), as sent. */
export interface Metadata {
  client_name?: unknown;
  redirect_uris?: unknown;
  grant_types?: unknown;
  response_types?: unknown;
}

/** A client as it is accepted. */
export interface Registration {
  description: ClientDescription;
  grantTypes: string[];
}

/**
 * The client that describes itself. All are public: a secret that anybody gets proves nothing, so that another method of
 * authentication is replaced by none, as RFC 7591 allows. Its page is not taken over, for no site vouches for it.
 * @throws invalid_redirect_uri, invalid_client_metadata
 */
export function registrationFrom(metadata: Metadata): Registration {
  const grantTypes = grantsIn(metadata.grant_types ?? undefined);
  const responses = metadata.response_types ?? ['code'];
  if (!Array.isArray(responses) || (responses.length > 0 && !responses.includes('code')))
    throw refused('response_types must contain code');
  const name = (metadata.client_name ?? null) === null ? UNNAMED : clientNameIn(metadata.client_name);
  if (name === null)
    throw refused('client_name must be a line of at most 100 characters, none of them invisible');
  const redirectUris = redirectUrisIn(metadata.redirect_uris ?? []);
  if (redirectUris === null)
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be up to 20 absolute URIs without fragments, with http only for localhost',
    );
  if (redirectUris.length === 0 && grantTypes.includes('authorization_code'))
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris is missing');
  return { description: { name, redirectUris, homepageUrl: null }, grantTypes };
}

/** The grants that the service has of those that a client names; by default those of a client with a browser. */
function grantsIn(value: unknown): string[] {
  if (value === undefined) return ['authorization_code', 'refresh_token'];
  const named = Array.isArray(value) ? GRANTS.filter((grant) => value.includes(grant)) : [];
  if (!named.includes('authorization_code') && !named.includes(DEVICE_GRANT))
    throw refused('grant_types must contain authorization_code or the device grant');
  return named;
}

const refused = (message: string): OAuthError => new OAuthError('invalid_client_metadata', message);
