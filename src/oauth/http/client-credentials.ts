import { type Request } from 'express';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { type ClientCredentials } from '../application/clients.service.js';

const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/**
 * The credentials of a client: in the header (RFC 6749, 2.3.1), or in the form.
 * @throws invalid_request where both have a secret, or name two clients; invalid_client for an unreadable header
 */
export function clientCredentialsOf(
  { headers }: Request,
  { client_id: clientId, client_secret: secret }: { client_id?: string; client_secret?: string },
): ClientCredentials {
  const { authorization } = headers;
  if (authorization === undefined) return { clientId, secret };
  const decoded = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1) throw new OAuthError('invalid_client', 'Authorization must be Basic with id and secret');
  const sent = {
    clientId: decodedPart(decoded.slice(0, colon)),
    secret: decodedPart(decoded.slice(colon + 1)),
  };
  if (secret !== undefined || (clientId !== undefined && clientId !== sent.clientId))
    throw new OAuthError('invalid_request', 'The client is named both in the header and in the body');
  return { clientId: sent.clientId, secret: sent.secret === '' ? undefined : sent.secret };
}

/** Both parts are encoded as in a form. */
function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new OAuthError('invalid_client', 'Authorization must be Basic with id and secret');
  }
}
