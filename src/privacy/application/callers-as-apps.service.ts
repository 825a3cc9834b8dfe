import { Injectable } from '@nestjs/common';
import { type AppCaller, Apps, type Caller } from '../../identity/index.js';
import { OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { notAuthorized } from '../domain/authorization.js';
import { AuthorizationsQueries } from '../infrastructure/authorizations.queries.js';

/**
 * Lets people read as one of their apps (rule 2.11): as it is with a user key of theirs, so that nothing of the app's
 * own, such as its private schemas, is shown to them.
 */
@Injectable()
export class CallersAsApps {
  constructor(
    private readonly apps: Apps,
    private readonly authorizations: AuthorizationsQueries,
    private readonly counters: OwnerCounters,
  ) {}

  /** @throws PERMISSION_DENIED for an app, and for an app that the person has not authorized, known or not */
  async of(caller: Caller, named: string): Promise<AppCaller> {
    if (caller.kind === 'app')
      throw new DomainError('PERMISSION_DENIED', 'as_app is for users, with an access token');
    if (!isId(named)) throw notAuthorized();
    const { userId } = caller;
    const appId = named.toLowerCase();
    // Counters are read before the app: under newer ones the decision would outlive its inputs.
    const stamps = await this.counters.current([appId, userId]);
    const app = await this.apps.find(appId);
    const known = app && (await this.authorizations.findLiving({ ownerId: userId, appId }));
    if (!app?.isActive || !known) throw notAuthorized();
    return {
      kind: 'app',
      app,
      keyId: `read by ${userId}`,
      userId,
      boundAuthorizationId: known.authorization.id,
      readBy: caller,
      stamps,
    };
  }
}
