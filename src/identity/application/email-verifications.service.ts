import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Letter, type LetterWriter } from '../../kernel/mail/letter.js';
import { Letters } from '../../kernel/mail/letters.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { verificationLetter } from '../domain/letter-texts.js';
import { LINK_LIFETIME_MS } from '../domain/mail-token.js';
import { emailKey, type User } from '../domain/user.js';
import { LetterLimiter } from '../infrastructure/letter-limiter.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { MailLinks } from './mail-links.service.js';
import { Users } from './users.service.js';

const KIND = 'email-verification';

interface VerificationOrder {
  userId: string;
  email: string;
}

/**
 * Verifies the address of an account by a link that is sent there: using it proves that the person reads its
 * mail (rule 1.21).
 */
@Injectable()
export class EmailVerifications implements OnModuleInit, LetterWriter<VerificationOrder> {
  constructor(
    private readonly letters: Letters,
    private readonly limiter: LetterLimiter,
    private readonly links: MailLinks,
    private readonly users: Users,
    private readonly refreshTokens: RefreshTokens,
    private readonly units: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.letters.register(KIND, this);
  }

  /** Needs a unit of work. Does nothing where no letters are sent. */
  order({ id: userId, email }: User): Promise<void> {
    const about = { userId, email };
    return this.letters.order({ kind: KIND, userId, about, lifetimeMs: LINK_LIFETIME_MS.verify });
  }

  /** Sends another letter. @throws MAIL_NOT_CONFIGURED, INVALID_STATE_TRANSITION (409); RATE_LIMITED (429) */
  async request(user: User): Promise<void> {
    this.letters.requireOn();
    if (user.emailVerifiedAt !== null)
      throw new DomainError('INVALID_STATE_TRANSITION', 'Your e-mail address is already verified');
    await this.limiter.require('asked', user.id);
    await this.units.run(() => this.order(user));
  }

  mayWrite({ email }: VerificationOrder): Promise<boolean> {
    return this.limiter.take('unconfirmed', emailKey(email));
  }

  /** Null when the address no longer needs verification. */
  async write({ userId, email }: VerificationOrder): Promise<Letter | null> {
    await this.refreshTokens.lockUser(userId);
    const user = await this.users.find(userId);
    if (!user || user.emailVerifiedAt !== null || emailKey(user.email) !== emailKey(email)) return null;
    return { to: user.email, ...verificationLetter(await this.links.make(userId, 'verify', user.email)) };
  }

  /** @throws INVALID_LINK (400) */
  async verify(text: string): Promise<void> {
    await this.links.spend(text, ['verify'], ({ userId }) => this.users.verifyEmail(userId));
  }
}
