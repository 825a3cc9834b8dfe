import { type PageQuery } from '../../kernel/http/answers/page.js';
import { pageWithinBytes } from '../../kernel/http/answers/page-within-bytes.js';
import { visibly } from '../../kernel/text/unseen-characters.js';
import { requestVersionOf } from '../../identity/index.js';
import { statusOf } from '../domain/authorization.js';
import { ceilingOf, isBeyond } from '../domain/ceiling.js';
import { type PermissionSummary } from '../domain/permission-summary.js';
import { type KnownAuthorization } from '../infrastructure/authorizations.queries.js';
import { type Approved, type Preview } from '../application/authorizations.service.js';
import {
  type ApprovedDto,
  type AuthorizationDto,
  type AuthorizationsDto,
  type CurrentAuthorizationDto,
  type PreviewDto,
} from './dto/authorizations.dto.js';

export function presentAuthorization(
  { authorization, requested, currentName }: KnownAuthorization,
  now: Date,
): AuthorizationDto {
  const { requestedPermissions } = authorization;
  return {
    id: authorization.id,
    app_id: authorization.appId,
    app_name: currentName,
    app_name_at_approval: authorization.appName,
    user_id: authorization.ownerId,
    exposure_profile_id: authorization.exposureProfileId,
    status: statusOf(authorization, now),
    requested_permissions: requestedPermissions,
    upgrade_pending: isBeyond(ceilingOf(requested), ceilingOf(requestedPermissions)),
    created_at: authorization.createdAt,
    updated_at: authorization.updatedAt,
    expires_at: authorization.expiresAt,
    revoked_at: authorization.revokedAt,
  };
}

/** The most authorizations that are read at once: the requests of an app can name thousands of schemas. */
const AT_ONCE = 16;

/** A page of authorizations, as `read` finds them. */
export async function presentAuthorizations(
  { limit, offset }: PageQuery,
  now: Date,
  read: (room: PageQuery) => Promise<{ authorizations: KnownAuthorization[]; total: number }>,
): Promise<AuthorizationsDto> {
  const { items: authorizations, ...page } = await pageWithinBytes<KnownAuthorization, AuthorizationDto>({
    limit,
    offset,
    read: async (room) => {
      const { authorizations: rows, total } = await read(room);
      return { rows, total };
    },
    show: (known) => known.map((one) => presentAuthorization(one, now)),
    isWhole: () => false,
    atOnce: AT_ONCE,
  });
  return { authorizations, ...page };
}

export function presentApproved({ userKey, ...known }: Approved, now: Date): ApprovedDto {
  return { ...presentAuthorization(known, now), ...(userKey === null ? {} : { user_key: userKey }) };
}

export function presentCurrent(
  known: KnownAuthorization,
  summary: PermissionSummary,
  now: Date,
): CurrentAuthorizationDto {
  return {
    authorization: presentAuthorization(known, now),
    requested_permissions: summary.requested,
    granted_permissions: summary.granted,
    effective_permissions: summary.effective,
    missing: summary.missing,
  };
}

export function presentPreview({ app, profiles }: Preview): PreviewDto {
  return {
    app: {
      id: app.id,
      name: visibly(app.name),
      description: app.description,
      homepage_url: app.homepageUrl,
      client_level: app.clientLevel,
    },
    requested_permissions: app.requestedPermissions,
    request_version: requestVersionOf(app),
    profiles: profiles.map(({ profile, missing }) => ({
      id: profile.id,
      name: profile.name,
      is_default: profile.isDefault,
      satisfies: missing.length === 0,
      missing,
    })),
  };
}
