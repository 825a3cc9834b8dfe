import { type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { CallerPlaces } from '../../kernel/caller-places.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { BodyGuard } from '../../kernel/http/bodies/body.guard.js';
import { endpointOf } from '../../kernel/http/endpoint.js';
import { LogIns } from '../application/log-ins.service.js';
import { SecondSteps } from '../application/second-steps.service.js';
import { isChallengeText } from '../domain/challenge.js';
import { networkOf } from '../domain/rate-limits.js';
import { isRefreshText } from '../domain/refresh-token.js';
import { SessionCookies } from './session-cookies.js';

/** The longest wait of a look-up for others of its network. */
const PATIENCE_MS = 2_000;

/**
 * Finds the holders of secrets in the bodies of public endpoints, for networks whose rate limit is used up (rule 9.7g).
 * Strangers send such requests without limit, so each costs little: a short body, and for a text of the right form one
 * query by its hash, one at a time for a network, or for a log-in whose token is signed.
 */
@Injectable()
export class LogInSecrets {
  private readonly lookUps = new CallerPlaces(
    1,
    PATIENCE_MS,
    () => new DomainError('RATE_LIMITED', 'Too many requests from this network are in progress'),
  );

  constructor(
    private readonly bodies: BodyGuard,
    private readonly logIns: LogIns,
    private readonly secondSteps: SecondSteps,
    private readonly cookies: SessionCookies,
  ) {}

  /** @returns null where the request brings no secret that exists, or too many others of the network are looked up */
  async holderOf(context: ExecutionContext): Promise<string | null> {
    const field = endpointOf(context.getHandler())?.secretField;
    if (field === undefined) return null;
    const request = context.switchToHttp().getRequest<Request>();
    const body = await this.bodies.readShort(context);
    const text: unknown = isObject(body) ? (body[field] ?? this.inCookie(field, body, request)) : undefined;
    if (typeof text !== 'string') return null;
    const isChallenge = field === 'challenge';
    if (!(isChallenge ? isChallengeText(text) : isRefreshText(text))) return null;
    const lookUp = (): Promise<string | null> => (isChallenge ? this.secondSteps : this.logIns).keyOf(text);
    // Nobody else can make a signed text, so that what strangers send cannot stand in front of it.
    const logIn = isChallenge ? null : this.logIns.signedFamilyOf(text);
    try {
      return await this.lookUps.run(logIn ?? networkOf(request.ip ?? ''), lookUp);
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private inCookie(field: string, { session }: Record<string, unknown>, request: Request): string | null {
    return field !== 'challenge' && session === 'cookie' ? this.cookies.read(request) : null;
  }
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null;
