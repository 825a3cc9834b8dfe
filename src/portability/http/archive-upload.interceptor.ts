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
import { type Request, type Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { type User, userCallerOf } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Admission } from '../../kernel/http/admission.js';
import { MULTIPART } from '../../kernel/http/bodies/body.guard.js';
import { BytesUnderWay } from '../../kernel/http/bodies/bytes-under-way.js';
import { requireLeastRateOfBody } from '../../kernel/http/bodies/least-rate.js';
import { type ArchiveUpload, ArchiveUploads, tooLarge } from '../application/archive-uploads.service.js';
import { MAX_ARCHIVE_BYTES } from '../domain/archive-format.js';

const UPLOAD = Symbol('archive');
type WithUpload = Request & { [UPLOAD]?: ArchiveUpload };
/** The time after which a sender who was refused and continues to send is cut off. */
const PATIENCE_MS = 30_000;
/** The bytes that an archive holds while it arrives: what the spool gathers for its next write, and a copy of it. */
const ARCHIVE_BYTES = 512 * 1024;

/** The archive of a route with {@link ArchiveBody}. */
export const CurrentUpload = createParamDecorator((_: unknown, context: ExecutionContext): ArchiveUpload => {
  const upload = context.switchToHttp().getRequest<WithUpload>()[UPLOAD];
  if (upload === undefined) throw new Error('the route takes no archive');
  return upload;
});

/**
 * Receives the body after all guards have passed, and before the interceptor of idempotency keys opens its
 * transaction. Requests that can be refused without the body are refused unread.
 */
@Injectable()
export class ArchiveUploadInterceptor implements NestInterceptor {
  /** The people who are sending an archive to this process. */
  private readonly sending = new Set<string>();

  constructor(
    private readonly uploads: ArchiveUploads,
    private readonly admission: Admission,
    private readonly underWay: BytesUnderWay,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.receive(context, next));
  }

  /**
   * Receives one at a time for each person: only one of two could be imported, and each takes space on the
   * disk.
   */
  private async receive(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const request = context.switchToHttp().getRequest<WithUpload>();
    const { user } = userCallerOf(request);
    if (this.sending.has(user.id)) {
      cutOffLater(request);
      throw new DomainError('INVALID_STATE_TRANSITION', 'Another import into this account is in progress');
    }
    this.sending.add(user.id);
    try {
      return await this.taken(user, context, next);
    } finally {
      this.sending.delete(user.id);
    }
  }

  private async taken(user: User, context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const request = context.switchToHttp().getRequest<WithUpload>();
    const upload = await this.take(user, request).catch((error: unknown) => {
      cutOffLater(request);
      throw error;
    });
    request[UPLOAD] = upload;
    request.body = { sha256: upload.sha256, size: upload.size };
    try {
      await this.admission.again(context);
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      // After an internal error rows may refer to the files: the sweep decides.
      if (error instanceof DomainError) await upload.discard();
      throw error;
    } finally {
      await upload.close();
    }
  }

  private async take(user: User, request: Request): Promise<ArchiveUpload> {
    if (request.is('application/zip') === false || request.is('application/zip') === null)
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be application/zip');
    const maxBytes = MAX_ARCHIVE_BYTES[user.tier];
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    await this.uploads.refuseUsed(user.id);
    const response = request.res as Response;
    this.underWay.holdTransfer('received', response, { bytes: ARCHIVE_BYTES });
    requireLeastRateOfBody(response, () => request.destroy());
    return this.uploads.take(user, request);
  }
}

function cutOffLater(request: Request): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => request.destroy(), PATIENCE_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

/** A route whose body is a zip file. Must be below `@Endpoint`. */
export function ArchiveBody(): MethodDecorator {
  return applyDecorators(
    SetMetadata(MULTIPART, true),
    UseInterceptors(ArchiveUploadInterceptor),
    ApiConsumes('application/zip'),
    ApiBody({ description: 'An archive from GET /export.', schema: { type: 'string', format: 'binary' } }),
  );
}
