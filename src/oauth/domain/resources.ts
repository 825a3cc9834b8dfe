import { type Audience } from '../../identity/index.js';
import { OAuthError } from '../../kernel/errors/oauth-error.js';

const API = 'api/v1';

/**
 * The surfaces that a resource names (RFC 8707): the service's address means both, as an absent resource does.
 * @throws invalid_target
 */
export function audienceOf(resource: string | undefined, publicUrl: string): Audience {
  switch (resource) {
    case undefined:
    case publicUrl:
    case `${publicUrl}/`:
      return 'all';
    case `${publicUrl}/mcp`:
      return 'mcp';
    case `${publicUrl}/${API}`:
      return 'api';
    default:
      throw new OAuthError('invalid_target', 'resource is not an address of this service');
  }
}

/** True if tokens for one audience may be asked for where another was approved. */
export const isWithin = (asked: Audience, approved: Audience): boolean =>
  approved === 'all' || asked === approved;
