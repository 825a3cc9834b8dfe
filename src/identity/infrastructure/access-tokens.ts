import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { type LogInClaims } from '../domain/log-in.js';
import { SigningKeys } from './signing-keys.js';

/**
 * Fixed, so that processes with different addresses accept each other's tokens. Services are distinguished by
 * their key.
 */
export const ISSUER = 'personal-identity-graph';
export const AUDIENCE = 'personal-identity-graph/api/v1';
export const ALGORITHM = 'ES256';
export const ACCESS_LIFETIME_SECONDS = 15 * 60;

/** Makes access tokens: JWT, 15 minutes, ES256 (rule 1.3). */
@Injectable()
export class AccessTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /** `auth_time` as in OpenID Connect: the time when the person last proved their identity. */
  issue(userId: string, { id, generation, authenticatedAt }: LogInClaims): Promise<string> {
    const now = Math.floor(this.clock.now().getTime() / 1000);
    return new SignJWT({
      sid: id,
      gen: generation,
      auth_time: Math.floor(authenticatedAt.getTime() / 1000),
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: this.keys.publicJwk.kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(now + ACCESS_LIFETIME_SECONDS)
      .setJti(newId())
      .sign(this.keys.privateKey);
  }
}
