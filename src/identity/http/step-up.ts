import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { FRESH_MS, isFresh } from '../domain/log-in.js';
import { callerOf } from './caller.js';

const MAX_AGE_SECONDS = FRESH_MS / 1000;

/**
 * For what a stolen token must not be enough: the person has proved within the last five minutes who they are
 * (RFC 9470). Apps act by keys of their own and are not asked.
 */
@Injectable()
export class StepUp {
  /** Some endpoints ask all guards again, after a body that took its time. */
  private readonly passed = new WeakSet<Request>();

  constructor(private readonly clock: Clock) {}

  /** @throws REAUTHENTICATION_REQUIRED (401) */
  require(request: Request): void {
    const caller = callerOf(request);
    if (caller.kind === 'app' || this.passed.has(request)) return;
    if (!isFresh(caller.logIn, this.clock.now())) throw refusal(request);
    this.passed.add(request);
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
    'This needs a log-in that is not older than five minutes: POST /auth/reauthenticate, or log in again',
    { max_age: MAX_AGE_SECONDS },
  );
}
