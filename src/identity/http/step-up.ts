import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { LogIns } from '../application/log-ins.service.js';
import { FRESH_MS, isFresh } from '../domain/log-in.js';
import { addedRights, type ConfirmRights } from '../domain/others-rights.js';
import { callerOf } from './caller.js';

const MAX_AGE_SECONDS = FRESH_MS / 1000;

/**
 * Guards operations for which a stolen token must not be sufficient: they need a proof of identity from the
 * last five minutes (RFC 9470). Apps act by keys of their own and need none.
 */
@Injectable()
export class StepUp {
  /** Requests that have passed: some endpoints run all guards again, after a slow body. */
  private readonly passed = new WeakSet<Request>();

  constructor(
    private readonly clock: Clock,
    private readonly logIns: LogIns,
  ) {}

  /** @throws REAUTHENTICATION_REQUIRED (401) */
  require(request: Request): void {
    if (!this.hasProved(request)) throw refusal(request);
  }

  /**
   * Judges a write by the rights that it adds for others (rule 1.16): without a recent proof of identity it
   * may add only a few rights, each over a single thing. The returned function needs a unit of work, and
   * throws REAUTHENTICATION_REQUIRED.
   */
  confirmation(request: Request): ConfirmRights {
    return async (before, after) => {
      const caller = callerOf(request);
      if (caller.kind === 'app' || this.hasProved(request)) return;
      const { isWide, singles } = addedRights(before, after);
      if (isWide) throw refusal(request);
      if (singles === 0) return;
      const logIn = { userId: caller.userId, id: caller.logIn.id };
      if (!(await this.logIns.giveSingles(logIn, singles))) throw refusal(request);
    };
  }

  /** True for a person whose last proof of identity is older than five minutes. */
  isStale(request: Request): boolean {
    return !this.hasProved(request);
  }

  private hasProved(request: Request): boolean {
    const caller = callerOf(request);
    if (caller.kind === 'app' || this.passed.has(request)) return true;
    if (!isFresh(caller.logIn, this.clock.now())) return false;
    this.passed.add(request);
    return true;
  }
}

function refusal({ res: response }: Request): DomainError {
  if (response?.headersSent === false)
    response.setHeader(
      'WWW-Authenticate',
      `Bearer realm="api", error="insufficient_user_authentication", max_age="${MAX_AGE_SECONDS}"`,
    );
  return new DomainError(
    'REAUTHENTICATION_REQUIRED',
    'This requires a log-in from the last five minutes: POST /auth/reauthenticate, or log in again',
    { max_age: MAX_AGE_SECONDS },
  );
}
