import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type UserCaller } from '../domain/caller.js';
import { invalidChallenge } from '../domain/challenge.js';
import { type Device, logInNotice } from '../domain/log-in.js';
import { isCounterBack, type Passkey, type UsedAnswer, userHandleOf } from '../domain/passkey.js';
import { networkOf } from '../domain/rate-limits.js';
import { KnownNetworks } from '../infrastructure/known-networks.repository.js';
import { type Attempt, LogInLimiter } from '../infrastructure/log-in-limiter.js';
import { PasskeyRows } from '../infrastructure/passkeys.repository.js';
import { type LockedUser, RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { WebAuthn } from '../infrastructure/web-authn.js';
import { type SignedIn } from './accounts.service.js';
import { LogIns } from './log-ins.service.js';
import { Notices } from './notices.service.js';
import { type Ceremony, PasskeyChallenges } from './passkey-challenges.service.js';
import { Users } from './users.service.js';

type InLogIn = Pick<UserCaller, 'userId' | 'logIn'>;

/** An answer and the facts that it is verified against. */
interface Claim {
  answer: UsedAnswer;
  ceremony: Ceremony;
  address: string;
  /** The session whose person proves their identity; null for a log-in. */
  session: string | null;
  /** True if it may be a passkey of this person. */
  mayBeOf: (userId: string) => boolean;
}

/**
 * Log-ins and proofs of identity by passkey. A passkey replaces the password and the second factor: the
 * person has the device, and the device has verified them (rule 1.23).
 */
@Injectable()
export class PasskeyLogIns {
  private readonly logger = new Logger('passkeys');

  constructor(
    private readonly passkeys: PasskeyRows,
    private readonly challenges: PasskeyChallenges,
    private readonly webAuthn: WebAuthn,
    private readonly users: Users,
    private readonly logIns: LogIns,
    private readonly refreshTokens: RefreshTokens,
    private readonly knownNetworks: KnownNetworks,
    private readonly notices: Notices,
    private readonly limiter: LogInLimiter,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The same options for everybody: they name no one's passkeys. @throws PASSKEYS_NOT_CONFIGURED (409) */
  async logInOptions(): Promise<object> {
    return this.webAuthn.requestOptions(this.challenges.beginLogIn());
  }

  /** @throws INVALID_CHALLENGE, UNAUTHORIZED (401); PASSKEYS_NOT_CONFIGURED (409); RATE_LIMITED (429) */
  async logIn(answer: UsedAnswer, device: Device): Promise<SignedIn> {
    const { clientDataJSON, userHandle } = answer.response;
    const ceremony = await this.challenges.takeLogIn(clientDataJSON);
    const mayBeOf = (userId: string): boolean => userHandle === userHandleOf(userId);
    const claim = { answer, ceremony, address: device.address, session: null, mayBeOf };
    return this.proved(claim, async ({ userId }, locked) => {
      const isKnown = await this.knownNetworks.has({ userId, address: device.address });
      const tokens = await this.logIns.begin(userId, locked, device);
      if (!isKnown) await this.notices.tell(userId, logInNotice(device));
      return { user: await this.users.get(userId), tokens };
    });
  }

  /** @throws PASSKEYS_NOT_CONFIGURED (409) */
  async stepUpOptions(caller: InLogIn): Promise<object> {
    const ceremony = await this.challenges.begin('passkey step-up', caller);
    return this.webAuthn.requestOptions(ceremony, await this.passkeys.listOf(caller.userId));
  }

  /** @returns an access token with a recent proof of identity @throws as {@link logIn} */
  async stepUp(caller: InLogIn, answer: UsedAnswer, address: string): Promise<string> {
    const { clientDataJSON } = answer.response;
    const ceremony = await this.challenges.takeWithin('passkey step-up', caller, clientDataJSON);
    const mayBeOf = (userId: string): boolean => userId === caller.userId;
    const claim = { answer, ceremony, address, session: caller.logIn.id, mayBeOf };
    const { accessToken } = await this.proved(claim, ({ userId }, { generation }) => {
      if (generation !== caller.logIn.generation) throw invalidChallenge();
      return this.logIns.renew(userId, caller.logIn.id);
    });
    return accessToken;
  }

  /** Runs the work that a right answer allows, in one unit of work with the account locked. */
  private async proved<T extends object>(
    { answer, ceremony, address, session, mayBeOf }: Claim,
    work: (passkey: Passkey, locked: LockedUser) => Promise<T>,
  ): Promise<T> {
    // Failures are counted for each network: those elsewhere keep no person from their own account.
    const claimed = await this.passkeys.findByCredential(answer.id);
    const network = networkOf(address);
    const attempt: Attempt =
      session === null
        ? { account: `passkey ${answer.id} ${network}`, address, exists: claimed !== null }
        : { account: `passkey in ${session} ${network}`, address: null, exists: true };
    const done = await this.limiter.guard(attempt, async () => {
      if (!claimed || !mayBeOf(claimed.userId)) return null;
      const counter = await this.webAuthn.counterOf(answer, claimed, ceremony);
      if (counter === null) return null;
      return this.units.run(async () => {
        const locked = await this.refreshTokens.lockUser(claimed.userId);
        const passkey = await this.passkeys.find(claimed);
        if (!locked || !passkey || !(await this.use(passkey, counter))) return null;
        return work(passkey, locked);
      });
    });
    if (!done) throw new DomainError('UNAUTHORIZED', 'The passkey was not accepted');
    return done;
  }

  /** @returns false when the counter reveals a copy; this is recorded, and the person receives a notice */
  private async use(passkey: Passkey, counter: number): Promise<boolean> {
    const now = this.clock.now();
    if (!isCounterBack(passkey.counter, counter)) {
      await this.passkeys.use(passkey, { counter, now });
      return true;
    }
    await this.passkeys.markRegressed(passkey, now);
    await this.notices.tell(passkey.userId, { kind: 'passkey-copied' });
    this.logger.warn(
      { user_id: passkey.userId, passkey_id: passkey.id },
      'a passkey was refused: its counter went back, so there may be a copy of it',
    );
    return false;
  }
}
