import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { type UserCaller } from '../domain/caller.js';
import { CHALLENGE_LIFETIME_MS, invalidChallenge } from '../domain/challenge.js';
import { hashOfSecret } from '../domain/key-text.js';
import {
  challengeIn,
  endOfLogInChallenge,
  newLogInChallenge,
  newPasskeyChallenge,
  type PasskeyPurpose,
  passkeysNotConfigured,
} from '../domain/passkey.js';
import { type RelyingParty, relyingPartyOf } from '../domain/relying-party.js';
import { ChallengeRows } from '../infrastructure/challenges.repository.js';

type InLogIn = Pick<UserCaller, 'userId' | 'logIn'>;

/** The challenge that a device is asked to sign, and the person it is for. */
export interface Ceremony {
  party: RelyingParty;
  challenge: string;
}

/** Challenges for passkeys: each for one purpose, one answer and five minutes (rule 1.23b). */
@Injectable()
export class PasskeyChallenges {
  constructor(
    private readonly config: Config,
    private readonly challenges: ChallengeRows,
    private readonly units: UnitOfWork,
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
  ) {}

  /** Begins a challenge that only this log-in can answer. @throws PASSKEYS_NOT_CONFIGURED (409) */
  async begin(purpose: PasskeyPurpose, { userId, logIn }: InLogIn): Promise<Ceremony> {
    const party = this.requireParty();
    const challenge = newPasskeyChallenge();
    const row = {
      purpose,
      userId,
      logInId: logIn.id,
      generation: logIn.generation,
      digest: hashOfSecret(challenge),
      countedAs: this.secret.digest('passkey challenges', logIn.id),
      expiresAt: this.end(),
    };
    await this.units.run(async () => {
      await this.challenges.insert(row);
      await this.challenges.endSurplus(row);
    });
    return { party, challenge };
  }

  /** Begins a challenge before the person is known. @throws PASSKEYS_NOT_CONFIGURED (409) */
  beginLogIn(): Ceremony {
    return { party: this.requireParty(), challenge: newLogInChallenge(this.end(), this.sign) };
  }

  /**
   * The challenge that an answer is for. Any answer, right or wrong, uses it up.
   * @throws PASSKEYS_NOT_CONFIGURED (409); INVALID_CHALLENGE (401)
   */
  async takeLogIn(clientDataJSON: string): Promise<Ceremony> {
    const ceremony = this.ceremonyOf(clientDataJSON);
    const now = this.clock.now();
    const expiresAt = endOfLogInChallenge(ceremony.challenge, this.sign);
    if (expiresAt === null || expiresAt <= now) throw invalidChallenge();
    // Remembered beyond its end, because the clocks of several processes differ.
    const until = new Date(expiresAt.getTime() + CHALLENGE_LIFETIME_MS);
    const spent = { digest: hashOfSecret(ceremony.challenge), expiresAt: until };
    if (!(await this.units.run(() => this.challenges.spendOnce(spent, now)))) throw invalidChallenge();
    return ceremony;
  }

  /** The same as {@link takeLogIn}, for the log-in in which the challenge began. */
  async takeWithin(
    purpose: PasskeyPurpose,
    { userId, logIn }: InLogIn,
    clientDataJSON: string,
  ): Promise<Ceremony> {
    const ceremony = this.ceremonyOf(clientDataJSON);
    const digest = hashOfSecret(ceremony.challenge);
    const taken = await this.units.run(() =>
      this.challenges.takeWhole({ digest, purpose }, this.clock.now()),
    );
    const isTheirs =
      taken?.userId === userId && taken.logInId === logIn.id && taken.generation === logIn.generation;
    if (!isTheirs) throw invalidChallenge();
    return ceremony;
  }

  private readonly sign = (text: string): string => this.secret.digest('passkey log-in challenge', text);

  private end(): Date {
    return new Date(this.clock.now().getTime() + CHALLENGE_LIFETIME_MS);
  }

  private ceremonyOf(clientDataJSON: string): Ceremony {
    const party = this.requireParty();
    const challenge = challengeIn(clientDataJSON);
    if (challenge === null) throw invalidChallenge();
    return { party, challenge };
  }

  private requireParty(): RelyingParty {
    const party = relyingPartyOf(this.config.publicUrl);
    if (party === null) throw passkeysNotConfigured();
    return party;
  }
}
