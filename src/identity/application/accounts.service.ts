import { Injectable } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { type Device } from '../domain/log-in.js';
import { emailKey, type User } from '../domain/user.js';
import { LogInLimiter } from '../infrastructure/log-in-limiter.js';
import { PasswordHasher } from '../infrastructure/password-hasher.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { LogIns, type Tokens } from './log-ins.service.js';
import { type Registration, Users } from './users.service.js';

export interface SignedIn {
  user: User;
  tokens: Tokens;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface NewPassword {
  current: string;
  next: string;
}

/** Registration, log-in and what follows from it (decisions 1.1-1.3). */
@Injectable()
export class Accounts {
  constructor(
    private readonly users: Users,
    private readonly refreshTokens: RefreshTokens,
    private readonly logIns: LogIns,
    private readonly units: UnitOfWork,
    private readonly hasher: PasswordHasher,
    private readonly limiter: LogInLimiter,
  ) {}

  /** @throws EMAIL_EXISTS, USERNAME_EXISTS (409) */
  async register(registration: Registration, device: Device): Promise<SignedIn> {
    const passwordHash = await this.hasher.hash(registration.password);
    return this.units.run(async () => {
      const user = await this.users.add(registration, passwordHash);
      return { user, tokens: await this.logIns.begin(user.id, { generation: 0 }, device) };
    });
  }

  /**
   * @param device whose address counts failures
   * @throws UNAUTHORIZED, the same for a wrong e-mail and a wrong password; RATE_LIMITED (429)
   */
  async logIn({ email, password }: Credentials, device: Device): Promise<SignedIn> {
    const signedIn = await this.limiter.guard(
      { account: emailKey(email), address: device.address },
      async () => {
        const account = await this.users.findByEmail(email);
        const isRight = await this.hasher.verify(account?.passwordHash ?? null, password);
        return account && isRight ? this.begin(account, device) : null;
      },
    );
    if (!signedIn) throw new DomainError('UNAUTHORIZED', 'Wrong e-mail or password');
    return signedIn;
  }

  /**
   * Sets a new password and ends every log-in. Wrong current passwords are limited like failed log-ins.
   * @throws UNAUTHORIZED when the current password is wrong; RATE_LIMITED (429)
   */
  async changePassword({ id, email }: User, { current, next }: NewPassword, address: string): Promise<void> {
    // Counted apart from log-ins, so that strangers' guesses do not keep the user from changing the password.
    const changed = await this.limiter.guard({ account: `password of ${id}`, address }, async () => {
      const account = await this.users.findByEmail(email);
      const isRight = await this.hasher.verify(account?.passwordHash ?? null, current);
      if (!account || !isRight) return null;
      const passwordHash = await this.hasher.hash(next);
      return this.units.run(async () => {
        const locked = await this.refreshTokens.lockUser(id);
        if (locked?.passwordHash !== account.passwordHash) return null;
        await this.logIns.endAll(id);
        return this.users.write(id, { passwordHash });
      });
    });
    if (!changed) throw new DomainError('UNAUTHORIZED', 'The current password is wrong');
  }

  /**
   * One unit of work for who knows the password, with the account locked: it is still the password when the work is
   * done. Wrong ones are limited like failed log-ins.
   * @throws UNAUTHORIZED when the password is wrong; RATE_LIMITED (429)
   */
  async withPassword<T extends object>(
    { id, email }: User,
    { password, address }: { password: string; address: string },
    work: () => Promise<T>,
  ): Promise<T> {
    const done = await this.limiter.guard({ account: `password of ${id}`, address }, async () => {
      const account = await this.users.findByEmail(email);
      const isRight = await this.hasher.verify(account?.passwordHash ?? null, password);
      if (!account || !isRight) return null;
      return this.units.run(async () => {
        const locked = await this.refreshTokens.lockUser(id);
        return locked?.passwordHash === account.passwordHash ? work() : null;
      });
    });
    if (!done) throw new DomainError('UNAUTHORIZED', 'The password is wrong');
    return done;
  }

  /**
   * A new access token of a log-in whose person has just proved with the password who they are.
   * @throws UNAUTHORIZED when the password is wrong; RATE_LIMITED (429)
   */
  async reauthenticate(
    user: User,
    logInId: string,
    given: { password: string; address: string },
  ): Promise<string> {
    const { accessToken } = await this.withPassword(user, given, () => this.logIns.renew(user.id, logInId));
    return accessToken;
  }

  /** The same at the word of the operator, who needs no password. */
  async withoutPassword<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.units.run(async () => {
      await this.refreshTokens.lockUser(userId);
      return work();
    });
  }

  /** Begins a log-in, unless the password was changed while it was checked. */
  private begin(
    { user, passwordHash }: { user: User; passwordHash: string },
    device: Device,
  ): Promise<SignedIn | null> {
    return this.units.run(async () => {
      const locked = await this.refreshTokens.lockUser(user.id);
      if (locked?.passwordHash !== passwordHash) return null;
      return { user, tokens: await this.logIns.begin(user.id, locked, device) };
    });
  }
}
