import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type Request } from 'express';
import { Strategy } from 'passport-jwt';
import { OwnerCounters, type CounterValues } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { isId } from '../../kernel/ids.js';
import { ALGORITHM, AUDIENCE, ISSUER } from '../infrastructure/access-tokens.js';
import { type LogInClaims } from '../domain/log-in.js';
import { CredentialQueries, isLiving, type UserCredentials } from '../infrastructure/credentials.queries.js';
import { CredentialCache, countersOf } from '../infrastructure/credential-cache.js';
import { SigningKeys } from '../infrastructure/signing-keys.js';

const MAX_KNOWN_USERS = 10_000;
const BYTES_OF_A_USER = 1_000;

/** A request with a valid access token. */
export interface AuthenticatedUser extends UserCredentials {
  logIn: LogInClaims;
  stamps: Map<string, CounterValues>;
}

const ACCESS_TOKEN = 'access-token';

/** The reason that a token of this service is no longer valid. */
export const EXPIRED = 'expired';

/**
 * Identifies the user of an access token (rule 1.3). Algorithm, issuer and audience are fixed, whatever the
 * token claims.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, ACCESS_TOKEN) {
  private readonly cache: CredentialCache<UserCredentials>;

  constructor(
    keys: SigningKeys,
    queries: CredentialQueries,
    private readonly counters: OwnerCounters,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: tokenOf,
      // Parsed once, not for every token; the types know only PEM, the library takes both.
      secretOrKey: keys.publicKey as unknown as Buffer,
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      // Expiry is checked in validate(), by the clock that also dates the tokens.
      ignoreExpiration: true,
    });
    const bytesOf = ({ ended }: UserCredentials): number => BYTES_OF_A_USER + 100 * ended.size;
    this.cache = new CredentialCache((id) => queries.findUser(id), { max: MAX_KNOWN_USERS, bytesOf });
  }

  /** Called only after the signature was verified. Passport takes the list as: no user, and the reason. */
  async validate(claims: Claims): Promise<AuthenticatedUser | [null, typeof EXPIRED] | null> {
    const { sub, exp } = claims;
    const logIn = logInOf(claims);
    if (!isId(sub) || typeof exp !== 'number' || logIn === null) return null;
    if (exp * 1000 <= this.clock.now().getTime()) return [null, EXPIRED];
    const current = await this.counters.current([sub]);
    const recalled = await this.cache.recall(sub);
    const fresh = recalled && (await this.cache.fresh(sub, recalled, current.get(sub)));
    if (!fresh || !isLiving(logIn, fresh)) return null;
    return { ...fresh, logIn, stamps: countersOf([sub], current, [sub, fresh.stamp]) };
  }
}

type Claims = Partial<Record<'sub' | 'exp' | 'sid' | 'gen' | 'auth_time', unknown>>;

function logInOf({ sid, gen, auth_time }: Claims): LogInClaims | null {
  if (!isId(sid) || typeof gen !== 'number' || typeof auth_time !== 'number') return null;
  return { id: sid, generation: gen, authenticatedAt: new Date(auth_time * 1000) };
}

const HEADER = /^bearer +([\w-]+\.[\w-]+\.([\w-]+))$/i;

/**
 * The token of `Authorization: Bearer`. The last character of a signature has bits without meaning; only the
 * encoding that the service uses is accepted, so that no changed token is valid.
 */
function tokenOf(request: Request): string | null {
  const [, token, signature] = HEADER.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined || signature === undefined) return null;
  return Buffer.from(signature, 'base64url').toString('base64url') === signature ? token : null;
}
