import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { originOf } from '../../kernel/inner-requests.js';
import { isBelowPrefix, pathOf } from '../../kernel/http/version-prefix.js';
import {
  type EndpointLimit,
  reservedWindows,
  retryAfter,
  scarcestWindow,
  secretWindows,
  type Subject,
  type Window,
  windowsOf,
  windowsOfLimit,
} from '../domain/rate-limits.js';
import { SharedCounters } from '../infrastructure/shared-counters.js';
import { type Taken } from '../infrastructure/window-counters.js';

const LIMIT = 'X-RateLimit-Limit';

/** The facts of an endpoint on which the windows of a request depend. */
interface CountedEndpoint {
  limit?: EndpointLimit;
  endsAccess?: true;
}

const addressOf = ({ ip }: Request): string => ip ?? 'unknown';

/** Endpoints of OAuth and of MCP are outside the prefix, and count all the same. */
const isCounted = (request: Request): boolean =>
  isBelowPrefix(request) || request.path.startsWith('/oauth/') || pathOf(request) === '/mcp';

/**
 * Counts each request below the version prefix once, and reports the caller's state on its answer (rule 9.7).
 * A caller without a valid credential counts by address.
 */
@Injectable()
export class RateLimits {
  /**
   * Requests that were counted: some endpoints run all guards again, after a slow body or when all the rest
   * is known.
   */
  private readonly counted = new WeakSet<Request>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly counters: SharedCounters,
  ) {}

  /** @throws RATE_LIMITED (429); the request then counts nowhere */
  async count(request: Request, subject: Subject, endpoint?: CountedEndpoint): Promise<void> {
    // The outer request has been counted: an inner one counts only where its endpoint has a limit of its own.
    const all = windowsOf(subject, endpoint?.limit, this.config.firstPartyRateMultiple);
    const windows = originOf(request) === undefined ? all : all.slice(all.length - (endpoint?.limit ? 1 : 0));
    if (windows.length === 0) return;
    await this.countIn(request, windows, async () =>
      endpoint?.endsAccess === true && subject.kind === 'user'
        ? reservedWindows(subject.userId, addressOf(request))
        : null,
    );
  }

  /**
   * Counts a request of a public endpoint by its address; where that has nothing left, in a window of the secret that it
   * brings (rule 9.7g).
   * @param holderOf the key of the secret's holder, looked up only then; null where the request brings none
   */
  async countPublic(
    request: Request,
    holderOf: () => Promise<string | null>,
    limit?: EndpointLimit,
  ): Promise<void> {
    const address = addressOf(request);
    if (limit !== undefined)
      return this.countIn(request, windowsOfLimit(address, limit), () => Promise.resolve(null));
    await this.countIn(request, windowsOf({ kind: 'address', address }), async () => {
      const holder = await holderOf();
      return holder === null ? null : secretWindows(holder, address);
    });
  }

  /** @param spare the windows in which the request counts where its own are used up; null for none */
  private async countIn(
    request: Request,
    ownWindows: Window[],
    spare: () => Promise<Window[] | null>,
  ): Promise<void> {
    if (!this.config.rateLimits || !isCounted(request) || this.counted.has(request)) return;
    this.counted.add(request);
    const now = this.clock.now();
    const own = await this.take(ownWindows, now);
    const spareWindows = own.isGranted ? null : await spare();
    const { windows, isGranted, counts } = spareWindows === null ? own : await this.take(spareWindows, now);
    const { limit, remaining, reset } = scarcestWindow(windows, counts, now);
    const response = request.res as Response;
    response.setHeader(LIMIT, limit);
    response.setHeader('X-RateLimit-Remaining', remaining);
    response.setHeader('X-RateLimit-Reset', reset);
    if (isGranted) return;
    const retry_after = retryAfter(windows, counts, now);
    throw new DomainError('RATE_LIMITED', 'Rate limit exceeded', { retry_after });
  }

  private async take(windows: Window[], now: Date): Promise<Taken & { windows: Window[] }> {
    return { windows, ...(await this.counters.take(windows, now)) };
  }

  /** Counts a caller without a credential, or with a bad one. */
  countStranger(request: Request): Promise<void> {
    return this.count(request, { kind: 'address', address: addressOf(request) });
  }

  /** Counts requests that are refused before any guard runs, such as a path without a route. */
  readonly settle = async (request: Request): Promise<void> => {
    if (!request.res?.hasHeader(LIMIT) && originOf(request) === undefined) await this.countStranger(request);
  };
}
