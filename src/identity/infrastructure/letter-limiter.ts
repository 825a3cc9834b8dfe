import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Redis } from '../../kernel/redis/redis.js';
import { NOTICES_A_DAY } from '../domain/notice.js';
import { type Counters, counters, nameless } from './log-in-limiter.js';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** Limits of letters, by purpose: those that strangers can cause use up nothing of the others. */
const BUDGETS = {
  reset: { letters: 5, seconds: HOUR },
  /** Links to one unconfirmed address for the accounts that have it over time. */
  unconfirmed: { letters: 10, seconds: HOUR },
  /** Links to one address that other accounts want to change to. */
  change: { letters: 10, seconds: HOUR },
  /** Links that one person requests. */
  asked: { letters: 5, seconds: HOUR },
  /** Notices of one kind to one person: many of one kind suppress none of another. */
  notice: { letters: NOTICES_A_DAY, seconds: DAY },
  /** Notices of all kinds to one unconfirmed address: its reader may be a stranger. */
  'unconfirmed notice': { letters: NOTICES_A_DAY, seconds: DAY },
} as const;
export type LetterBudget = keyof typeof BUDGETS;

/** Never called in a transaction: it may have to wait for Redis. */
@Injectable()
export class LetterLimiter {
  private readonly sent: Record<number, Counters>;

  constructor(
    private readonly config: Config,
    redis: Redis,
  ) {
    this.sent = {
      [HOUR]: counters(redis, { keyPrefix: 'letters', duration: HOUR }),
      [DAY]: counters(redis, { keyPrefix: 'letters a day', duration: DAY }),
    };
  }

  /** @param whose the address or the person; @returns false when the limit is used up */
  async take(budget: LetterBudget, whose: string): Promise<boolean> {
    return (await this.waitFor(budget, whose)) === 0;
  }

  /**
   * Takes one for a person who requests it, and refuses openly beyond the limit. @throws RATE_LIMITED (429)
   */
  async require(budget: LetterBudget, whose: string): Promise<void> {
    const milliseconds = await this.waitFor(budget, whose);
    if (milliseconds > 0)
      throw new DomainError('RATE_LIMITED', 'Too many e-mails were requested; try again later', {
        retry_after: Math.ceil(milliseconds / 1000),
      });
  }

  private async waitFor(budget: LetterBudget, whose: string): Promise<number> {
    if (!this.config.rateLimits) return 0;
    const { letters, seconds } = BUDGETS[budget];
    const sent = this.sent[seconds] as Counters;
    const { consumedPoints, msBeforeNext } = await sent.penalty(nameless(`${budget} ${whose}`));
    return consumedPoints <= letters ? 0 : Math.max(1, msBeforeNext);
  }
}
