import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { hashOfSecret } from '../domain/key-text.js';
import { newRefreshText, REFRESH_LIFETIME_MS, type RefreshToken, stateOf } from '../domain/refresh-token.js';
import { emailKey, type User } from '../domain/user.js';
import { AccessTokens } from '../infrastructure/access-tokens.js';
import { LogInLimiter } from '../infrastructure/log-in-limiter.js';
import { PasswordHasher } from '../infrastructure/password-hasher.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { type Registration, Users } from './users.service.js';

/** What a client needs to act as a user, and to go on acting. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

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
    private readonly accessTokens: AccessTokens,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly hasher: PasswordHasher,
    private readonly limiter: LogInLimiter,
  ) {}

  /** @throws EMAIL_EXISTS, USERNAME_EXISTS (409) */
  async register(registration: Registration): Promise<SignedIn> {
    const passwordHash = await this.hasher.hash(registration.password);
    return this.units.run(async () => {
      const user = await this.users.add(registration, passwordHash);
      return { user, tokens: await this.tokensFor(user.id) };
    });
  }

  /**
   * @param address where the caller sits, for counting failures
   * @throws UNAUTHORIZED, the same for a wrong e-mail and a wrong password; RATE_LIMITED (429)
   */
  async logIn({ email, password }: Credentials, address: string): Promise<SignedIn> {
    const signedIn = await this.limiter.guard({ account: emailKey(email), address }, async () => {
      const account = await this.users.findByEmail(email);
      const isRight = await this.hasher.verify(account?.passwordHash ?? null, password);
      return account && isRight ? this.begin(account) : null;
    });
    if (!signedIn) throw new DomainError('UNAUTHORIZED', 'Wrong e-mail or password');
    return signedIn;
  }

  /**
   * New tokens for a refresh token, which is spent by it. A spent one that comes back ends its family: somebody
   * has a copy, and which of the two is the thief cannot be known (RFC 9700, 4.14.2).
   * @throws UNAUTHORIZED
   */
  async refresh(text: string): Promise<Tokens> {
    const known = await this.refreshTokens.find(hashOfSecret(text));
    // Thrown outside the unit: the end of a family must be committed.
    const tokens = known && (await this.units.run(() => this.rotate(known)));
    if (!tokens) throw new DomainError('UNAUTHORIZED', 'The refresh token is not valid');
    return tokens;
  }

  /** Ends the token's family; a token that means nothing has nothing to end (RFC 7009, 2.2). */
  async logOut(text: string): Promise<void> {
    const known = await this.refreshTokens.find(hashOfSecret(text));
    if (!known) return;
    await this.units.run(async () => {
      await this.refreshTokens.lockUser(known.userId);
      await this.refreshTokens.endFamily(known, this.clock.now());
    });
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
        if ((await this.refreshTokens.lockUser(id)) !== account.passwordHash) return null;
        await this.refreshTokens.endAllOf(id, this.clock.now());
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
        if ((await this.refreshTokens.lockUser(id)) !== account.passwordHash) return null;
        return work();
      });
    });
    if (!done) throw new DomainError('UNAUTHORIZED', 'The password is wrong');
    return done;
  }

  /** The same at the word of the operator, who needs no password. */
  async withoutPassword<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.units.run(async () => {
      await this.refreshTokens.lockUser(userId);
      return work();
    });
  }

  /** Begins a family, unless the password was changed while it was checked. */
  private begin({ user, passwordHash }: { user: User; passwordHash: string }): Promise<SignedIn | null> {
    return this.units.run(async () => {
      if ((await this.refreshTokens.lockUser(user.id)) !== passwordHash) return null;
      return { user, tokens: await this.tokensFor(user.id) };
    });
  }

  /** Null when the token gives nothing any more. It is read again behind the lock: of two at once, one finds it spent. */
  private async rotate({ userId, tokenHash }: RefreshToken): Promise<Tokens | null> {
    await this.refreshTokens.lockUser(userId);
    const token = await this.refreshTokens.find(tokenHash);
    const now = this.clock.now();
    const state = token && stateOf(token, now);
    if (state === 'spent') await this.refreshTokens.endFamily(token as RefreshToken, now);
    if (!token || state !== 'living') return null;
    await this.refreshTokens.spend(token, now);
    return this.tokensFor(userId, token.familyId);
  }

  private async tokensFor(userId: string, familyId?: string): Promise<Tokens> {
    const refreshToken = newRefreshText();
    const [id, now] = [newId(), this.clock.now()];
    await this.refreshTokens.insert({
      userId,
      id,
      familyId: familyId ?? id,
      tokenHash: hashOfSecret(refreshToken),
      createdAt: now,
      expiresAt: new Date(now.getTime() + REFRESH_LIFETIME_MS),
      spentAt: null,
      endedAt: null,
    });
    return { accessToken: await this.accessTokens.issue(userId), refreshToken };
  }
}
