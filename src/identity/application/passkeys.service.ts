import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type UserCaller } from '../domain/caller.js';
import { invalidChallenge } from '../domain/challenge.js';
import { type CreatedAnswer, MAX_PASSKEYS, type Passkey } from '../domain/passkey.js';
import { PasskeyRows } from '../infrastructure/passkeys.repository.js';
import { type LockedUser, RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { WebAuthn } from '../infrastructure/web-authn.js';
import { LogIns } from './log-ins.service.js';
import { PasskeyChallenges } from './passkey-challenges.service.js';
import { SecondFactors } from './second-factors.service.js';

type Registering = Pick<UserCaller, 'userId' | 'user' | 'logIn'>;

/**
 * The passkeys of a person (rule 1.23). A caller who adds or removes one has just proved their identity (rule
 * 1.16).
 */
@Injectable()
export class Passkeys {
  constructor(
    private readonly passkeys: PasskeyRows,
    private readonly challenges: PasskeyChallenges,
    private readonly webAuthn: WebAuthn,
    private readonly secondFactors: SecondFactors,
    private readonly logIns: LogIns,
    private readonly refreshTokens: RefreshTokens,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  listOf(userId: string): Promise<Passkey[]> {
    return this.passkeys.listOf(userId);
  }

  /**
   * The options that a browser needs to make one. @throws PASSKEYS_NOT_CONFIGURED, TOO_MANY_PASSKEYS (409)
   */
  async creationOptions(caller: Registering): Promise<object> {
    const present = await this.passkeys.listOf(caller.userId);
    requireRoom(present);
    const ceremony = await this.challenges.begin('passkey registration', caller);
    return this.webAuthn.creationOptions(ceremony, caller.user, present);
  }

  /**
   * Adds a passkey that a browser has made. All other log-ins of the person end.
   * @throws INVALID_CHALLENGE (401); VALIDATION_ERROR (400); PASSKEYS_NOT_CONFIGURED, PASSKEY_EXISTS,
   *   TOO_MANY_PASSKEYS (409)
   */
  async add(
    caller: Registering,
    { name, answer }: { name: string; answer: CreatedAnswer },
  ): Promise<Passkey> {
    const { userId, logIn } = caller;
    const ceremony = await this.challenges.takeWithin(
      'passkey registration',
      caller,
      answer.response.clientDataJSON,
    );
    const credential = await this.webAuthn.created(answer, ceremony);
    if (!credential) throw DomainError.validation('credential', 'is not a valid passkey for this service');
    const times = { createdAt: this.clock.now(), lastUsedAt: null, regressedAt: null };
    const passkey: Passkey = { ...credential, ...times, userId, id: newId(), name };
    await this.locked(userId, async (locked) => {
      if (locked?.generation !== logIn.generation) throw invalidChallenge();
      requireRoom(await this.passkeys.listOf(userId));
      if (!(await this.passkeys.insert(passkey)))
        throw new DomainError('PASSKEY_EXISTS', 'This passkey is already registered');
      await this.logIns.endOthers(userId, logIn.id);
      await this.secondFactors.tell('passkey-added', userId);
    });
    return passkey;
  }

  /** @throws NOT_FOUND */
  async rename(userId: string, id: string, name: string): Promise<Passkey> {
    const named = { userId, id: id.toLowerCase() };
    const renamed = isId(id) && (await this.locked(userId, () => this.passkeys.rename(named, name)));
    if (!renamed) throw absent();
    return renamed;
  }

  /**
   * Removes a passkey. All other log-ins of the person end: one of them may have begun with it. @throws
   * NOT_FOUND
   */
  async remove({ userId, logIn }: Pick<UserCaller, 'userId' | 'logIn'>, id: string): Promise<void> {
    const named = { userId, id: id.toLowerCase() };
    await this.locked(userId, async () => {
      if (!isId(id) || !(await this.passkeys.remove(named))) throw absent();
      await this.logIns.endOthers(userId, logIn.id);
      await this.secondFactors.tell('passkey-removed', userId);
    });
  }

  private locked<T>(userId: string, work: (locked: LockedUser | null) => Promise<T>): Promise<T> {
    return this.units.run(async () => work(await this.refreshTokens.lockUser(userId)));
  }
}

function requireRoom({ length }: readonly Passkey[]): void {
  if (length >= MAX_PASSKEYS)
    throw new DomainError(
      'TOO_MANY_PASSKEYS',
      `You can have ${MAX_PASSKEYS} passkeys; remove one to add another`,
    );
}

const absent = (): DomainError => new DomainError('NOT_FOUND', 'Passkey not found');
