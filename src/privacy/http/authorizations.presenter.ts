import { Injectable } from '@nestjs/common';
import {
  type App,
  AppSessions,
  requestVersionOf,
  scopesIn,
  type User,
  verifiedHost,
} from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { type PageQuery } from '../../kernel/http/answers/page.js';
import { pageWithinBytes } from '../../kernel/http/answers/page-within-bytes.js';
import { requestContext } from '../../kernel/request-context.js';
import { textVisibly, visibly } from '../../kernel/text/unseen-characters.js';
import { type Access } from '../domain/access.js';
import { endOf, statusOf } from '../domain/authorization.js';
import { ceilingOf, isBeyond } from '../domain/ceiling.js';
import { type PermissionSummary } from '../domain/permission-summary.js';
import { type KnownAuthorization } from '../infrastructure/authorizations.queries.js';
import { ProfileNames } from '../infrastructure/profile-names.queries.js';
import { AuthorizedCounts } from '../application/authorized-counts.js';
import { LastUses } from '../application/last-uses.js';
import { type Preview } from '../application/approval-previews.service.js';
import { type Approved } from '../application/authorizations.service.js';
import {
  type ApprovedDto,
  type AuthorizationDto,
  type AuthorizationsDto,
  type CurrentAuthorizationDto,
  type PreviewDto,
} from './dto/authorizations.dto.js';

/** The most authorizations that are read at once: the requests of an app can name thousands of schemas. */
const AT_ONCE = 16;

/** The reader of authorizations: the user whose they are, or null for the app. */
type Reader = Pick<User, 'id' | 'username'> | null;

type KnownPage = { authorizations: KnownAuthorization[]; total: number };

/**
 * Presents authorizations with the names beside their ids (rule 11.13). An app is not shown how its user named the
 * profile, nor the user's name.
 */
@Injectable()
export class AuthorizationPresenter {
  constructor(
    private readonly profiles: ProfileNames,
    private readonly lastUses: LastUses,
    private readonly counts: AuthorizedCounts,
    private readonly sessions: AppSessions,
    private readonly clock: Clock,
  ) {}

  async present(known: KnownAuthorization, reader: Reader): Promise<AuthorizationDto> {
    const [shown] = await this.presentAll([known], reader);
    return shown as AuthorizationDto;
  }

  /** A page of authorizations, as `read` finds them. */
  async presentPage(
    { limit, offset }: PageQuery,
    reader: Reader,
    read: (room: PageQuery) => Promise<KnownPage>,
  ): Promise<AuthorizationsDto> {
    const { items: authorizations, ...page } = await pageWithinBytes<KnownAuthorization, AuthorizationDto>({
      limit,
      offset,
      read: async (room) => {
        const { authorizations: rows, total } = await read(room);
        return { rows, total };
      },
      show: (known) => this.presentAll(known, reader),
      isWhole: () => false,
      atOnce: AT_ONCE,
    });
    return { authorizations, ...page };
  }

  /**
   * Adds the counts one after the other: an owner may have a hundred apps. Counting takes long, so it waits for connections
   * like any read, not with what is reserved for ending access (rule 11.9d).
   */
  async withCounts(owner: Access, page: AuthorizationsDto): Promise<AuthorizationsDto> {
    requestContext.current().endsAccess = false;
    const authorizations: AuthorizationDto[] = [];
    for (const one of page.authorizations) {
      const app = { appId: one.app_id, profileId: one.exposure_profile_id };
      const node_counts = one.status === 'active' ? await this.counts.of(owner, app) : null;
      authorizations.push({ ...one, node_counts });
    }
    return { ...page, authorizations };
  }

  async presentApproved({ userKey, ...known }: Approved, reader: Reader): Promise<ApprovedDto> {
    return { ...(await this.present(known, reader)), ...(userKey === null ? {} : { user_key: userKey }) };
  }

  async presentCurrent(
    known: KnownAuthorization,
    summary: PermissionSummary,
  ): Promise<CurrentAuthorizationDto> {
    return {
      authorization: await this.present(known, null),
      requested_permissions: summary.requested,
      granted_permissions: summary.granted,
      effective_permissions: summary.effective,
      missing: summary.missing,
    };
  }

  /** With a reader all are of that reader. */
  private async presentAll(
    known: readonly KnownAuthorization[],
    reader: Reader,
  ): Promise<AuthorizationDto[]> {
    const now = this.clock.now();
    const all = known.map(({ authorization }) => authorization);
    const spans = all.map(({ appId, createdAt: from, revokedAt: until }) => ({ appId, from, until }));
    const used = reader === null ? [] : await this.lastUses.of(reader.id, spans);
    // The end of an authorization ends its sessions, whose rows a sweep ends later.
    const ids = all.filter((one) => endOf(one, now) === null).map(({ id }) => id);
    const sessions = reader === null ? null : await this.sessions.countsOf(reader.id, ids);
    const profileIds = all.map(({ exposureProfileId }) => exposureProfileId);
    const profiles = reader === null ? new Map() : await this.profiles.of(reader.id, profileIds);
    return known.map((one, index) => ({
      ...presented(one, now),
      app: { id: one.authorization.appId, name: one.currentName },
      user: reader === null ? null : { id: reader.id, username: reader.username },
      profile: profiles.get(one.authorization.exposureProfileId) ?? null,
      last_used_at: used[index] ?? null,
      sessions: sessions && (sessions.get(one.authorization.id) ?? 0),
    }));
  }
}

function presented({ authorization, requested, currentName, client }: KnownAuthorization, now: Date) {
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
    upgrade_pending:
      !authorization.isChosen && isBeyond(ceilingOf(requested), ceilingOf(requestedPermissions)),
    purpose: authorization.purpose,
    scopes: scopesIn(requestedPermissions),
    client: presentClient(currentName, client),
    created_at: authorization.createdAt,
    updated_at: authorization.updatedAt,
    expires_at: authorization.expiresAt,
    revoked_at: authorization.revokedAt,
  };
}

/** An app as the client that a person knows: only a document on its own site proves a host. */
export function presentClient(
  name: string,
  client: Pick<App, 'kind' | 'documentUrl'>,
): AuthorizationDto['client'] {
  const host = verifiedHost(client);
  return { name: visibly(name), host, verified: host !== null, kind: client.kind };
}

export function presentPreview({ app, profiles }: Preview): PreviewDto {
  return {
    app: {
      id: app.id,
      name: visibly(app.name),
      description: app.description && textVisibly(app.description),
      // Apps of earlier versions may have an address that is refused today.
      homepage_url: app.homepageUrl && visibly(app.homepageUrl),
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
