import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { hashOfSecret } from '../domain/key-text.js';
import {
  isOneAtATime,
  LINK_LIFETIME_MS,
  type MailPurpose,
  type MailToken,
  newMailText,
} from '../domain/mail-token.js';
import { emailKey } from '../domain/user.js';
import { MailTokens } from '../infrastructure/mail-tokens.repository.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';

/** The links in letters: each valid once and for a limited time. Only the link contains the secret. */
@Injectable()
export class MailLinks {
  constructor(
    private readonly config: Config,
    private readonly tokens: MailTokens,
    private readonly refreshTokens: RefreshTokens,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes a new link, which ends the earlier ones of its purpose, unless several may be valid at once. Needs
   * a unit of work with the user locked. The secret is in the fragment, which browsers do not send.
   */
  async make(userId: string, purpose: MailPurpose, email: string): Promise<string> {
    const now = this.clock.now();
    const text = newMailText();
    if (isOneAtATime(purpose)) await this.tokens.endAllOf(userId, [purpose]);
    await this.tokens.insert({
      userId,
      id: newId(),
      purpose,
      tokenHash: hashOfSecret(text),
      email,
      reservedKey: purpose === 'undo' ? emailKey(email) : null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LINK_LIFETIME_MS[purpose]),
    });
    return `${this.config.publicUrl}/account#${purpose}=${text}`;
  }

  /** The current state of a token, for checks before {@link spend}. @throws INVALID_LINK (400) */
  async get(text: string, purposes: readonly MailPurpose[]): Promise<MailToken> {
    const token = await this.tokens.find(hashOfSecret(text));
    if (!token || !purposes.includes(token.purpose) || token.expiresAt <= this.clock.now())
      throw new DomainError('INVALID_LINK', 'The link is invalid or has expired');
    return token;
  }

  /**
   * Runs work in one unit with the account locked: the second of two concurrent uses finds the link used.
   * @throws INVALID_LINK (400); the link is not used up then
   */
  async spend<T>(
    text: string,
    purposes: readonly MailPurpose[],
    work: (token: MailToken) => Promise<T>,
  ): Promise<T> {
    const { userId } = await this.get(text, purposes);
    return this.units.run(async () => {
      await this.refreshTokens.lockUser(userId);
      const token = await this.get(text, purposes);
      await this.tokens.end(token);
      return work(token);
    });
  }
}
