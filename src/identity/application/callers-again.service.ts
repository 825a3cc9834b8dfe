import { Injectable } from '@nestjs/common';
import { Sequences } from '../../kernel/changes/sequences.js';
import { Clock } from '../../kernel/clock.js';
import { isId } from '../../kernel/ids.js';
import { type Caller } from '../domain/caller.js';
import { type LogInClaims } from '../domain/log-in.js';
import { CredentialQueries, isLiving } from '../infrastructure/credentials.queries.js';
import { stampsOf } from '../infrastructure/known.js';

/**
 * A caller without the credential: for something that was handed out to him and is used later. What would keep his
 * credential from being accepted now keeps him out here, too.
 */
@Injectable()
export class CallersAgain {
  constructor(
    private readonly queries: CredentialQueries,
    private readonly sequences: Sequences,
    private readonly clock: Clock,
  ) {}

  /** A name to find the caller by; holds ids and no secret. */
  nameOf(caller: Caller): string {
    if (caller.kind === 'app') return `${caller.userId ?? ''}.${caller.app.id}.${caller.keyId}`;
    return `${caller.userId}.${caller.logIn.generation}.${caller.logIn.id}`;
  }

  /** Null when the key is revoked or over, its app deleted or switched off, the log-in over, or the user gone. */
  async find(name: string): Promise<Caller | null> {
    const [userId, appId = '', keyId] = name.split('.');
    if (!isId(userId) || !isId(keyId)) return null;
    if (/^\d+$/.test(appId)) return this.user(userId, { id: keyId, generation: Number(appId) });
    return isId(appId) ? this.app(userId, { appId, keyId }) : null;
  }

  /** They may have proved long ago who they are. */
  private async user(userId: string, logIn: Pick<LogInClaims, 'id' | 'generation'>): Promise<Caller | null> {
    const found = await this.queries.findUser(userId);
    if (found === null || !isLiving(logIn, found)) return null;
    const current = await this.sequences.current([userId]);
    const stamps = stampsOf([userId], current, [userId, found.stamp]);
    return {
      kind: 'user',
      userId,
      user: found.user,
      logIn: { ...logIn, authenticatedAt: new Date(0) },
      stamps,
    };
  }

  private async app(userId: string, ids: { appId: string; keyId: string }): Promise<Caller | null> {
    const found = await this.queries.findKeyById(ids);
    if (found === null) return null;
    const { key, app, stamp } = found;
    const isOver = key.expiresAt !== null && key.expiresAt <= this.clock.now();
    if (isOver || !app.isActive || (key.userId !== null && key.userId !== userId)) return null;
    const counted = [app.id, userId];
    const stamps = stampsOf(counted, await this.sequences.current(counted), [app.id, stamp]);
    return { kind: 'app', app, keyId: key.id, userId, boundAuthorizationId: key.authorizationId, stamps };
  }
}
