import { DomainError } from './domain-error.js';
import { type ErrorCode, ERROR_STATUS } from './catalogue.js';

/** Codes of RFC 6749 (4.1.2.1, 5.2), RFC 7591 (3.2.2), RFC 8628 (3.5), RFC 8707 (2) and RFC 9396 (5). */
const CODES = {
  invalid_request: 'VALIDATION_ERROR',
  invalid_client: 'UNAUTHORIZED',
  invalid_grant: 'VALIDATION_ERROR',
  unauthorized_client: 'VALIDATION_ERROR',
  unsupported_grant_type: 'VALIDATION_ERROR',
  unsupported_response_type: 'VALIDATION_ERROR',
  invalid_scope: 'VALIDATION_ERROR',
  invalid_target: 'VALIDATION_ERROR',
  invalid_authorization_details: 'VALIDATION_ERROR',
  invalid_client_metadata: 'VALIDATION_ERROR',
  invalid_redirect_uri: 'VALIDATION_ERROR',
  access_denied: 'VALIDATION_ERROR',
  authorization_pending: 'VALIDATION_ERROR',
  slow_down: 'VALIDATION_ERROR',
  expired_token: 'VALIDATION_ERROR',
} as const satisfies Record<string, ErrorCode>;
export type OAuthCode = keyof typeof CODES;

export const statusOf = (code: OAuthCode): number => ERROR_STATUS[CODES[code]];

/** An error of an OAuth endpoint, which has the codes and the form of OAuth (rule 14.1). */
export class OAuthError extends DomainError {
  constructor(
    readonly oauthCode: OAuthCode,
    message: string,
  ) {
    super(CODES[oauthCode], message);
    this.name = 'OAuthError';
  }
}

/** Characters that a description may have (RFC 6749, 5.2). */
const NOT_ALLOWED = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g;

/** An error of any kind in the form of OAuth. */
export function oauthBodyOf(error: DomainError): { error: string; error_description: string } {
  return {
    error: codeOf(error),
    error_description: error.message.replace(/["“”]/g, "'").replace(NOT_ALLOWED, '?'),
  };
}

function codeOf(error: DomainError): string {
  if (error instanceof OAuthError) return error.oauthCode;
  if (error.status === 429 || error.status === 503) return 'temporarily_unavailable';
  return error.status >= 500 ? 'server_error' : 'invalid_request';
}
