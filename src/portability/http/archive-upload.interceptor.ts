import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { type Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { type User, userCallerOf } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { MULTIPART } from '../../kernel/http/body.guard.js';
import { type Arrival, Arrivals, tooLarge } from '../application/arrivals.service.js';
import { MAX_ARCHIVE_BYTES } from '../domain/archive-format.js';

const ARRIVAL = Symbol('archive');
type WithArrival = Request & { [ARRIVAL]?: Arrival };
/** Whoever goes on sending after he was refused is cut off after this time. */
const PATIENCE_MS = 30_000;

/** The archive of a route with {@link ArchiveBody}. */
export const CurrentArrival = createParamDecorator((_: unknown, context: ExecutionContext): Arrival => {
  const arrival = context.switchToHttp().getRequest<WithArrival>()[ARRIVAL];
  if (arrival === undefined) throw new Error('the route takes no archive');
  return arrival;
});

/**
 * Takes the body in when all guards have let the request pass, and before the interceptor of idempotency keys opens its
 * transaction. What can be refused without the body is refused unread.
 */
@Injectable()
export class ArchiveUploadInterceptor implements NestInterceptor {
  /** Who is sending one now, to this process. */
  private readonly sending = new Set<string>();

  constructor(private readonly arrivals: Arrivals) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.receive(context.switchToHttp().getRequest<WithArrival>(), next));
  }

  /** One at a time of each person: of two only one could be imported, and each takes room on the disk. */
  private async receive(request: WithArrival, next: CallHandler): Promise<unknown> {
    const { user } = userCallerOf(request);
    if (this.sending.has(user.id)) {
      cutOffLater(request);
      throw new DomainError('INVALID_STATE_TRANSITION', 'Another import of this account is under way');
    }
    this.sending.add(user.id);
    try {
      return await this.taken(user, request, next);
    } finally {
      this.sending.delete(user.id);
    }
  }

  private async taken(user: User, request: WithArrival, next: CallHandler): Promise<unknown> {
    const arrival = await this.take(user, request).catch((error: unknown) => {
      cutOffLater(request);
      throw error;
    });
    request[ARRIVAL] = arrival;
    request.body = { sha256: arrival.sha256, size: arrival.size };
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      // After a fault of ours nobody knows whether rows refer to the files: the sweep will see.
      if (error instanceof DomainError) await arrival.discard();
      throw error;
    } finally {
      await arrival.close();
    }
  }

  private async take(user: User, request: Request): Promise<Arrival> {
    if (request.is('application/zip') === false || request.is('application/zip') === null)
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/zip');
    const maxBytes = MAX_ARCHIVE_BYTES[user.tier];
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    await this.arrivals.refuseUsed(user.id);
    return this.arrivals.take(user, request);
  }
}

function cutOffLater(request: Request): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => request.destroy(), PATIENCE_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

/** A route whose body is a zip file. Stands below `@Endpoint`. */
export function ArchiveBody(): MethodDecorator {
  return applyDecorators(
    SetMetadata(MULTIPART, true),
    UseInterceptors(ArchiveUploadInterceptor),
    ApiConsumes('application/zip'),
    ApiBody({ description: 'What GET /export gave.', schema: { type: 'string', format: 'binary' } }),
  );
}
