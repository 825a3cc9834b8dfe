import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { sql } from '../../kernel/database/sql.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Housekeeping } from '../../kernel/housekeeping.js';
import { isId, newId } from '../../kernel/ids.js';
import {
  type AppSession,
  type Audience,
  endingOf,
  GRACE_MS,
  IDLE_MS,
  isCopied,
  refreshVerdict,
  type SessionEnd,
  SHOWN_MS,
} from '../domain/app-session.js';
import { type Scope } from '../domain/scopes.js';
import { type AppTokenKind, digestOfToken, isTokenText, newTokenText } from '../domain/token-text.js';
import { AppSessionRows, type AppToken } from '../infrastructure/app-sessions.repository.js';
import { Apps } from './apps.service.js';
import { Notices } from './notices.service.js';
import { type Page } from './page.js';

/** The terms of new tokens. */
export interface TokenTerms {
  scopes: Scope[];
  audience: Audience;
  /** The end of the authorization: no access token lasts longer. */
  endsAt: Date | null;
}

/** Tokens with their secrets, which exist only now. */
export interface IssuedTokens {
  session: AppSession;
  accessToken: string;
  expiresInSeconds: number;
  refreshToken: string;
  scopes: Scope[];
}

export interface KnownToken {
  token: AppToken;
  session: AppSession;
}

export type NewSession = Pick<
  AppSession,
  'ownerId' | 'appId' | 'authorizationId' | 'device' | 'isConfidential' | 'hasDetails'
> &
  TokenTerms;

/** An authorization, with its end. */
interface SessionsOf {
  ownerId: string;
  id: string;
  endedAt: Date | null;
}

/** The longest name of a device that is stored. */
const DEVICE_LENGTH = 200;

/**
 * Connections of apps by token, one for each device (rules 14.4, 14.5). A token is a pointer to its authorization and
 * holds no permission itself; the end of a session raises its owner's policy counter, so that the next request of any
 * process sees it.
 */
@Injectable()
export class AppSessions implements OnModuleInit {
  /** The time after its last refresh at which a session has no token left. */
  private readonly idleMs: number;

  constructor(
    private readonly rows: AppSessionRows,
    private readonly apps: Apps,
    private readonly notices: Notices,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
    private readonly config: Config,
  ) {
    this.idleMs = Math.max(IDLE_MS, config.oauth.accessTokenHours * 3_600_000);
  }

  onModuleInit(): void {
    this.housekeeping.register('app sessions', () => {
      const now = this.clock.now();
      const before = new Date(now.getTime() - SHOWN_MS);
      return this.units.run(() => this.rows.forget({ now, idleMs: this.idleMs, before }));
    });
  }

  /** Begins a session, in the unit of work of what allows it. */
  begin({ scopes, endsAt, ...terms }: NewSession): Promise<IssuedTokens> {
    const now = this.clock.now();
    const device = terms.device?.slice(0, DEVICE_LENGTH) ?? null;
    const dates = { createdAt: now, lastUsedAt: now, endedAt: null, endReason: null };
    const session: AppSession = { ...terms, ...dates, device, scopes, id: newId() };
    return this.units.run(async () => {
      await this.rows.insert(session);
      return this.issue(session, { scopes, audience: session.audience, endsAt });
    });
  }

  /** A token of this service and its session, living or not; null for any other text. */
  async find(kind: AppTokenKind, text: string): Promise<KnownToken | null> {
    if (!isTokenText(kind, text)) return null;
    const token = await this.rows.findToken(digestOfToken(text));
    if (token?.kind !== kind) return null;
    const session = await this.rows.find({ ownerId: token.ownerId, id: token.sessionId });
    return session && { token, session };
  }

  /**
   * Exchanges a refresh token for a new pair. One that is used again within the grace gets a further pair, and the
   * earlier ones stay valid; later reuse ends the session.
   * @returns null where the token is no longer valid
   */
  refresh(
    { token: { ownerId, digest }, session }: KnownToken,
    terms: TokenTerms,
  ): Promise<IssuedTokens | null> {
    return this.units.run(async () => {
      const locked = await this.rows.lock(session);
      const token = await this.rows.findToken(digest);
      if (locked === null || token?.ownerId !== ownerId || locked.endedAt !== null) return null;
      const now = this.clock.now();
      const verdict = refreshVerdict(token, now);
      if (verdict === 'reused') await this.endAs(locked, 'refresh_token_reused');
      if (verdict === 'reused' || verdict === 'expired') return null;
      if (verdict === 'fresh') await this.rows.spend(token, now);
      await this.rows.touch(locked, now);
      return this.issue(locked, terms);
    });
  }

