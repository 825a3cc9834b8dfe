import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type UserCaller } from '../domain/caller.js';
import { type Device, logInNotice, STRANGER } from '../domain/log-in.js';
import { networkOf } from '../domain/rate-limits.js';
import { emailKey, type User } from '../domain/user.js';
import { KnownNetworks } from '../infrastructure/known-networks.repository.js';
import { type Attempt, LogInLimiter } from '../infrastructure/log-in-limiter.js';
import { MailTokens } from '../infrastructure/mail-tokens.repository.js';
import { PasskeyRows } from '../infrastructure/passkeys.repository.js';
import { PasswordHasher } from '../infrastructure/password-hasher.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { EmailVerifications } from './email-verifications.service.js';
import { LogIns, type Tokens } from './log-ins.service.js';
import { NewPasswords } from './new-passwords.service.js';
import { Notices } from './notices.service.js';
import { type ChallengeAnswer, SecondSteps } from './second-steps.service.js';
import { type Registration, Users } from './users.service.js';

export interface SignedIn {
  user: User;
  tokens: Tokens;
}

export interface Credentials {
  email: string;
  password: string;
  /** A refresh token that this device had before, valid or not: it shows that the device is known. */
  earlierToken?: string;
}

/** A person within one of their log-ins. */
export type InSession = Pick<UserCaller, 'user' | 'logIn'>;

/** A person's proof that an account is theirs. */
export interface Proof {
  caller: InSession;
  password: string;
  /** Waits, within the unit of work, for what the work needs, before the account is locked. */
  ahead?: () => Promise<void>;
}

export interface NewPassword {
  current: string;
  next: string;
}

