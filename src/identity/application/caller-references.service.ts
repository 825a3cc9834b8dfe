import { Injectable } from '@nestjs/common';
import { OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { requestContext } from '../../kernel/request-context.js';
import { TRUSTED_MS } from '../../kernel/request-rights.js';
import { type Caller } from '../domain/caller.js';
import { type LogInClaims } from '../domain/log-in.js';
import { CredentialQueries, isLiving } from '../infrastructure/credentials.queries.js';
import { countersOf } from '../infrastructure/credential-cache.js';

/** The word in the name of a caller by token. */
const TOKEN = 'token';

/**
 * Finds a caller again without the credential, for a link that was issued to them and is used later.
 * Everything that would make their credential invalid now also makes the link invalid.
 */
@Injectable()
export class CallerReferences {
  constructor(
    private readonly queries: CredentialQueries,
    private readonly counters: OwnerCounters,
    private readonly clock: Clock,
  ) {}

  /** A name to find the caller by; contains ids and no secret. */
  nameOf(caller: Caller): string {
    if (caller.kind === 'app') {
      const { userId, app, keyId, boundAuthorizationId, token } = caller;
      if (token !== undefined) return [userId ?? '', TOKEN, token.digest].join('.');
      return [
        userId ?? '',
        app.id,
        keyId,
        ...(boundAuthorizationId === null ? [] : [boundAuthorizationId]),
      ].join('.');
    }
    return `${caller.userId}.${caller.logIn.generation}.${caller.logIn.id}`;
  }

  /**
   * Null when the key or token is revoked or expired, its session ended, its app deleted or inactive, the log-in ended, or the user
   * deleted.
   */
  async find(name: string): Promise<Caller | null> {
    const [userId, appId = '', keyId, authorizationId = null] = name.split('.');
    if (appId === TOKEN) return this.token(keyId ?? '');
    if (!isId(userId) || !isId(keyId)) return null;
    if (/^\d+$/.test(appId)) return this.user(userId, { id: keyId, generation: Number(appId) });
    return isId(appId) ? this.app(userId, { appId, keyId, authorizationId }) : null;
  }

  /**
   * Passes on the pieces of a long answer for as long as the caller's credential is accepted.
   * @param permit throws when the caller, as they are found again, has no right to the answer any longer
   * @throws UNAUTHORIZED once the credential is not accepted; the errors of `permit`
   */
  async *whileAccepted<Piece>(
    caller: Caller,
    pieces: AsyncIterable<Piece>,
    permit: (found: Caller) => Promise<unknown> = () => Promise.resolve(),
  ): AsyncGenerator<Piece> {
    const name = this.nameOf(caller);
    const { rights } = requestContext.current();
    let asked = rights?.isOld === true ? -Infinity : this.clock.now().getTime();
    rights?.settle();
    for await (const piece of pieces) {
      if (this.clock.now().getTime() - asked >= TRUSTED_MS) {
        const found = await this.find(name);
        if (found === null)
          throw new DomainError(
            'UNAUTHORIZED',
            'The credential expired or was revoked while the response was sent',
          );
        await permit(found);
        asked = this.clock.now().getTime();
      }
      yield piece;
    }
  }

  /** The proof of identity counts as old. */
  private async user(userId: string, logIn: Pick<LogInClaims, 'id' | 'generation'>): Promise<Caller | null> {
    const found = await this.queries.findUser(userId);
    if (found === null || !isLiving(logIn, found)) return null;
    const current = await this.counters.current([userId]);
    const stamps = countersOf([userId], current, [userId, found.stamp]);
    return {
      kind: 'user',
      userId,
      user: found.user,
      logIn: { ...logIn, authenticatedAt: new Date(0) },
      stamps,
    };
  }

  private async token(digest: string): Promise<Caller | null> {
    const found = await this.queries.findToken(digest);
    if (!found?.app.isActive || found.key.expiresAt <= this.clock.now()) return null;
    const { app, key, ownerId, scopes, stamp, appPolicy } = found;
    const counted = [app.id, ownerId];
    const stamps = countersOf(counted, await this.counters.current(counted), [ownerId, stamp]);
    stamps.set(app.id, { changes: stamps.get(app.id)?.changes ?? 0, policy: appPolicy });
    const bound = { keyId: key.id, userId: ownerId, boundAuthorizationId: key.authorizationId };
    return { kind: 'app', app, ...bound, token: { digest, scopes }, stamps };
  }

  private async app(
    userId: string,
    ids: { appId: string; keyId: string; authorizationId: string | null },
  ): Promise<Caller | null> {
    const found = await this.queries.findKeyById(ids);
    if (found === null) return null;
    const { key, app, stamp } = found;
    const isOver = key.expiresAt !== null && key.expiresAt <= this.clock.now();
    if (isOver || !app.isActive || (key.userId !== null && key.userId !== userId)) return null;
    const boundAuthorizationId = ids.authorizationId ?? key.authorizationId;
    const counted = [app.id, userId];
    const stamps = countersOf(counted, await this.counters.current(counted), [app.id, stamp]);
    return { kind: 'app', app, keyId: key.id, userId, boundAuthorizationId, stamps };
  }
}
