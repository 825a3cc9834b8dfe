import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Redis } from '../../kernel/redis/redis.js';
import { networkOf } from '../domain/rate-limits.js';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 100;

/** Whose failures are counted: the account that was named, whether it exists or not, and where the caller sits. */
export interface Attempt {
  account: string;
  address: string;
}

/**
 * Counts failed log-ins: 10 in 15 minutes for an account, 100 for an address (decisions 1.2). Each attempt takes its
 * places before it runs, so that many at once get no more guesses, and gives them back unless it failed. Nobody waits
 * for somebody else's attempt: whoever waits may hold a database connection that the other one needs.
 */
@Injectable()
export class LogInLimiter {
  private readonly accounts: Places;
  private readonly addresses: Places;

  constructor(
    private readonly config: Config,
    redis: Redis,
  ) {
    this.accounts = new Places(FAILURES_PER_ACCOUNT, { redis, name: 'log-in account' });
    this.addresses = new Places(FAILURES_PER_ADDRESS, { redis, name: 'log-in address' });
  }

  /**
   * @param check null means wrong credentials, and counts
   * @throws RATE_LIMITED (429) without running the check
   */
  async guard<T>({ account, address }: Attempt, check: () => Promise<T | null>): Promise<T | null> {
    if (!this.config.rateLimits) return check();
    return this.addresses.keepUnlessNull(networkOf(address), () =>
      this.accounts.keepUnlessNull(nameless(account), check),
    );
  }
}

/** Counters outlive accounts by a window: they must not tell an e-mail address. */
const nameless = (account: string): string => createHash('sha256').update(account).digest('base64url');

/** So many places for each key; one that is kept comes free at the end of the window. */
class Places {
  private readonly taken: RateLimiterAbstract;

  /** Shared by all processes where there is a Redis; each process's own while it is away. */
  constructor(
    private readonly count: number,
    { redis, name }: { redis: Redis; name: string },
  ) {
    const options = { points: count, duration: WINDOW_SECONDS, keyPrefix: name };
    const own = new RateLimiterMemory(options);
    this.taken =
      redis.client === null
        ? own
        : new RateLimiterRedis({
            ...options,
            storeClient: redis.client,
            insuranceLimiter: own,
            rejectIfRedisNotReady: true,
          });
  }

  async keepUnlessNull<T>(key: string, work: () => Promise<T | null>): Promise<T | null> {
    await this.take(key);
    let isKept = false;
    try {
      const result = await work();
      isKept = result === null;
      return result;
    } finally {
      if (!isKept) await this.giveBack(key);
    }
  }

  private async take(key: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.taken.penalty(key);
    if (consumedPoints <= this.count) return;
    await this.giveBack(key);
    throw tooMany(msBeforeNext);
  }

  private async giveBack(key: string): Promise<void> {
    // The window may have ended meanwhile; a reward would then open the next one with a place to spare.
    const counted = await this.taken.get(key);
    if (counted && counted.consumedPoints > 0) await this.taken.reward(key);
  }
}

function tooMany(milliseconds: number): DomainError {
  return new DomainError('RATE_LIMITED', 'Too many failed log-ins; try again later', {
    retry_after: Math.max(1, Math.ceil(milliseconds / 1000)),
  });
}
