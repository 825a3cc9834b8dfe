import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isId, newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { hashOfSecret } from '../domain/key-text.js';
import {
  type Device,
  IDLE_LIFETIME_MS,
  type LogIn,
  LOG_IN_LIFETIME_MS,
  SINGLES_WITHOUT_PROOF,
  traitsOf,
} from '../domain/log-in.js';
import { COOKIE_GRACE_MS, type Family, stateOf } from '../domain/refresh-token.js';
import { AccessTokens } from '../infrastructure/access-tokens.js';
import { KnownNetworks } from '../infrastructure/known-networks.repository.js';
import { LogInRows } from '../infrastructure/log-ins.repository.js';
import { type LockedUser, RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';

/** The tokens that a client needs to act as a user and to continue. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** A refresh token as it was presented. */
interface PresentedToken {
  text: string;
  /** True for a token in the cookie of a page (rule 1.24). */
  isInCookie: boolean;
}

/** Log-ins and their tokens (rule 1.3). The next request, in any process, sees the end of a log-in. */
@Injectable()
export class LogIns {
  constructor(
    private readonly logIns: LogInRows,
    private readonly refreshTokens: RefreshTokens,
    private readonly knownNetworks: KnownNetworks,
    private readonly accessTokens: AccessTokens,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Ends the least recently used log-ins beyond the bound (rule 1.3e). Needs a unit of work in which the user is locked. */
  async begin(
    userId: string,
    { generation }: Pick<LockedUser, 'generation'>,
    device: Device,
  ): Promise<Tokens> {
    const now = this.clock.now();
    const logIn: LogIn = {
      ...traitsOf(device),
      userId,
      id: newId(),
      createdAt: now,
      lastUsedAt: now,
      authenticatedAt: now,
      expiresAt: new Date(now.getTime() + LOG_IN_LIFETIME_MS),
      endedAt: null,
      generation,
      singlesGiven: 0,
    };
    await this.knownNetworks.remember({ userId, address: device.address }, now);
    await this.logIns.insert(logIn);
    if (await this.logIns.endBeyond(logIn, now)) this.changes.bumpPolicyVersion(userId);
    await this.logIns.forgetBeyond(userId, now);
    return this.tokensFor(logIn);
  }

  /**
   * Exchanges a refresh token, which is then spent, for new tokens. A spent one that comes back ends its
   * log-in: the token was copied, and the service cannot know which holder is the thief (RFC 9700, 4.14.2). One from a
   * cookie has a minute in which it gets the same new token again (ADR 91).
   * @throws UNAUTHORIZED
   */
  async refresh(presented: PresentedToken, device: Device): Promise<Tokens> {
    const known = await this.familyOf(presented.text);
    // The error is thrown outside the unit: the end of a log-in must be committed.
    const tokens = known && (await this.units.run(() => this.rotate(presented, known, device)));
    if (!tokens) throw new DomainError('UNAUTHORIZED', 'The refresh token is invalid');
    return tokens;
  }

  /**
   * The log-in that a refresh token of this service names by its signature; null for all other texts, and for a token in the
   * earlier form. Nothing is looked up.
   */
  signedFamilyOf(text: string): string | null {
    return this.refreshTokens.familyIn(text)?.familyId ?? null;
  }

  /** The key of the person for counting requests that bring a refresh token, living or not; null for an unknown one. */
  async keyOf(text: string): Promise<string | null> {
    const known = await this.familyOf(text);
    return known && `user ${known.userId}`;
  }

  /** The log-in of a refresh token, living or not; null for an unknown token, and once the log-in is forgotten. */
  async familyOf(text: string): Promise<Family | null> {
    const stored = await this.refreshTokens.find(hashOfSecret(text));
    const named = stored ?? this.refreshTokens.familyIn(text);
    if (stored || !named) return named;
    return (await this.logIns.find({ userId: named.userId, id: named.familyId })) && named;
  }

  /** Ends the log-in of a refresh token; ignores an unknown token (RFC 7009, 2.2). */
  async endByToken(text: string): Promise<void> {
    const known = await this.familyOf(text);
    if (known) await this.end(known.userId, known.familyId);
  }

  /**
   * Records a proof of identity that was given just now. Needs a unit of work in which the user is locked.
   * @throws UNAUTHORIZED when the log-in has ended meanwhile
   */
  async renew(userId: string, id: string): Promise<Pick<Tokens, 'accessToken'>> {
    const logIn = await this.requireLiving(userId, id);
    const authenticatedAt = this.clock.now();
    await this.logIns.update(logIn, { authenticatedAt, singlesGiven: 0 });
    return { accessToken: await this.accessTokens.issue(userId, { ...logIn, authenticatedAt }) };
  }

  /**
   * Counts single things that others are newly shown, against the limit of a log-in without a new proof.
   * Needs a unit of work.
   * @returns false beyond the limit, or when the log-in has ended
   */
  async giveSingles(named: Pick<LogIn, 'userId' | 'id'>, count: number): Promise<boolean> {
    return this.logIns.addSingles(named, { count, limit: SINGLES_WITHOUT_PROOF });
  }

  living(userId: string): Promise<LogIn[]> {
    return this.logIns.livingOf(userId, this.clock.now());
  }

  /** @throws NOT_FOUND, for an ended one as well */
  async endOne(userId: string, id: string): Promise<void> {
    const isEnded = isId(id) && (await this.end(userId, id.toLowerCase()));
    if (!isEnded) throw new DomainError('NOT_FOUND', 'Session not found');
  }

  /** Called in a unit of work in which the user is locked, or on its own. */
  async endAll(userId: string): Promise<void> {
    await this.units.run(async () => {
      await this.refreshTokens.lockUser(userId);
      await this.logIns.endAllOf(userId, this.clock.now());
      this.changes.bumpPolicyVersion(userId);
    });
  }

  /**
   * Refuses a log-in that has ended while its request was under way. Needs a unit of work in which
   * the user is locked.
   * @throws UNAUTHORIZED when the log-in has ended meanwhile
   */
  async requireLiving(userId: string, id: string): Promise<LogIn> {
    const logIn = await this.logIns.find({ userId, id });
    if (!logIn || logIn.endedAt !== null || logIn.expiresAt <= this.clock.now())
      throw new DomainError('UNAUTHORIZED', 'The log-in has ended');
    return logIn;
  }

  /**
   * Ends all log-ins but one, which must not have ended itself. Needs a unit of work in which the user is
   * locked. @throws UNAUTHORIZED
   */
  async endOthers(userId: string, keptId: string): Promise<void> {
    await this.requireLiving(userId, keptId);
    await this.logIns.endOthersOf({ userId, id: keptId }, this.clock.now());
    this.changes.bumpPolicyVersion(userId);
  }

  /** @returns true if it was living */
  private end(userId: string, id: string): Promise<boolean> {
    return this.units.run(async () => {
      await this.refreshTokens.lockUser(userId);
      const isEnded = await this.logIns.end({ userId, id }, this.clock.now());
      if (isEnded) this.changes.bumpPolicyVersion(userId);
      return isEnded;
    });
  }

  /**
   * Null when the token is no longer valid. The token is read under the lock: the second of two concurrent
   * exchanges finds it spent, that is, without a row.
   */
  private async rotate(
    { text, isInCookie }: PresentedToken,
    family: Family,
    device: Device,
  ): Promise<Tokens | null> {
    const { userId, familyId } = family;
    await this.refreshTokens.lockUser(userId);
    const token = await this.refreshTokens.find(hashOfSecret(text));
    const now = this.clock.now();
    const state = token ? stateOf(token, now) : 'spent';
    const successor = isInCookie ? this.refreshTokens.successorOf(text, family) : undefined;
    if (state === 'spent' && successor !== undefined) {
      const again = await this.givenAgain(successor, family, now);
      if (again !== null) return again;
    }
    if (state === 'spent') await this.end(userId, familyId);
    if (!token || state !== 'living') return null;
    const logIn = await this.logIns.find({ userId, id: familyId });
    if (!logIn) return null;
    await this.refreshTokens.spend(token, text, now);
    await this.knownNetworks.remember({ userId, address: device.address }, now);
    await this.logIns.update(logIn, { ...traitsOf(device), lastUsedAt: now });
    return this.tokensFor(logIn, successor);
  }

  /** The token that was made of a spent one within the grace, with a new access token; null once it is spent itself. */
  private async givenAgain(
    refreshToken: string,
    { userId, familyId }: Family,
    now: Date,
  ): Promise<Tokens | null> {
    const made = await this.refreshTokens.find(hashOfSecret(refreshToken));
    if (!made || stateOf(made, now) !== 'living') return null;
    if (now.getTime() - made.createdAt.getTime() > COOKIE_GRACE_MS) return null;
    const logIn = await this.logIns.find({ userId, id: familyId });
    return logIn && { accessToken: await this.accessTokens.issue(userId, logIn), refreshToken };
  }

  private async tokensFor(
    logIn: LogIn,
    refreshToken = this.refreshTokens.newText({ userId: logIn.userId, familyId: logIn.id }),
  ): Promise<Tokens> {
    const now = this.clock.now();
    const idle = now.getTime() + IDLE_LIFETIME_MS;
    await this.refreshTokens.insert({
      userId: logIn.userId,
      id: newId(),
      familyId: logIn.id,
      tokenHash: hashOfSecret(refreshToken),
      createdAt: now,
      expiresAt: new Date(Math.min(idle, logIn.expiresAt.getTime())),
      spentAt: null,
      endedAt: null,
    });
    return { accessToken: await this.accessTokens.issue(logIn.userId, logIn), refreshToken };
  }
}
