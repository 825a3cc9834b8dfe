import { Injectable } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { KeyedQueue } from './slots.js';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;

/** Whose failures are counted: the account that was named, whether it exists or not, and where the caller sits. */
export interface Attempt {
  account: string;
  address: string;
}

/**
 * Counts failed log-ins: 10 in 15 minutes for an account, 100 for an address (decisions 1.2). Right passwords do
 * not count. Attempts at one account run one after the other, so that many at once get no more guesses; for an
 * address each attempt takes its place before it runs and gives it back unless it failed.
 */
@Injectable()
export class LogInLimiter {
  private readonly accounts = new RateLimiterMemory({
    points: FAILURES_PER_ACCOUNT,
    duration: WINDOW_SECONDS,
  });
  private readonly addresses = new RateLimiterMemory({
    points: FAILURES_PER_ADDRESS,
    duration: WINDOW_SECONDS,
  });
  private readonly queue = new KeyedQueue();

  constructor(private readonly config: Config) {}

  /**
   * @param check null means wrong credentials, and counts
   * @throws RATE_LIMITED (429) without running the check
   */
  async guard<T>({ account, address }: Attempt, check: () => Promise<T | null>): Promise<T | null> {
    if (!this.config.rateLimits) return check();
    await this.takePlace(address);
    let failed = false;
    try {
      return await this.queue.run(account, async () => {
        await this.refuseWhenFull(account);
        const result = await check();
        failed = result === null;
        if (failed) await this.accounts.penalty(account);
        return result;
      });
    } finally {
      if (!failed) await this.giveBack(address);
    }
  }

  private async takePlace(address: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.addresses.penalty(address);
    if (consumedPoints <= FAILURES_PER_ADDRESS) return;
    await this.giveBack(address);
    throw tooMany(msBeforeNext);
  }

  private async giveBack(address: string): Promise<void> {
    // The window may have ended meanwhile; a reward would then open the next one with a place to spare.
    const counted = await this.addresses.get(address);
    if (counted && counted.consumedPoints > 0) await this.addresses.reward(address);
  }

  private async refuseWhenFull(account: string): Promise<void> {
    const counted = await this.accounts.get(account);
    if (counted && counted.consumedPoints >= FAILURES_PER_ACCOUNT) throw tooMany(counted.msBeforeNext);
  }
}

function tooMany(milliseconds: number): DomainError {
  return new DomainError('RATE_LIMITED', 'Too many failed log-ins; try again later', {
    retry_after: Math.max(1, Math.ceil(milliseconds / 1000)),
  });
}
