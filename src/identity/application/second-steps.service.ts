import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type UserCaller } from '../domain/caller.js';
import {
  type Challenge,
  CHALLENGE_LIFETIME_MS,
  invalidChallenge,
  newChallengeText,
} from '../domain/challenge.js';
import { hashOfSecret } from '../domain/key-text.js';
import { type Device, logInNotice, STRANGER } from '../domain/log-in.js';
import { type FactorProof, secondFactorRequired } from '../domain/second-factor.js';
import { ChallengeRows } from '../infrastructure/challenges.repository.js';
import { type Attempt, LogInLimiter } from '../infrastructure/log-in-limiter.js';
import { type LockedUser, RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { FactorRows } from '../infrastructure/second-factors.repository.js';
import { FactorProofs } from './factor-proofs.service.js';
import { LogIns, type Tokens } from './log-ins.service.js';
import { Notices } from './notices.service.js';

/** An answer to a challenge. */
export interface ChallengeAnswer {
  challenge: string;
  proof: FactorProof;
}

type NewChallenge = Omit<Challenge, 'digest' | 'expiresAt'>;

/** The second step of a log-in, or of a proof of identity within one, after the password was right (rule 1.20). */
@Injectable()
export class SecondSteps {
  constructor(
    private readonly factors: FactorRows,
    private readonly proofs: FactorProofs,
    private readonly challenges: ChallengeRows,
    private readonly logIns: LogIns,
    private readonly refreshTokens: RefreshTokens,
    private readonly limiter: LogInLimiter,
    private readonly units: UnitOfWork,
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
    private readonly notices: Notices,
  ) {}

  /**
   * The error that requests the second step; the caller throws it outside of its unit of work, because the
   * challenge must be committed. Needs a unit of work in which the user is locked.
   * @returns SECOND_FACTOR_REQUIRED, or null for a person without a second factor
   */
  async askedOf(begun: NewChallenge): Promise<DomainError | null> {
    const enrolled = await this.factors.enrolled(begun.userId);
    if (!enrolled.totp) return null;
    const text = newChallengeText();
    await this.challenges.insert({
      ...begun,
      digest: hashOfSecret(text),
      countedAs: this.nameless(begun.countedAs),
      expiresAt: new Date(this.clock.now().getTime() + CHALLENGE_LIFETIME_MS),
    });
    return secondFactorRequired(text, enrolled);
  }

  /** @throws INVALID_CHALLENGE; UNAUTHORIZED for a wrong proof; RATE_LIMITED (429) */
  async logIn(
    { challenge: text, proof }: ChallengeAnswer,
    device: Device,
  ): Promise<Tokens & { userId: string }> {
    const challenge = await this.take(text, 'log-in');
    const { userId } = challenge;
    const isNew = challenge.countedAs === this.nameless(`${userId} ${STRANGER}`);
    const address = isNew ? device.address : null;
    const tokens = await this.answered(challenge, { proof, address }, async (locked) => {
      if (proof.kind === 'recovery_code') await this.tellOfCode(userId);
      else if (isNew) await this.notices.tell(userId, logInNotice(device));
      return this.logIns.begin(userId, locked, device);
    });
    return { ...tokens, userId };
  }

  /** @returns an access token with a recent proof of identity @throws as {@link logIn} */
  async stepUp(
    { userId, logIn }: Pick<UserCaller, 'userId' | 'logIn'>,
    { challenge: text, proof }: ChallengeAnswer,
  ): Promise<string> {
    const challenge = await this.take(text, 'step-up');
    if (challenge.userId !== userId || challenge.logInId !== logIn.id) throw invalidChallenge();
    const { accessToken } = await this.answered(challenge, { proof, address: null }, async () => {
      if (proof.kind === 'recovery_code') await this.tellOfCode(userId);
      return this.logIns.renew(userId, logIn.id);
    });
    return accessToken;
  }

  private async tellOfCode(userId: string): Promise<void> {
    const { recoveryCodes } = await this.factors.enrolled(userId);
    await this.notices.tell(userId, { kind: 'recovery-code-used', detail: String(recoveryCodes) });
  }

  /** A digest, because the text may contain the name of a network. */
  private nameless(countedAs: string): string {
    return this.secret.digest('second-factor attempts', countedAs);
  }

  /** The key for counting the requests that bring a challenge of a log-in; null where there is no living one. */
  async keyOf(text: string): Promise<string | null> {
    const digest = hashOfSecret(text);
    const isThere = await this.challenges.has({ digest, purpose: 'log-in' }, this.clock.now());
    return isThere ? `challenge ${digest}` : null;
  }

  /** Counts a try before the answer is checked, so that concurrent answers have no more tries. */
  private async take(text: string, purpose: Challenge['purpose']): Promise<Challenge> {
    const digest = hashOfSecret(text);
    const challenge = await this.units.run(() =>
      this.challenges.takeTry({ digest, purpose }, this.clock.now()),
    );
    if (!challenge) throw invalidChallenge();
    return challenge;
  }

  /**
   * Runs the work that a right proof allows in one unit with the proof: a failure leaves the proof unused.
   */
  private async answered<T extends object>(
    challenge: Challenge,
    { proof, address }: { proof: FactorProof } & Pick<Attempt, 'address'>,
    work: (locked: LockedUser) => Promise<T>,
  ): Promise<T> {
    const { userId, countedAs: account } = challenge;
    const done = await this.limiter.guard({ account, address, exists: true }, () =>
      this.units.run(async () => {
        const locked = await this.refreshTokens.lockUser(userId);
        if (locked?.generation !== challenge.generation) throw invalidChallenge();
        if (!(await this.proofs.fits(userId, proof))) return null;
        if (!(await this.challenges.spend(challenge))) throw invalidChallenge();
        return work(locked);
      }),
    );
    if (!done) throw new DomainError('UNAUTHORIZED', 'The second factor is wrong');
    return done;
  }
}
