import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type AppCaller, SingleUserLookup } from '../../identity/index.js';
import { OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { type Access } from '../domain/access.js';
import { notAuthorized } from '../domain/authorization.js';
import { AuthorizationsQueries } from '../infrastructure/authorizations.queries.js';
import { Accesses } from './accesses.service.js';

/** Finds the user for whom an app acts by its key (rule 1.9). */
@Injectable()
export class DerivedUsers implements OnModuleInit {
  constructor(
    private readonly authorizations: AuthorizationsQueries,
    private readonly accesses: Accesses,
    private readonly counters: OwnerCounters,
    private readonly soleUsers: SingleUserLookup,
  ) {}

  onModuleInit(): void {
    this.soleUsers.register(async (appId) => {
      const [first, ...others] = await this.authorizations.activeUsers(appId, 2);
      return others.length === 0 ? (first ?? null) : null;
    });
  }

  /**
   * Takes the user that authentication found, by the key or by the request; a sent id must name the same
   * user.
   * @param sent X-User-ID as it came
   * @throws USER_REQUIRED when nothing names the user; PERMISSION_DENIED
   */
  async accessOf(caller: AppCaller, sent: unknown): Promise<Access> {
    const { userId } = caller;
    if (userId === null && sent === undefined)
      throw new DomainError('USER_REQUIRED', 'X-User-ID must name the user');
    if (userId === null || (sent !== undefined && !isSame(sent, userId))) {
      throw notAuthorized();
    }
    const known = caller.stamps.get(userId);
    return this.accesses.ofApp(caller, userId, known ?? (await this.counters.current([userId])).get(userId));
  }
}

const isSame = (sent: unknown, userId: string): boolean => isId(sent) && sent.toLowerCase() === userId;
