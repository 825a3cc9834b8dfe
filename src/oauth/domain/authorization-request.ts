import {
  type Audience,
  BASELINE,
  type Scope,
  scopesIn,
  scopesOf,
  SCOPES,
  type App,
} from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';
import { type GraphAccess, graphAccessFrom } from './graph-access.js';
import { isChallenge } from './pkce.js';
import { audienceOf } from './resources.js';

/** The parameters of a request, each sent at most once. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** The checked wishes of a client, which the consent page shows. */
export interface Wishes {
  /** Fixed lines of the page: without them the client has no use for an answer. */
  required: Scope[];
  /** Lines that the person may leave out. */
  optional: Scope[];
  schemas: GraphAccess['schemas'];
  purpose: string | null;
  days: number | null;
  /** True if the answer repeats the authorization_details. */
  hasDetails: boolean;
  audience: Audience;
}

/** A request of the authorization endpoint. */
export interface AuthorizationRequest extends Wishes {
  appId: string;
  redirectUri: string;
  state: string | null;
  challenge: string;
}

/** The most characters of a parameter, and of the state, which comes back in an address. */
const MOST_CHARACTERS = 4_096;
const STATE_CHARACTERS = 2_048;
/** The most characters of all: sealed, they must fit into an address. */
const ALL_CHARACTERS = 8_192;

/** Refuses what no client needs: everything of it would return in addresses. @throws invalid_request */
export function refuseOversized(parameters: Parameters): void {
  const isLong = Object.entries(parameters).some(
    ([name, value]) => (value?.length ?? 0) > (name === 'state' ? STATE_CHARACTERS : MOST_CHARACTERS),
  );
  const all = Object.values(parameters).reduce((sum, value) => sum + (value?.length ?? 0), 0);
  if (isLong || all > ALL_CHARACTERS) throw new OAuthError('invalid_request', 'a parameter is too long');
}

/** The challenge of a request. @throws unsupported_response_type, invalid_request */
export function challengeIn(parameters: Parameters): string {
  const {
    response_type: type,
    response_mode: mode,
    code_challenge_method: method,
    code_challenge: challenge,
  } = parameters;
  if (type === undefined) throw new OAuthError('invalid_request', 'response_type is missing');
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code');
  if (mode !== undefined && mode !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query');
  if (challenge === undefined || method !== 'S256' || !isChallenge(challenge))
    throw new OAuthError('invalid_request', 'code_challenge with code_challenge_method S256 is required');
  return challenge;
}

/**
 * The wishes in a request. Scopes beyond those that a registered app requests are left out, as unknown ones are (RFC 6749,
 * 3.3). A client that names none is offered all that it may have, and nothing is fixed.
 * @throws invalid_target, invalid_authorization_details, invalid_request
 */
export function wishesIn(parameters: Parameters, app: App, publicUrl: string): Wishes {
  if (parameters.request !== undefined)
    throw new OAuthError('invalid_request', 'request objects are not supported');
  const named = new Set((parameters.scope ?? '').split(' ').filter(Boolean));
  const details =
    parameters.authorization_details === undefined ? null : graphAccessFrom(parameters.authorization_details);
  const audience = audienceIn(parameters, details?.locations ?? [], publicUrl);
  const possible = app.kind === 'registered' ? scopesIn(app.requestedPermissions) : SCOPES;
  const within = (scopes: readonly Scope[]): Scope[] => scopes.filter((scope) => possible.includes(scope));
  const asked = within(scopesOf([...named, ...(details?.scopes ?? [])]));
  const offered = details?.optional ?? [];
  const isBroad = asked.length === 0 && offered.length === 0;
  const required = asked.filter((scope) => !offered.includes(scope));
  const optional = scopesOf(isBroad ? broad(app, possible) : within(scopesOf(offered)));
  if (possible.length === 0) throw new OAuthError('invalid_request', 'the app requests no permissions');
  return {
    required,
    optional: optional.filter((scope) => !required.includes(scope)),
    schemas: schemasWithin(app, details?.schemas ?? {}),
    purpose: details?.purpose ?? null,
    days: details?.days ?? null,
    hasDetails: details !== null,
    audience,
  };
}

/** The resource that a request names, in its own parameter or in its details. @throws invalid_target */
function audienceIn({ resource }: Parameters, locations: readonly string[], publicUrl: string): Audience {
  const [named = resource] = locations;
  if (locations.length > 1 || (resource ?? named) !== named)
    throw new OAuthError('invalid_target', 'locations must name one resource, the one of the request');
  return audienceOf(named, publicUrl);
}

/** The schemas of a request: those that a registered app requests itself, or fewer where the request names some. */
function schemasWithin({ kind, requestedPermissions }: App, named: Wishes['schemas']): Wishes['schemas'] {
  if (kind !== 'registered') return named;
  const kinds = (['read', 'write'] as const).map((one) => {
    const own = requestedPermissions.schemas[one];
    const wish = named[one];
    if (wish === undefined || wish.allow_all) return [one, own] as const;
    if (own.allow_all) return [one, wish] as const;
    const ids = wish.schema_ids.filter((id) => own.schema_ids.includes(id));
    return [one, { schema_ids: ids, allow_all: false }] as const;
  });
  return Object.fromEntries(kinds);
}

/** The offer to a client that names no scopes: of a registered app all that it requests, else the baseline first. */
const broad = ({ kind }: App, possible: readonly Scope[]): readonly Scope[] =>
  kind === 'registered' ? possible : [...BASELINE, ...possible.filter((scope) => !BASELINE.includes(scope))];
