import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { type Letter, type LetterWriter } from '../../kernel/mail/letter.js';
import { Letters } from '../../kernel/mail/letters.js';
import { type Notice } from '../domain/notice.js';
import { noticeLetter } from '../domain/notice-texts.js';
import { emailKey } from '../domain/user.js';
import { LetterLimiter } from '../infrastructure/letter-limiter.js';
import { Users } from './users.service.js';

const KIND = 'notice';
/** The time after which a notice is too old to be useful. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

interface NoticeOrder {
  userId: string;
  /** The address at the time of the event: the notice goes to the person who had the account then. */
  to: string;
  isVerified: boolean;
  notice: Notice;
  at: string;
}

/** Letters to people about events of their accounts (rule 1.22). */
@Injectable()
export class Notices implements OnModuleInit, LetterWriter<NoticeOrder> {
  constructor(
    private readonly letters: Letters,
    private readonly limiter: LetterLimiter,
    private readonly users: Users,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.letters.register(KIND, this);
  }

  /** Needs the unit of work of the event, so that both are committed together. */
  async tell(userId: string, notice: Notice): Promise<void> {
    if (!this.letters.isOn) return;
    const user = await this.users.find(userId);
    if (!user) return;
    const about: NoticeOrder = {
      userId,
      to: user.email,
      isVerified: user.emailVerifiedAt !== null,
      notice,
      at: this.clock.now().toISOString(),
    };
    // All other letters of an account are deleted with it (rule 1.18d).
    const owner = notice.kind === 'erasure' ? null : userId;
    await this.letters.order({ kind: KIND, userId: owner, about, lifetimeMs: LIFETIME_MS });
  }

  mayWrite({ userId, to, isVerified, notice }: NoticeOrder): Promise<boolean> {
    return isVerified
      ? this.limiter.take('notice', `${userId} ${notice.kind}`)
      : this.limiter.take('unconfirmed notice', emailKey(to));
  }

  write({ to, isVerified, notice, at }: NoticeOrder): Promise<Letter> {
    const setting = { at: new Date(at), service: this.config.publicUrl, isVerified };
    return Promise.resolve({ to, ...noticeLetter(notice, setting) });
  }
}
