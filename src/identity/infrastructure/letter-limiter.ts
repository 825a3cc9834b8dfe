import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Redis } from '../../kernel/redis/redis.js';
import { counters, nameless } from './log-in-limiter.js';

const HOUR_SECONDS = 60 * 60;

/** Letters an hour, by what they are for: those that strangers can cause use up nothing of the others. */
const PER_HOUR = {
  reset: 5,
  /** To one address that nobody has confirmed yet, from all accounts that come and go. */
  unconfirmed: 10,
  /** That one person asks for. */
  asked: 5,
} as const;
export type LetterBudget = keyof typeof PER_HOUR;

/** Never asked in a transaction: it may have to wait for Redis. */
@Injectable()
export class LetterLimiter {
  private readonly sent: RateLimiterAbstract;

  constructor(
    private readonly config: Config,
    redis: Redis,
  ) {
    this.sent = counters(redis, { keyPrefix: 'letters', duration: HOUR_SECONDS });
  }

  /** @param whose the address or the person; @returns false when this hour's letters are used up */
  async take(budget: LetterBudget, whose: string): Promise<boolean> {
    return (await this.waitFor(budget, whose)) === 0;
  }

  /** For what a person asks for themselves, and is told. @throws RATE_LIMITED (429) */
  async require(budget: LetterBudget, whose: string): Promise<void> {
    const milliseconds = await this.waitFor(budget, whose);
    if (milliseconds > 0)
      throw new DomainError('RATE_LIMITED', 'Too many letters were asked for; try again later', {
        retry_after: Math.ceil(milliseconds / 1000),
      });
  }

  private async waitFor(budget: LetterBudget, whose: string): Promise<number> {
    if (!this.config.rateLimits) return 0;
    const { consumedPoints, msBeforeNext } = await this.sent.penalty(nameless(`${budget} ${whose}`));
    return consumedPoints <= PER_HOUR[budget] ? 0 : Math.max(1, msBeforeNext);
  }
}
