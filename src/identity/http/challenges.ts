import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isBelowPrefix, VERSION_PREFIX } from '../../kernel/http/version-prefix.js';
import { BASELINE, type Scope } from '../domain/scopes.js';

/** The address of a protected resource's metadata (RFC 9728, 3.1), from its path below the service's address. */
const metadataUrl = (publicUrl: string, resource: string): string =>
  `${publicUrl}/.well-known/oauth-protected-resource/${resource}`;

/** Challenges with the ways to authenticate (RFC 9110, 11.6.1), the authorization server (RFC 9728, 5) and the fault of a token. */
@Injectable()
export class Challenges {
  constructor(private readonly config: Config) {}

  /** Names the scopes that a refused request needs (RFC 6750, 3.1), with those that its token has. */
  nameScopes(response: Response, scopes: readonly Scope[]): void {
    if (!response.headersSent)
      response.setHeader(
        'WWW-Authenticate',
        `Bearer realm="api", error="insufficient_scope", ${this.pointers(response, scopes)}`,
      );
  }

  /** The error for a credential that is missing or not accepted; `error` is its code of RFC 6750, 3. */
  refusal(response: Response, message: string, error?: string): DomainError {
    const fault = error === undefined ? '' : `error="${error}", `;
    const bearer = `Bearer realm="api", ${fault}${this.pointers(response, BASELINE)}`;
    // The headers of a stream that has begun are already sent.
    if (!response.headersSent) response.setHeader('WWW-Authenticate', `${bearer}, ApiKey realm="api"`);
    return new DomainError('UNAUTHORIZED', message);
  }

  private pointers(response: Response, scopes: readonly Scope[]): string {
    const resource = isBelowPrefix(response.req) ? VERSION_PREFIX : 'mcp';
    return `resource_metadata="${metadataUrl(this.config.publicUrl, resource)}", scope="${scopes.join(' ')}"`;
  }
}