/** Registration, log-in and changes of the password (rules 1.1-1.3). */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: Users,
    private readonly refreshTokens: RefreshTokens,
    private readonly logIns: LogIns,
    private readonly units: UnitOfWork,
    private readonly hasher: PasswordHasher,
    private readonly passwords: NewPasswords,
    private readonly knownNetworks: KnownNetworks,
    private readonly limiter: LogInLimiter,
    private readonly mailTokens: MailTokens,
    private readonly passkeys: PasskeyRows,
    private readonly secondSteps: SecondSteps,
    private readonly verifications: EmailVerifications,
    private readonly notices: Notices,
  ) {}

  /** @throws EMAIL_EXISTS, USERNAME_EXISTS (409) */
  async register(registration: Registration, device: Device): Promise<SignedIn> {
    const passwordHash = await this.passwords.hash(registration.password, registration);
    return this.units.run(async () => {
      const user = await this.users.add(registration, passwordHash);
      await this.verifications.order(user);
      return { user, tokens: await this.logIns.begin(user.id, { generation: 0 }, device) };
    });
  }

  /**
   * @param device its address counts failures, unless the device is known by an earlier token
   * @throws UNAUTHORIZED, the same for a wrong e-mail and a wrong password; SECOND_FACTOR_REQUIRED after a
   *   right one; RATE_LIMITED (429)
   */
  async logIn({ email, password, earlierToken }: Credentials, device: Device): Promise<SignedIn> {
    const account = await this.users.findByEmail(email);
    const id = account?.user.id ?? NOBODY;
    const knownDevice = await this.knownDevice(id, earlierToken);
    const countedAs = knownDevice ?? (await this.knownNetwork(id, device)) ?? STRANGER;
    const attempt = {
      account: `${emailKey(email)} ${countedAs}`,
      address: knownDevice === null ? device.address : null,
      exists: account !== null,
    };
    const signedIn = await this.limiter.guard(attempt, async () => {
      const network = networkOf(device.address);
      const isRight = await this.hasher.verify(account?.passwordHash ?? null, password, network);
      return account && isRight ? this.begin(account, device, countedAs) : null;
    });
    if (!signedIn) throw new DomainError('UNAUTHORIZED', 'Wrong e-mail or password');
    if (signedIn instanceof DomainError) throw signedIn;
    return signedIn;
  }

  /** The second step of {@link logIn}. @throws INVALID_CHALLENGE, UNAUTHORIZED; RATE_LIMITED (429) */
  async finishLogIn(answer: ChallengeAnswer, device: Device): Promise<SignedIn> {
    const { userId, ...tokens } = await this.secondSteps.logIn(answer, device);
    return { user: await this.users.get(userId), tokens };
  }

  /**
   * Sets a new password and ends every log-in. Wrong current passwords are limited like failed log-ins.
   * @throws UNAUTHORIZED when the current password is wrong; RATE_LIMITED (429)
   */
  async changePassword(caller: InSession, { current, next }: NewPassword): Promise<void> {
    const { id, email } = caller.user;
    const changed = await this.limiter.guard(passwordAttempt(caller), async () => {
      const account = await this.users.findByEmail(email);
      const isRight = await this.hasher.verify(account?.passwordHash ?? null, current);
      if (!account || !isRight) return null;
      const passwordHash = await this.passwords.hash(next, account.user, 'new_password');
      return this.units.run(async () => {
        const locked = await this.refreshTokens.lockUser(id);
        if (locked?.passwordHash !== account.passwordHash) return null;
        return this.replacePassword(id, passwordHash, 'password');
      });
    });
    if (!changed) throw new DomainError('UNAUTHORIZED', 'The current password is wrong');
  }

  /**
   * Runs work in one unit for a person who knows the password, with the account locked: the password is still
   * valid when the work is done. Wrong passwords are limited like failed log-ins.
   * @throws UNAUTHORIZED when the password is wrong; RATE_LIMITED (429)
   */
  async withPassword<T extends object>(
    { caller, password, ahead = NOTHING }: Proof,
    work: () => Promise<T>,
  ): Promise<T> {
    const { id, email } = caller.user;
    const done = await this.limiter.guard(passwordAttempt(caller), async () => {
      const account = await this.users.findByEmail(email);
      const isRight = await this.hasher.verify(account?.passwordHash ?? null, password);
      if (!account || !isRight) return null;
      return this.units.run(async () => {
        await ahead();
        const locked = await this.refreshTokens.lockUser(id);
        return locked?.passwordHash === account.passwordHash ? work() : null;
      });
    });
    if (!done) throw new DomainError('UNAUTHORIZED', 'The password is wrong');
    return done;
  }

  /**
   * A new access token for a log-in whose person has just proved their identity with the password.
   * @throws UNAUTHORIZED when the password is wrong; SECOND_FACTOR_REQUIRED when it is right but not
   *   sufficient; RATE_LIMITED (429)
   */
  async reauthenticate(caller: InSession, password: string): Promise<string> {
    const { user, logIn } = caller;
    const { generation, id: logInId } = logIn;
    const begun = { userId: user.id, purpose: 'step-up', logInId, generation, countedAs: logInId } as const;
    const proved = await this.withPassword(
      { caller, password },
      async () => (await this.secondSteps.askedOf(begun)) ?? this.logIns.renew(user.id, logInId),
    );
    if (proved instanceof DomainError) throw proved;
    return proved.accessToken;
  }

  /**
   * Sets a new password at the operator's request, as a link does (rule 1.19).
   * @throws VALIDATION_ERROR (400) for a common password
   */
  async setPassword(user: User, password: string, field = 'password'): Promise<void> {
    const passwordHash = await this.passwords.hash(password, user, field);
    await this.resetPassword(user.id, passwordHash);
  }

  /**
   * Sets a new password without the old one. A passkey logs in without any password, so one that another
   * person has added would let them in again: all passkeys are removed (rule 1.23g).
   */
  resetPassword(userId: string, passwordHash: string): Promise<User> {
    return this.units.run(async () => {
      const user = await this.replacePassword(userId, passwordHash, 'password-reset');
      await this.passkeys.removeAllOf(userId);
      return user;
    });
  }

  /**
   * Replaces the password, and ends every log-in and the links by which another password or address could be
   * chosen.
   */
  private replacePassword(
    userId: string,
    passwordHash: string,
    kind: 'password' | 'password-reset',
  ): Promise<User> {
    return this.units.run(async () => {
      await this.logIns.endAll(userId);
      await this.mailTokens.endAllOf(userId, ['reset', 'change']);
      await this.notices.tell(userId, { kind });
      return this.users.write(userId, { passwordHash });
    });
  }

  /** Runs work in one unit with the account locked, at the operator's request. @param ahead see {@link Proof} */
  async withoutPassword<T>(userId: string, work: () => Promise<T>, ahead = NOTHING): Promise<T> {
    return this.units.run(async () => {
      await ahead();
      await this.refreshTokens.lockUser(userId);
      return work();
    });
  }

  /** A device that logged in before counts by itself: failures of strangers do not count for it. */
  private async knownDevice(id: string, earlierToken?: string): Promise<string | null> {
    const token = earlierToken ? await this.logIns.familyOf(earlierToken) : null;
    return token?.userId === id ? `device ${token.familyId}` : null;
  }

  /** A network that logged in before counts by itself, too, but it may hold strangers. */
  private async knownNetwork(id: string, { address }: Device): Promise<string | null> {
    const isKnown = await this.knownNetworks.has({ userId: id, address });
    return isKnown ? `network ${networkOf(address)}` : null;
  }

  /** Begins a log-in or asks for the second factor; null when the password was changed while it was checked. */
  private begin(
    { user, passwordHash }: { user: User; passwordHash: string },
    device: Device,
    countedAs: string,
  ): Promise<SignedIn | DomainError | null> {
    return this.units.run(async () => {
      const locked = await this.refreshTokens.lockUser(user.id);
      if (locked?.passwordHash !== passwordHash) return null;
      const { generation } = locked;
      const begun = { userId: user.id, purpose: 'log-in', logInId: null, generation } as const;
      const asked = await this.secondSteps.askedOf({ ...begun, countedAs: `${user.id} ${countedAs}` });
      if (asked) return asked;
      const tokens = await this.logIns.begin(user.id, locked, device);
      if (countedAs === STRANGER) await this.notices.tell(user.id, logInNotice(device));
      return { user, tokens };
    });
  }
}

const NOTHING = (): Promise<void> => Promise.resolve();

/**
 * A placeholder looked up like any user, so that the time of the answer does not reveal that no such account
 * exists.
 */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * Counted apart from log-ins and for each session: a thief of its token has no more guesses from many networks
 * and does not delay the person in another session, and strangers in the person's network delay no session.
 */
const passwordAttempt = ({ user, logIn }: InSession): Attempt => ({
  account: `password of ${user.id} in ${logIn.id}`,
  address: null,
  exists: true,
});
