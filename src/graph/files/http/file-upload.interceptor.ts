import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callerOf } from '../../../identity/index.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Admission } from '../../../kernel/http/admission.js';
import { MULTIPART } from '../../../kernel/http/bodies/body.guard.js';
import { accessOf } from '../../../privacy/index.js';
import { newId } from '../../../kernel/ids.js';
import { BlobIntake } from '../application/blob-intake.js';
import { refuseUpload } from '../application/files.service.js';
import { FileUploads, maxBytesOf, type ReceivedFile } from './file-uploads.js';

/**
 * A received file on its way into the graph; it is discarded at the end of the request unless `keep` was
 * called.
 */
export class Upload {
  private isKept = false;

  constructor(
    readonly file: ReceivedFile,
    private readonly intake: BlobIntake,
  ) {}

  /** Must be called when a committed row refers to the bytes. */
  readonly keep = (): void => {
    this.isKept = true;
  };

  /**
   * Removes the bytes unless they are kept. Otherwise something that is not there: the time of an answer must not tell an
   * app that a file which is hidden from it has the same bytes, so that these were not kept.
   */
  async discardUnlessKept(): Promise<void> {
    const { blob } = this.file;
    await this.intake.discard(this.isKept ? { ...blob, key: newId() } : blob);
  }
}

const UPLOAD = Symbol('upload');
type WithUpload = Request & { [UPLOAD]?: Upload };

/** The file of a route with {@link Multipart}. */
export const CurrentUpload = createParamDecorator((_: unknown, context: ExecutionContext): Upload => {
  const upload = context.switchToHttp().getRequest<WithUpload>()[UPLOAD];
  if (upload === undefined) throw new Error('the route takes no multipart body');
  return upload;
});

/**
 * Reads the body of an upload after all guards, and before a request with an Idempotency-Key opens its
 * transaction, which must not wait for a network. The key then covers the file's hash as a part of
 * the body.
 */
@Injectable()
export class FileUploadInterceptor implements NestInterceptor {
  constructor(
    private readonly uploads: FileUploads,
    private readonly intake: BlobIntake,
    private readonly admission: Admission,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return from(this.receive(context, next));
  }

  private async receive(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<WithUpload>();
    refuseUpload(accessOf(request));
    const maxBytes = maxBytesOf(callerOf(request));
    const { fields, file } = await this.uploads.receive(request, http.getResponse<Response>(), maxBytes);
    const { filename, claimed, blob } = file;
    const upload = (request[UPLOAD] = new Upload(file, this.intake));
    request.body = {
      ...fields,
      file: { filename, content_type: claimed, sha256: blob.sha256, size: blob.size },
    };
    return this.finish(upload, async () => {
      await this.askAgain(context);
      return lastValueFrom(next.handle(), { defaultValue: undefined });
    });
  }

  /**
   * After a fault of the service it is unknown if a row refers to the bytes: the sweep decides.
   */
  private async finish(upload: Upload, work: () => Promise<unknown>): Promise<unknown> {
    try {
      const answer = await work();
      await upload.discardUnlessKept();
      return answer;
    } catch (error) {
      if (error instanceof DomainError) await upload.discardUnlessKept();
      throw error;
    }
  }

  /** Admits the caller again after the body, which can take long (rule 2.8). */
  private async askAgain(context: ExecutionContext): Promise<void> {
    await this.admission.again(context);
    refuseUpload(accessOf(context.switchToHttp().getRequest<Request>()));
  }
}

/** Both families of uploads share one limit (rule 9.7). */
export const UPLOADS = { name: 'POST /files', perMinute: 10 };

/** Declares a route whose body is multipart/form-data with one file. Placed below `@Endpoint`. */
export function Multipart(body: Type): MethodDecorator {
  return applyDecorators(
    SetMetadata(MULTIPART, true),
    UseInterceptors(FileUploadInterceptor),
    ApiConsumes('multipart/form-data'),
    ApiBody({ type: body }),
  );
}
