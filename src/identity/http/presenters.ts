import { QUOTAS, type QuotaLimits } from '../../config/quotas.js';
import { type Used } from '../../kernel/change-log/quota-statements.js';
import { type SignedIn } from '../application/accounts.service.js';
import { type Tokens } from '../application/log-ins.service.js';
import { type IssuedKey } from '../application/api-keys.service.js';
import { type ApiKey } from '../domain/api-key.js';
import { type App } from '../domain/app.js';
import { CHALLENGE_LIFETIME_MS } from '../domain/challenge.js';
import { type LogIn } from '../domain/log-in.js';
import { type Passkey } from '../domain/passkey.js';
import { type EnrolledFactors } from '../domain/second-factor.js';
import { type User } from '../domain/user.js';
import { ACCESS_LIFETIME_SECONDS } from '../infrastructure/access-tokens.js';
import {
  type AppDto,
  type CreatedAppDto,
  type CreatedKeyDto,
  type CurrentAppDto,
  type KeyDto,
} from './dto/apps.dto.js';
import { type AccountDto, type SignedInDto, type TokensDto } from './dto/auth.dto.js';
import { type AccessTokenDto, type LogInDto } from './dto/log-ins.dto.js';
import { type OwnAccountDto } from './dto/own-account.dto.js';
import { type PasskeyCreationDto, type PasskeyDto } from './dto/passkeys.dto.js';
import { type UserDto } from './dto/users.dto.js';

/** A user as that user sees it. */
function presentAccount(user: User): AccountDto {
  const { id, email, username, isPublic, tier, createdAt } = user;
  const email_verified = user.emailVerifiedAt !== null;
  return { id, email, email_verified, username, is_public: isPublic, tier, created_at: createdAt };
}

/** A user as that user sees it, with the enrolled second factors and the use of quotas. */
export function presentOwnAccount(
  user: User,
  { totp, recoveryCodes }: EnrolledFactors,
  { limits, used }: { limits: QuotaLimits; used: Used },
): OwnAccountDto {
  const quotas = QUOTAS.map((quota) => [quota, { limit: limits[quota], used: used[quota] }]);
  return {
    ...presentAccount(user),
    second_factor: { totp, recovery_codes_left: recoveryCodes },
    quotas: Object.fromEntries(quotas) as OwnAccountDto['quotas'],
  };
}

/** A user as others see it. */
export function presentUser({ id, username, isPublic }: User): UserDto {
  return { id, username, is_public: isPublic };
}

export function presentTokens({ accessToken, refreshToken }: Tokens): TokensDto {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_LIFETIME_SECONDS,
  };
}

export function presentAccessToken(access_token: string): AccessTokenDto {
  return { access_token, token_type: 'Bearer', expires_in: ACCESS_LIFETIME_SECONDS };
}

export function presentLogIn(
  { id, createdAt, lastUsedAt, userAgent, network }: LogIn,
  currentId: string,
): LogInDto {
  return {
    id,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    user_agent: userAgent,
    network,
    is_current: id === currentId,
  };
}

/** Options of a ceremony, in the W3C's names. */
export function presentCeremony(options: object): PasskeyCreationDto {
  return { public_key: options, expires_in: CHALLENGE_LIFETIME_MS / 1000 };
}

export function presentPasskey({ id, name, createdAt, lastUsedAt, regressedAt }: Passkey): PasskeyDto {
  return { id, name, created_at: createdAt, last_used_at: lastUsedAt, copy_suspected_at: regressedAt };
}

export function presentSignedIn({ user, tokens }: SignedIn): SignedInDto {
  return { user: presentAccount(user), ...presentTokens(tokens) };
}

export function presentApp(app: App): AppDto {
  return {
    id: app.id,
    name: app.name,
    description: app.description,
    homepage_url: app.homepageUrl,
    redirect_uris: app.redirectUris,
    client_level: app.clientLevel,
    requested_permissions: app.requestedPermissions,
    owner_id: app.ownerId,
    tier: app.tier,
    is_active: app.isActive,
    created_at: app.createdAt,
    updated_at: app.updatedAt,
  };
}

/** An app as its users may know it: without what concerns its developer alone (rule 2.6c). */
export function presentAppForUsers(app: App): CurrentAppDto {
  const { id, name, description, homepage_url, client_level, requested_permissions } = presentApp(app);
  return { id, name, description, homepage_url, client_level, requested_permissions };
}

export function presentCreatedApp({ app, apiKey }: { app: App; apiKey: string }): CreatedAppDto {
  return { ...presentApp(app), api_key: apiKey };
}

export function presentKey({ id, name, prefix, lastFour, createdAt, expiresAt }: ApiKey): KeyDto {
  return { id, name, prefix, last_four: lastFour, created_at: createdAt, expires_at: expiresAt };
}

export function presentIssuedKey({ key, text }: IssuedKey): CreatedKeyDto {
  return { ...presentKey(key), api_key: text };
}
