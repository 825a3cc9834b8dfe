import { Injectable } from '@nestjs/common';
import { AppSessions, type KnownToken, scopesIn } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { requestContext } from '../../kernel/request-context.js';
import { LivingAuthorizations } from '../../privacy/index.js';
import { type AuthenticatedClient } from './clients.service.js';

/** A living token, for the client that it was issued to. */
export type ActiveToken = KnownToken & { kind: 'access' | 'refresh' };

/** The end and the state of tokens (RFC 7009, RFC 7662), for the client alone that they were issued to. */
@Injectable()
export class TokenStatus {
  constructor(
    private readonly sessions: AppSessions,
    private readonly authorizations: LivingAuthorizations,
    private readonly clock: Clock,
  ) {}

  /** Ends a token of the client; any other text is left as it is. */
  async revoke(client: AuthenticatedClient, text: string): Promise<void> {
    const found = await this.find(client, text);
    if (found === null) return;
    requestContext.current().account = found.session.ownerId;
    await this.sessions.revoke(found);
  }

  /** Null for a token that is not living, or not of this client. */
  async introspect(client: AuthenticatedClient, text: string): Promise<ActiveToken | null> {
    const found = await this.find(client, text);
    if (found === null) return null;
    const { token, session } = found;
    const isOver = token.expiresAt <= this.clock.now() || token.spentAt !== null || session.endedAt !== null;
    if (isOver) return null;
    const authorization = await this.authorizations.activeOf(session.ownerId, session.appId);
    if (authorization?.id !== session.authorizationId) return null;
    const approved = scopesIn(authorization.requestedPermissions);
    const scopes = token.scopes.filter((scope) => approved.includes(scope));
    return { token: { ...token, scopes }, session, kind: token.kind };
  }

  private async find({ app, isConfidential }: AuthenticatedClient, text: string): Promise<KnownToken | null> {
    const found = (await this.sessions.find('access', text)) ?? (await this.sessions.find('refresh', text));
    if (found?.session.appId !== app.id) return null;
    return found.session.isConfidential && !isConfidential ? null : found;
  }
}
