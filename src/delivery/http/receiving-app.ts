import { Injectable } from '@nestjs/common';
import { Apps, type Caller } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Accesses } from '../../privacy/index.js';
import { asItStands, mayHaveEnded, type Subscription } from '../domain/subscription.js';
import { type ReceiverKey } from '../application/subscriptions.service.js';

/** Finds the subscription that a request is about: that of the key's own app, or with a JWT that of the named app. */
@Injectable()
export class ReceivingApp {
  constructor(
    private readonly apps: Apps,
    private readonly accesses: Accesses,
  ) {}

  /**
   * @throws VALIDATION_ERROR if a JWT names no app; NOT_FOUND if it names an unknown or deleted one (an app's
   *   subscriptions end with it, rule 1.5); PERMISSION_DENIED if a key names another app
   */
  async receiverOf(caller: Caller, ownerId: string, named: string | undefined): Promise<ReceiverKey> {
    if (caller.kind === 'user') {
      if (named === undefined) throw DomainError.validation('app_id', 'is required with a JWT');
      const app = await this.apps.get(named.toLowerCase());
      return { ownerId, appId: app.id, isByKey: false, authorizationId: null };
    }
    if (named !== undefined && named.toLowerCase() !== caller.app.id) {
      throw new DomainError('PERMISSION_DENIED', 'The key belongs to another app');
    }
    // Events outlive a token, and would not end with its device (rule 14.2d).
    if (caller.token !== undefined)
      throw new DomainError('PERMISSION_DENIED', 'Subscriptions need a key of the app; a token has none');
    const { app, boundAuthorizationId: authorizationId } = caller;
    return { ownerId, appId: app.id, isByKey: true, authorizationId };
  }

  /**
   * The same for requests that make events flow: the app's authorization decides what they contain (rule 9.4).
   * @throws NOT_FOUND for an unknown app; PERMISSION_DENIED without an active authorization
   */
  async authorizedReceiverOf(
    caller: Caller,
    ownerId: string,
    named: string | undefined,
  ): Promise<ReceiverKey> {
    const pair = await this.receiverOf(caller, ownerId, named);
    if (caller.kind === 'app') return pair;
    if ((await this.accesses.ofAbsentApp(pair.appId, ownerId)) === null) {
      throw new DomainError('PERMISSION_DENIED', 'The app is not authorized');
    }
    return pair;
  }

  /** A subscription as it is shown, by the authorization of today (rule 9.1g). */
  async standing(known: Subscription): Promise<Subscription> {
    if (!mayHaveEnded(known)) return known;
    const access = await this.accesses.ofAbsentApp(known.appId, known.ownerId);
    return asItStands(known, access?.authorizationId);
  }
}
