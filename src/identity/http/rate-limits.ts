import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { isBelowPrefix } from '../../kernel/http/version-prefix.js';
import {
  type EndpointLimit,
  retryAfter,
  standingOf,
  type Subject,
  windowsOf,
} from '../domain/rate-limits.js';
import { SharedCounters } from '../infrastructure/shared-counters.js';

const LIMIT = 'X-RateLimit-Limit';

/**
 * Counts each request below the version prefix once, and says on its answer where the caller stands (decisions 9.7).
 * Whoever has no valid credential is counted by address.
 */
@Injectable()
export class RateLimits {
  private readonly counted = new WeakSet<Request>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
  ) {}

  /** @throws RATE_LIMITED (429); the request then counts nowhere */
  async count(request: Request, subject: Subject, endpoint?: EndpointLimit): Promise<void> {
    if (!this.config.rateLimits || !isBelowPrefix(request)) return;
    // Who waits or streams is let in anew again and again, for the one request that he has sent.
    if (this.counted.has(request)) return;
    this.counted.add(request);
    const now = this.clock.now();
    const windows = windowsOf(subject, endpoint);
    const { isGranted, counts } = await this.counters.take(windows, now);
    const { limit, remaining, reset } = standingOf(windows, counts, now);
    const response = request.res as Response;
    response.setHeader(LIMIT, limit);
    response.setHeader('X-RateLimit-Remaining', remaining);
    response.setHeader('X-RateLimit-Reset', reset);
    if (isGranted) return;
    const retry_after = retryAfter(windows, counts, now);
    throw new DomainError('RATE_LIMITED', 'Rate limit exceeded', { retry_after });
  }

  /** A caller without a credential, or with a bad one. */
  countStranger(request: Request): Promise<void> {
    return this.count(request, { kind: 'address', address: request.ip ?? 'unknown' });
  }

  /** For what is refused before any guard was asked, such as a path that is no route. */
  readonly settle = async (request: Request): Promise<void> => {
    if (!request.res?.hasHeader(LIMIT)) await this.countStranger(request);
  };
}