  /** Ends a token: with a refresh token its whole session (RFC 7009). */
  async revoke({ token, session }: KnownToken): Promise<void> {
    if (token.kind === 'refresh') return this.endAs(session, 'revoked_by_client');
    await this.units.run(async () => {
      await this.rows.deleteToken(token);
      this.changes.bumpPolicyVersion(token.ownerId);
    });
  }

  /** @throws NOT_FOUND */
  async end(ownerId: string, authorizationId: string, id: string): Promise<void> {
    const session = isId(id) ? await this.rows.find({ ownerId, id }) : null;
    if (session?.authorizationId !== authorizationId) throw new DomainError('NOT_FOUND', 'Session not found');
    await this.endAs(session, 'ended_by_person');
  }

  /** Ends one session; one that has ended stays as it is. A copy is reported to its person. */
  endAs(
    { ownerId, id, appId }: Pick<AppSession, 'ownerId' | 'id' | 'appId'>,
    reason: SessionEnd,
  ): Promise<void> {
    return this.units.run(async () => {
      const ended = await this.rows.end(
        sql`s.owner_id = ${ownerId} AND s.id = ${id}`,
        reason,
        this.clock.now(),
      );
      if (ended.length === 0) return;
      this.changes.bumpPolicyVersion(ownerId);
      if (isCopied(reason)) {
        const app = await this.apps.find(appId);
        await this.notices.tell(ownerId, { kind: 'app-copied', ...(app && { appName: app.name }) });
      }
    });
  }

  /** Ends the sessions of an authorization; called in the unit of work that ends it. */
  async endOfAuthorization(ownerId: string, authorizationId: string): Promise<void> {
    const where = sql`s.owner_id = ${ownerId} AND s.authorization_id = ${authorizationId}`;
    await this.rows.end(where, 'authorization_ended', this.clock.now());
    this.changes.bumpPolicyVersion(ownerId);
  }

  /** The sessions that live or that have ended, with their ends. Those of an authorization that has ended have all ended. */
  async listOf(
    { ownerId, id: authorizationId, endedAt }: SessionsOf,
    { status, ...page }: Page & { status: 'active' | 'ended' },
  ): Promise<{ sessions: AppSession[]; total: number }> {
    const now = this.clock.now();
    const isEnded = status === 'ended';
    if (endedAt !== null && !isEnded) return { sessions: [], total: 0 };
    const idleSince = endedAt === null ? this.idleSince(now) : now;
    const found = await this.rows.listOf({ ownerId, authorizationId, isEnded, idleSince }, page);
    const terms = { authorizationEnd: endedAt, idleMs: this.idleMs, now };
    return { ...found, sessions: found.sessions.map((one) => ({ ...one, ...endingOf(one, terms) })) };
  }

  /** The numbers of living sessions, by authorization. */
  countsOf(ownerId: string, authorizationIds: readonly string[]): Promise<Map<string, number>> {
    return this.rows.countsOf(ownerId, authorizationIds, this.idleSince(this.clock.now()));
  }

  private idleSince(now: Date): Date {
    return new Date(now.getTime() - this.idleMs);
  }

  private async issue(session: AppSession, { scopes, audience, endsAt }: TokenTerms): Promise<IssuedTokens> {
    const now = this.clock.now();
    const hours = this.config.oauth.accessTokenHours;
    const accessToken = newTokenText('access');
    const accessEnd = earlier(new Date(now.getTime() + hours * 3_600_000), endsAt);
    await this.store(session, accessToken, { kind: 'access', scopes, audience, expiresAt: accessEnd });
    const refreshToken = newTokenText('refresh');
    const refreshEnd = new Date(now.getTime() + IDLE_MS);
    await this.store(session, refreshToken, {
      kind: 'refresh',
      scopes: session.scopes,
      audience: session.audience,
      expiresAt: refreshEnd,
    });
    const oldest = new Date(now.getTime() - GRACE_MS);
    if (await this.rows.trim(session, oldest)) this.changes.bumpPolicyVersion(session.ownerId);
    const expiresInSeconds = Math.max(1, Math.floor((accessEnd.getTime() - now.getTime()) / 1000));
    return { session, accessToken, expiresInSeconds, refreshToken, scopes };
  }

  private async store(
    { ownerId, id }: AppSession,
    text: string,
    token: Pick<AppToken, 'kind' | 'scopes' | 'audience' | 'expiresAt'>,
  ): Promise<void> {
    const fixed = {
      ownerId,
      sessionId: id,
      digest: digestOfToken(text),
      createdAt: this.clock.now(),
      spentAt: null,
    };
    await this.rows.insertToken({ ...token, ...fixed });
  }
}

const earlier = (end: Date, other: Date | null): Date => (other !== null && other < end ? other : end);
