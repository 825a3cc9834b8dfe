import { Injectable } from '@nestjs/common';
import { Apps, type Caller } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Accesses } from '../../privacy/index.js';
import { type Pair } from '../application/subscriptions.service.js';

/** Whose subscription a request is about: a key's own app, or with a JWT the one that is named. */
@Injectable()
export class ReceivingApp {
  constructor(
    private readonly apps: Apps,
    private readonly accesses: Accesses,
  ) {}

  /**
   * @throws VALIDATION_ERROR when a JWT names no app, NOT_FOUND when it names none that is (any more: an app's
   *   subscriptions end with it, rule 1.5); PERMISSION_DENIED when a key names another one
   */
  async pairOf(caller: Caller, ownerId: string, named: string | undefined): Promise<Pair> {
    if (caller.kind === 'user') {
      if (named === undefined) throw DomainError.validation('app_id', 'is needed with a JWT');
      const app = await this.apps.get(named.toLowerCase());
      return { ownerId, appId: app.id };
    }
    if (named !== undefined && named.toLowerCase() !== caller.app.id) {
      throw new DomainError('PERMISSION_DENIED', 'The key belongs to another app');
    }
    return { ownerId, appId: caller.app.id };
  }

  /**
   * The same where something is to be told: what, is decided by the app's authorization (rule 9.4).
   * @throws NOT_FOUND for an unknown app; PERMISSION_DENIED without an active authorization
   */
  async authorizedPairOf(caller: Caller, ownerId: string, named: string | undefined): Promise<Pair> {
    const pair = await this.pairOf(caller, ownerId, named);
    if (caller.kind === 'app') return pair;
    if ((await this.accesses.ofAbsentApp(pair.appId, ownerId)) === null) {
      throw new DomainError('PERMISSION_DENIED', 'The app is not authorized');
    }
    return pair;
  }
}
