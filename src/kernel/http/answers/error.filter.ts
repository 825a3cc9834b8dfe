import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type ErrorCode } from '../../errors/catalogue.js';
import { DomainError } from '../../errors/domain-error.js';
import { oauthBodyOf } from '../../errors/oauth-error.js';
import { isCancelled, isRetryable, isUnavailable } from '../../database/violations.js';
import { requestContext } from '../../request-context.js';
import { envelopeOf } from './error-envelope.js';
import { begunAt, NOT_STORED } from '../request-id.middleware.js';
import { RouteTable } from '../route-table.js';
import { endOfTimeBucket } from './time-buckets.js';
import { pathOf } from '../version-prefix.js';

/** Long enough for a restart or a failover to finish. */
const RETRY_SECONDS = '5';

/**
 * Turns every error into an answer, the only place that does. Unexpected errors are logged in full and answered without
 * internals.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('errors');

  /** Runs before an error is answered; an error that it throws is answered instead. */
  beforeAnswer: (request: Request) => Promise<void> = () => Promise.resolve();

  constructor(private readonly routes: RouteTable) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    let answered = error;
    await this.beforeAnswer(request).catch((refusal: unknown) => (answered = refusal));
    const response = http.getResponse<Response>();
    const answer = this.toDomainError(answered, request, response);
    // Finding a hidden resource takes longer than finding none, so both wait. The absence of a route is public
    // knowledge.
    if (answered === answer && answer.status === 404) await endOfTimeBucket(begunAt(request));
    this.answer(answer, response);
  }

  /** The last handler of all: answers requests without a route, also outside the version prefix. */
  readonly unrouted = (request: Request, response: Response): void =>
    this.answer(this.unknownRoute(request, response), response);

  private answer(answer: DomainError, response: Response): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A handler may have set it before the refusal; what is refused has the answer of what is absent.
    response.removeHeader('ETag');
    response.setHeader('Cache-Control', NOT_STORED);
    const { errorPage, errorBody, oauthErrors } = this.routes.formOfErrorsAt(pathOf(response.req));
    const isOAuth = answer.code !== 'METHOD_NOT_ALLOWED' && oauthErrors !== undefined;
    if (answer.code === 'UNAUTHORIZED' && !response.hasHeader('WWW-Authenticate')) {
      response.setHeader('WWW-Authenticate', isOAuth ? 'Basic realm="oauth"' : 'Bearer, ApiKey');
    }
    if (answer.status === 503 && !response.hasHeader('Retry-After')) {
      response.setHeader('Retry-After', RETRY_SECONDS);
    }
    const body = bodyOf(answer, response);
    response.status(answer.status);
    if (errorPage !== undefined) response.type('html').send(errorPage(answer));
    else response.json(errorBody?.(answer) ?? (isOAuth ? oauthBodyOf(answer) : body));
  }

  private toDomainError(error: unknown, request: Request, response: Response): DomainError {
    if (error instanceof DomainError) return error;
    if (!isDecodable(request.originalUrl)) return new DomainError('NOT_FOUND', 'Resource not found');
    // Only the router throws this error.
    if (error instanceof NotFoundException) return this.unknownRoute(request, response);
    const fromParser = bodyParserError(error);
    if (fromParser) return fromParser;
    if (isCancelled(error)) {
      this.logger.warn({ err: error }, 'a statement exceeded its time limit');
      return new DomainError(
        'SERVICE_UNAVAILABLE',
        'The request takes too long in the database; request less at a time, or try again later',
      );
    }
    if (isUnavailable(error) || isRetryable(error)) {
      this.logger.error({ err: error }, 'the database is unavailable');
      return new DomainError('SERVICE_UNAVAILABLE', 'The service cannot reach its database; try again later');
    }
    if (error instanceof HttpException && error.getStatus() < 500) {
      return new DomainError(codeOfStatus(error.getStatus()), error.message);
    }
    this.logger.error({ err: error }, 'unexpected error');
    return new DomainError('INTERNAL_ERROR', 'Something went wrong on our side');
  }

  private unknownRoute(request: Request, response: Response): DomainError {
    const allowed = this.routes.methodsOf(pathOf(request));
    if (allowed.length === 0) return new DomainError('NOT_FOUND', 'Route not found');
    response.setHeader('Allow', allowed.join(', '));
    return new DomainError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here`);
  }
}

/** True if a path is percent-encoded UTF-8; any other path names nothing. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?')[0] as string);
    return true;
  } catch {
    return false;
  }
}

function bodyOf(error: DomainError, response: Response): object {
  if (error.code === 'RATE_LIMITED') {
    const { retry_after } = (error.details ?? { retry_after: 60 }) as { retry_after: number };
    response.setHeader('Retry-After', String(retry_after));
    return { error: error.message, retry_after };
  }
  return envelopeOf(error, requestContext.current().requestId);
}

/** The DomainError for an error of the body reader (http-errors with a `type`); null for others. */
function bodyParserError(error: unknown): DomainError | null {
  switch ((error as { type?: string } | null)?.type) {
    case 'entity.not.utf8':
      return DomainError.validation('body', 'is not UTF-8');
    case 'entity.too.large':
      return new DomainError('PAYLOAD_TOO_LARGE', 'The body is too large', {
        max_bytes: (error as { limit?: number }).limit,
      });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The encoding of the body is not supported');
    case 'request.aborted':
    case 'request.size.invalid':
      return DomainError.validation('body', 'is incomplete');
    default:
      return isCallersFault(error) ? DomainError.validation('body', 'cannot be read') : null;
  }
}

/** True for errors that http-errors attributes to the caller, such as a body that does not fit its Content-Encoding. */
function isCallersFault(error: unknown): boolean {
  const { expose, status } = (error ?? {}) as { expose?: boolean; status?: number };
  return !(error instanceof HttpException) && expose === true && status !== undefined && status < 500;
}

function codeOfStatus(status: number): ErrorCode {
  const codes: Record<number, ErrorCode> = {
    401: 'UNAUTHORIZED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    405: 'METHOD_NOT_ALLOWED',
    413: 'PAYLOAD_TOO_LARGE',
    415: 'UNSUPPORTED_MEDIA_TYPE',
  };
  return codes[status] ?? 'VALIDATION_ERROR';
}
