import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Letter, type LetterWriter } from '../../kernel/mail/letter.js';
import { Letters } from '../../kernel/mail/letters.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { resetLetter } from '../domain/letter-texts.js';
import { LINK_LIFETIME_MS } from '../domain/mail-token.js';
import { emailKey, type User } from '../domain/user.js';
import { LetterLimiter } from '../infrastructure/letter-limiter.js';
import { RefreshTokens } from '../infrastructure/refresh-tokens.repository.js';
import { Accounts } from './accounts.service.js';
import { MailLinks } from './mail-links.service.js';
import { NewPasswords } from './new-passwords.service.js';
import { Users } from './users.service.js';

const KIND = 'password-reset';

interface ResetRequest {
  email: string;
}

/** New passwords for people who cannot log in, by a link that goes to their verified address (rule 1.19). */
@Injectable()
export class PasswordResets implements OnModuleInit, LetterWriter<ResetRequest> {
  constructor(
    private readonly letters: Letters,
    private readonly limiter: LetterLimiter,
    private readonly links: MailLinks,
    private readonly users: Users,
    private readonly accounts: Accounts,
    private readonly passwords: NewPasswords,
    private readonly refreshTokens: RefreshTokens,
    private readonly units: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.letters.register(KIND, this);
  }

  /**
   * Requests a link. The account of the address, if any, is looked up when the letter is written: neither the
   * answer nor its time can reveal one.
   * @throws MAIL_NOT_CONFIGURED (409)
   */
  async request(email: string): Promise<void> {
    this.letters.requireOn();
    const order = { kind: KIND, userId: null, about: { email }, lifetimeMs: LINK_LIFETIME_MS.reset };
    await this.units.run(() => this.letters.order(order));
  }

  /** Counts only letters to accounts: strangers make up addresses without limit. */
  async mayWrite({ email }: ResetRequest): Promise<boolean> {
    return (await this.users.findByEmail(email)) !== null && this.limiter.take('reset', emailKey(email));
  }

  /** Null unless the address is the verified address of an account. */
  async write({ email }: ResetRequest): Promise<Letter | null> {
    const account = await this.users.findByEmail(email);
    if (!account) return null;
    await this.refreshTokens.lockUser(account.user.id);
    // The user is read again under the lock: the address may have changed meanwhile.
    const user = await this.users.find(account.user.id);
    if (!user || user.emailVerifiedAt === null || emailKey(user.email) !== emailKey(email)) return null;
    return { to: user.email, ...resetLetter(await this.linkFor(user)) };
  }

  /** Makes the link for the letter, or for the operator who has verified the person. */
  linkFor({ id, email }: User): Promise<string> {
    return this.units.run(async () => {
      await this.refreshTokens.lockUser(id);
      return this.links.make(id, 'reset', email);
    });
  }

  /** @throws INVALID_LINK (400); VALIDATION_ERROR (400) for a common password, and the link stays valid */
  async reset(text: string, password: string): Promise<void> {
    const { userId } = await this.links.get(text, ['reset']);
    const owner = await this.users.get(userId);
    const passwordHash = await this.passwords.hash(password, owner, 'new_password');
    await this.links.spend(text, ['reset'], () => this.accounts.resetPassword(userId, passwordHash));
  }
}
