import { Injectable } from '@nestjs/common';
import { type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Config } from '../../config/config.js';
import { Redis } from '../../kernel/redis/redis.js';
import { counters, nameless } from './log-in-limiter.js';

const HOUR_SECONDS = 60 * 60;

/** Letters an hour, by what they are for: those that strangers can cause use up nothing of the others. */
const PER_HOUR = { reset: 5 } as const;
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
    if (!this.config.rateLimits) return true;
    const { consumedPoints } = await this.sent.penalty(nameless(`${budget} ${whose}`));
    return consumedPoints <= PER_HOUR[budget];
  }
}
