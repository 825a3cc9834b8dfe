import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { Config } from '../../config/config.js';
import { detached } from '../../kernel/call-local.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Redis } from '../../kernel/redis/redis.js';
import { EncryptionKey } from '../../kernel/secrets/encryption-key.js';
import { FREE_FAILURES, waitAfter } from '../domain/back-off.js';
import { sharedCounter } from '../domain/log-in-counters.js';
import { networkOf } from '../domain/rate-limits.js';

const ADDRESS_WINDOW_SECONDS = 15 * 60;
const FAILURES_PER_ADDRESS = 100;
const FAILURES_FORGOTTEN_SECONDS = 24 * 60 * 60;

/** The account whose failures are counted together, and the caller's address. */
export interface Attempt {
  /** The named account, existing or not, and the fact that distinguishes this caller from strangers. */
  account: string;
  /**
   * Null for callers whom a secret of the account's own distinguishes from everybody else, such as a known device or a
   * session: the failures of their neighbours in the network must not lock them out (rule 1.2e).
   */
  address: string | null;
  /** False where strangers choose names without limit: those share a bounded number of counters (rule 1.2h). */
  exists: boolean;
}

/**
 * Slows down guesses (rule 1.2): after ten failures for an account each further attempt has to wait, twice as
 * long each time; an address has 100 failures in 15 minutes, of strangers only. Each attempt takes its place before it runs, so
 * that concurrent attempts allow no more guesses, and returns it unless it failed. No attempt waits for
 * another: a waiting one may hold a database connection that the other needs.
 *
 * Accounts and credentials that exist have exact counters, which nothing but time and success removes. All other
 * names are spread over a bounded number by a keyed digest, so that each behaves like an account of its own
 * unless very many are tried.
 */
@Injectable()
export class LogInLimiter {
  private readonly accounts: BackOff;
  private readonly addresses: Places;

  constructor(
    private readonly config: Config,
    redis: Redis,
    private readonly secret: EncryptionKey,
  ) {
    this.accounts = new BackOff(redis);
    this.addresses = new Places(redis);
  }

  /**
   * @param check null means wrong credentials, and counts
   * @throws RATE_LIMITED (429) without running the check
   */
  async guard<T>({ account, address, exists }: Attempt, check: () => Promise<T | null>): Promise<T | null> {
    if (!this.config.rateLimits) return check();
    // Both are computed, so that the time does not reveal which one is used.
    const [own, shared] = [nameless(account), sharedCounter(this.secret.digest('failed log-ins', account))];
    const counted = () => this.accounts.keepUnlessNull(exists ? own : shared, check);
    return address === null ? counted() : this.addresses.keepUnlessNull(networkOf(address), counted);
  }
}

/** Counters outlive accounts by a window: they must not contain an e-mail address. */
export const nameless = (account: string): string => createHash('sha256').update(account).digest('base64url');

/** The operations of the library's counters that are used. */
export type Counters = Pick<RateLimiterAbstract, 'penalty' | 'reward' | 'get' | 'delete'>;

/**
 * Shared by all processes where there is a Redis; each process's own while Redis is unavailable. The library makes a
 * timer for each counter, for up to a day.
 */
export function counters(redis: Redis, options: { keyPrefix: string; duration: number }): Counters {
  const limiter = limiterOf(redis, options);
  return {
    penalty: (...counted) => detached(() => limiter.penalty(...counted)),
    reward: (...counted) => detached(() => limiter.reward(...counted)),
    get: (key) => limiter.get(key),
    delete: (key) => limiter.delete(key),
  };
}

function limiterOf(redis: Redis, options: { keyPrefix: string; duration: number }): RateLimiterAbstract {
  // The limit is applied here: the library itself refuses nothing.
  const all = { ...options, points: Number.MAX_SAFE_INTEGER };
  const own = new RateLimiterMemory(all);
  if (redis.client === null) return own;
  return new RateLimiterRedis({
    ...all,
    storeClient: redis.client,
    insuranceLimiter: own,
    rejectIfRedisNotReady: true,
  });
}

async function giveBack(taken: Counters, key: string): Promise<void> {
  // The window may have ended meanwhile; returning the place would then give the next window one place too
  // many.
  const counted = await taken.get(key);
  if (counted && counted.consumedPoints > 0) await taken.reward(key);
}

/** A number of places for each address; one that is not returned comes free at the end of the window. */
class Places {
  private readonly taken: Counters;

  constructor(redis: Redis) {
    this.taken = counters(redis, { keyPrefix: 'log-in address', duration: ADDRESS_WINDOW_SECONDS });
  }

  async keepUnlessNull<T>(key: string, work: () => Promise<T | null>): Promise<T | null> {
    await this.take(key);
    let isKept = false;
    try {
      const result = await work();
      isKept = result === null;
      return result;
    } finally {
      if (!isKept) await giveBack(this.taken, key);
    }
  }

  private async take(key: string): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.taken.penalty(key);
    if (consumedPoints <= FAILURES_PER_ADDRESS) return;
    await giveBack(this.taken, key);
    throw tooMany(msBeforeNext);
  }
}

/** Failures of an account, and from the tenth on one attempt for each wait. A success resets them. */
class BackOff {
  private readonly failures: Counters;
  private readonly waits: Counters;

  constructor(redis: Redis) {
    this.failures = counters(redis, { keyPrefix: 'log-in account', duration: FAILURES_FORGOTTEN_SECONDS });
    this.waits = counters(redis, { keyPrefix: 'log-in wait', duration: waitAfter(FREE_FAILURES) });
  }

  async keepUnlessNull<T>(key: string, work: () => Promise<T | null>): Promise<T | null> {
    await this.take(key);
    let result: T | null;
    try {
      result = await work();
    } catch (error) {
      await this.waits.delete(key);
      await giveBack(this.failures, key);
      throw error;
    }
    if (result !== null) await this.forget(key);
    return result;
  }

  private async take(key: string): Promise<void> {
    const { consumedPoints: failures } = await this.failures.penalty(key);
    const customDuration = waitAfter(failures);
    if (customDuration === 0) return;
    // Only the first attempt during one wait passes.
    const { consumedPoints, msBeforeNext } = await this.waits.penalty(key, 1, { customDuration });
    if (consumedPoints <= 1) return;
    await giveBack(this.failures, key);
    throw tooMany(msBeforeNext);
  }

  private async forget(key: string): Promise<void> {
    await this.failures.delete(key);
    await this.waits.delete(key);
  }
}

function tooMany(milliseconds: number): DomainError {
  return new DomainError('RATE_LIMITED', 'Too many failed log-ins; try again later', {
    retry_after: Math.max(1, Math.ceil(milliseconds / 1000)),
  });
}
