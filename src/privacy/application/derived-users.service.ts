import { Injectable } from '@nestjs/common';
import { Sequences } from '../../kernel/changes/sequences.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { requestContext } from '../../kernel/request-context.js';
import { type Access } from '../domain/access.js';
import { AuthorizationsQueries } from '../infrastructure/authorizations.queries.js';
import { type AppCaller, Accesses } from './accesses.service.js';

/** For whom an app acts where its key says so (decisions 1.9). */
@Injectable()
export class DerivedUsers {
  constructor(
    private readonly authorizations: AuthorizationsQueries,
    private readonly accesses: Accesses,
    private readonly sequences: Sequences,
  ) {}

  /**
   * A user key gives its user, an app key with exactly one active authorization gives that user; else the one that
   * is sent. One that is sent must be that user.
   * @param sent X-User-ID as it came
   * @throws USER_REQUIRED when nothing names the user; PERMISSION_DENIED
   */
  async accessOf(caller: AppCaller, sent: unknown): Promise<Access> {
    const userId =
      caller.boundAuthorizationId === null ? await this.userOf(caller.app.id, sent) : caller.userId;
    if (userId === null || (sent !== undefined && !isSame(sent, userId))) {
      throw new DomainError('PERMISSION_DENIED', 'The user has not authorized this app');
    }
    requestContext.current().actor = { type: 'app', userId, appId: caller.app.id };
    const known = caller.stamps.get(userId);
    return this.accesses.ofApp(caller, userId, known ?? (await this.sequences.current([userId])).get(userId));
  }

  /** Null: what was sent names nobody. */
  private async userOf(appId: string, sent: unknown): Promise<string | null> {
    const [first, ...others] = await this.authorizations.activeUsers(appId, 2);
    if (first !== undefined && others.length === 0) return first;
    if (sent === undefined) throw new DomainError('USER_REQUIRED', 'X-User-ID must name the user');
    return isId(sent) ? sent.toLowerCase() : null;
  }
}

const isSame = (sent: unknown, userId: string): boolean => isId(sent) && sent.toLowerCase() === userId;
