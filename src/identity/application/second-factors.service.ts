import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type UserCaller } from '../domain/caller.js';
import { newRecoveryCodes } from '../domain/recovery-codes.js';
import { type EnrolledFactors, type FactorProof } from '../domain/second-factor.js';
import { acceptedStep, ENROLMENT_LIFETIME_MS, newTotpSecret, otpauthUrl } from '../domain/totp.js';
import { LogInLimiter } from '../infrastructure/log-in-limiter.js';
import { PasskeyRows } from '../infrastructure/passkeys.repository.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { FactorRows } from '../infrastructure/second-factors.repository.js';
import { FactorProofs } from './factor-proofs.service.js';
import { LogIns } from './log-ins.service.js';
import { Notices } from './notices.service.js';

/** A new secret, shown only here. */
export interface BegunTotp {
  secret: string;
  otpauthUrl: string;
}

type Enrolled = Pick<UserCaller, 'userId' | 'logIn'>;
type Change =
  | 'second-factor-added'
  | 'second-factor-removed'
  | 'recovery-codes-replaced'
  | 'passkey-added'
  | 'passkey-removed';

/**
 * The second factors that a person enrols beside the password (rule 1.20). The caller has just proved their
 * identity (rule 1.16), or is the operator.
 */
@Injectable()
export class SecondFactors {
  private readonly logger = new Logger('second factors');

  constructor(
    private readonly factors: FactorRows,
    private readonly passkeys: PasskeyRows,
    private readonly proofs: FactorProofs,
    private readonly logIns: LogIns,
    private readonly refreshTokens: RefreshTokens,
    private readonly limiter: LogInLimiter,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly notices: Notices,
  ) {}

  enrolled(userId: string): Promise<EnrolledFactors> {
    return this.factors.enrolled(userId);
  }

  /** Begins an enrolment: nothing changes before the code. @throws SECOND_FACTOR_EXISTS (409) */
  async beginTotp({ id, email }: UserCaller['user']): Promise<BegunTotp> {
    const secret = newTotpSecret();
    const isBegun = await this.locked(id, () =>
      this.factors.beginTotp(id, { secret, begunAt: this.clock.now() }),
    );
    if (!isBegun) throw alreadyThere();
    return { secret, otpauthUrl: otpauthUrl(secret, email) };
  }

  /**
   * Completes an enrolment. All other log-ins of the person end, because they have proved only the password.
   * @returns recovery codes
   * @throws UNAUTHORIZED for a wrong code; SECOND_FACTOR_EXISTS, NO_SECOND_FACTOR (409); RATE_LIMITED (429)
   */
  async confirmTotp(caller: Enrolled, code: string): Promise<string[]> {
    const { userId } = caller;
    return this.guarded(caller, async () => {
      const now = this.clock.now();
      const totp = await this.factors.findTotp(userId);
      if (totp !== null && totp.confirmedAt !== null) throw alreadyThere();
      if (totp === null || now.getTime() - totp.begunAt.getTime() > ENROLMENT_LIFETIME_MS)
        throw notThere('No authenticator app is being enrolled; begin with POST /auth/totp');
      const step = acceptedStep(totp, code, now);
      if (step === null) return null;
      await this.factors.confirmTotp(userId, { now, step });
      await this.logIns.endOthers(userId, caller.logIn.id);
      await this.tell('second-factor-added', userId);
      return this.newRecoveryCodes(userId);
    });
  }

  /** @throws UNAUTHORIZED for a wrong proof; NO_SECOND_FACTOR (409); RATE_LIMITED (429) */
  async removeTotp(caller: Enrolled, proof: FactorProof): Promise<void> {
    const { userId } = caller;
    await this.guarded(caller, async () => {
      await this.requireTotp(userId);
      if (!(await this.proofs.fits(userId, proof))) return null;
      await this.logIns.requireLiving(userId, caller.logIn.id);
      await this.factors.removeAll(userId);
      await this.tell('second-factor-removed', userId);
      return {};
    });
  }

  /** Replaces all earlier codes, used or not. @throws NO_SECOND_FACTOR (409) */
  async replaceRecoveryCodes({ userId, logIn }: Enrolled): Promise<string[]> {
    return this.locked(userId, async () => {
      await this.logIns.requireLiving(userId, logIn.id);
      await this.requireTotp(userId);
      await this.tell('recovery-codes-replaced', userId);
      return this.newRecoveryCodes(userId);
    });
  }

  /** Removes every second factor at the operator's request: only the password logs the person in then. */
  async removeAll(userId: string): Promise<void> {
    await this.locked(userId, async () => {
      await this.factors.removeAll(userId);
      await this.passkeys.removeAllOf(userId);
      await this.tell('second-factor-removed', userId);
    });
  }

  private async requireTotp(userId: string): Promise<void> {
    if (!(await this.factors.enrolled(userId)).totp) throw notThere('No authenticator app is enrolled');
  }

  /** Reports every change, in the unit of work of the change. */
  async tell(kind: Change, userId: string): Promise<void> {
    this.units.afterCommit(() => this.logger.log({ user_id: userId, change: kind }, 'second factor changed'));
    await this.notices.tell(userId, { kind });
  }

  private async newRecoveryCodes(userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await this.factors.replaceRecoveryCodes(userId, codes, this.clock.now());
    return codes;
  }

  private locked<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.units.run(async () => {
      await this.refreshTokens.lockUser(userId);
      return work();
    });
  }

  /**
   * Runs work in one unit with the account locked; null is a wrong code, and those are limited like failed
   * log-ins.
   */
  private async guarded<T extends object>(
    { userId, logIn }: Enrolled,
    work: () => Promise<T | null>,
  ): Promise<T> {
    const attempt = { account: `second factor of ${userId} in ${logIn.id}`, address: null, exists: true };
    const done = await this.limiter.guard(attempt, () => this.locked(userId, work));
    if (!done) throw new DomainError('UNAUTHORIZED', 'The code is wrong');
    return done;
  }
}

const notThere = (message: string): DomainError => new DomainError('NO_SECOND_FACTOR', message);
const alreadyThere = (): DomainError =>
  new DomainError('SECOND_FACTOR_EXISTS', 'An authenticator app is enrolled; remove it to enrol another one');
