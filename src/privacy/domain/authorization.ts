import { type OthersRights, type RequestedPermissions } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';

/** A user's consent that an app acts within a profile (rules 2). */
export interface Authorization {
  /** The user, who owns the graph. */
  ownerId: string;
  id: string;
  appId: string;
  exposureProfileId: string;
  /** The ceiling as approved (rule 2.7). */
  requestedPermissions: RequestedPermissions;
  /** The app's name when the person approved it; null for approvals older than this field. */
  appName: string | null;
  /** The reason that the app stated in its request; null if it stated none. */
  purpose: string | null;
  /** True if the person chose among the requests of the app: what it requests beyond is not waiting for an approval. */
  isChosen: boolean;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date | null;
  /** The time of revocation, or of the end of its app. */
  revokedAt: Date | null;
  version: number;
}

export const AUTHORIZATION_STATUSES = ['active', 'revoked', 'expired'] as const;
export type AuthorizationStatus = (typeof AUTHORIZATION_STATUSES)[number];

export function statusOf(
  { revokedAt, expiresAt }: Pick<Authorization, 'revokedAt' | 'expiresAt'>,
  now: Date,
): AuthorizationStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** The time at which it has ended; null while it lives. */
export function endOf(
  { revokedAt, expiresAt }: Pick<Authorization, 'revokedAt' | 'expiresAt'>,
  now: Date,
): Date | null {
  const expiredAt = expiresAt !== null && expiresAt <= now ? expiresAt : null;
  if (revokedAt === null || expiredAt === null) return revokedAt ?? expiredAt;
  return revokedAt < expiredAt ? revokedAt : expiredAt;
}

/** The rights of the app, apart from those of its profile (rule 1.16). */
export const appsRights = ({
  exposureProfileId,
  expiresAt,
}: Pick<Authorization, 'exposureProfileId' | 'expiresAt'>): OthersRights => ({
  rights: [{ kind: 'act', over: `profile ${exposureProfileId}` }],
  until: expiresAt,
});

/** The whole state, as the change log stores it. */
export function authorizationSnapshot(authorization: Authorization): Record<string, unknown> {
  return {
    id: authorization.id,
    app_id: authorization.appId,
    user_id: authorization.ownerId,
    exposure_profile_id: authorization.exposureProfileId,
    requested_permissions: authorization.requestedPermissions,
    app_name: authorization.appName,
    ...(authorization.purpose === null ? {} : { purpose: authorization.purpose }),
    ...(authorization.isChosen ? { is_chosen: true } : {}),
    version: authorization.version,
    created_at: authorization.createdAt,
    updated_at: authorization.updatedAt,
    expires_at: authorization.expiresAt,
    revoked_at: authorization.revokedAt,
  };
}

export const notAuthorized = (): DomainError =>
  new DomainError('PERMISSION_DENIED', 'The user has not authorized this app');
