import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Letter } from '../../kernel/mail/letter.js';
import { Letters } from '../../kernel/mail/letters.js';
import { changeLetter } from '../domain/letter-texts.js';
import { LINK_LIFETIME_MS } from '../domain/mail-token.js';
import { addressChangedLetter } from '../domain/notice-texts.js';
import { emailKey } from '../domain/user.js';
import { LetterLimiter } from '../infrastructure/letter-limiter.js';
import { MailTokens } from '../infrastructure/mail-tokens.repository.js';
import { Accounts, type InSession } from './accounts.service.js';
import { MailLinks } from './mail-links.service.js';
import { NewPasswords } from './new-passwords.service.js';
import { Users } from './users.service.js';

const TO_NEW = 'email-change';
const TO_OLD = 'email-changed';

interface ToNewAddress {
  to: string;
  link: string;
}

interface ToOldAddress {
  to: string;
  link: string | null;
  at: string;
}

/**
 * Changes the address of an account by a link that is sent to the new address; the old address can reverse
 * the change (rule 1.21, ADR 32).
 */
@Injectable()
export class EmailChanges implements OnModuleInit {
  constructor(
    private readonly letters: Letters,
    private readonly limiter: LetterLimiter,
    private readonly links: MailLinks,
    private readonly tokens: MailTokens,
    private readonly users: Users,
    private readonly accounts: Accounts,
    private readonly passwords: NewPasswords,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.letters.register<ToNewAddress>(TO_NEW, {
      mayWrite: ({ to }) => this.limiter.take('change', emailKey(to)),
      write: ({ to, link }): Promise<Letter> => Promise.resolve({ to, ...changeLetter(link) }),
    });
    this.letters.register<ToOldAddress>(TO_OLD, {
      write: ({ to, link, at }): Promise<Letter> => {
        const setting = { at: new Date(at), service: this.config.publicUrl };
        return Promise.resolve({ to, ...addressChangedLetter(link, setting) });
      },
    });
  }

  /**
   * Does not look up the owner of the new address before the link is used: neither the answer nor its time
   * can reveal one.
   * @throws MAIL_NOT_CONFIGURED (409); VALIDATION_ERROR for the present address; UNAUTHORIZED; RATE_LIMITED
   *   (429)
   */
  async request(caller: InSession, to: string, password: string): Promise<void> {
    const { user } = caller;
    this.letters.requireOn();
    if (emailKey(to) === emailKey(user.email))
      throw DomainError.validation('email', 'is already the address of your account');
    await this.limiter.require('asked', user.id);
    await this.accounts.withPassword({ caller, password }, async () => {
      const about: ToNewAddress = { to, link: await this.links.make(user.id, 'change', to) };
      const lifetimeMs = LINK_LIFETIME_MS.change;
      await this.letters.order({ kind: TO_NEW, userId: user.id, about, lifetimeMs });
      return {};
    });
  }

  /** @throws INVALID_LINK (400); EMAIL_EXISTS (409), and the link stays valid */
  async confirm(text: string): Promise<void> {
    await this.links.spend(text, ['change'], ({ userId, email }) => this.change(userId, email));
  }

  /**
   * Changes the address at the request of the operator, who has verified its owner. @throws EMAIL_EXISTS
   * (409)
   */
  changeUnasked(userId: string, email: string): Promise<void> {
    return this.accounts.withoutPassword(userId, () => this.change(userId, email));
  }

  /** Needs a unit of work with the user locked. @throws EMAIL_EXISTS (409) */
  private async change(userId: string, email: string): Promise<void> {
    const before = await this.users.get(userId);
    await this.users.changeEmail(userId, email);
    await this.tokens.endAllOf(userId, ['reset', 'verify', 'change']);
    const isReached = this.letters.isOn && before.emailVerifiedAt !== null;
    const link = isReached ? await this.links.make(userId, 'undo', before.email) : null;
    const about: ToOldAddress = { to: before.email, link, at: this.clock.now().toISOString() };
    // The letter outlives the account: a thief who erases the account would otherwise suppress the notice.
    await this.letters.order({ kind: TO_OLD, userId: null, about, lifetimeMs: LINK_LIFETIME_MS.undo });
  }

  /**
   * Restores the old address, with a new password: the one who changed the address knew the present one. Ends
   * every log-in and passkey, and the links that were made since the change.
   * @throws INVALID_LINK (400); VALIDATION_ERROR (400) for a common password, and the link stays valid
   */
  async undo(text: string, password: string): Promise<void> {
    const { userId, email } = await this.links.get(text, ['undo']);
    const { username } = await this.users.get(userId);
    const passwordHash = await this.passwords.hash(password, { email, username }, 'new_password');
    await this.links.spend(text, ['undo'], async (token) => {
      await this.users.changeEmail(userId, token.email);
      await this.tokens.endSince(token);
      await this.tokens.endAllOf(userId, ['verify']);
      await this.accounts.resetPassword(userId, passwordHash);
    });
  }
}
