import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import multer, { MulterError, type StorageEngine } from 'multer';
import { type Caller } from '../../../identity/index.js';
import { type Writable } from 'node:stream';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { BytesUnderWay } from '../../../kernel/http/bodies/bytes-under-way.js';
import { requireLeastRateOfBody } from '../../../kernel/http/bodies/least-rate.js';
import { BlobIntake, type StagedBlob } from '../application/blob-intake.js';
import { MAX_FILE_BYTES } from '../domain/file-limits.js';
import { NODE_LIMITS } from '../../nodes/index.js';

/** The size limit by the plan of the app, or of the calling user (rule 1.13). */
export const maxBytesOf = (caller: Caller): number =>
  MAX_FILE_BYTES[caller.kind === 'app' ? caller.app.tier : caller.user.tier];

/** A file of a multipart body; its bytes are in the store, and nothing refers to them yet. */
export interface ReceivedFile {
  filename: string;
  /** The media type that the client claims. */
  claimed: string;
  blob: StagedBlob;
}

export interface ReceivedForm {
  fields: Record<string, unknown>;
  file: ReceivedFile;
}

const LIMITS = {
  files: 1,
  fields: 16,
  parts: 17,
  fieldNameSize: 100,
  // Metadata may be as large as in a JSON body; its text may be a little larger.
  fieldSize: 2 * NODE_LIMITS.metadataBytes,
  headerPairs: 32,
  fieldNestingDepth: 0,
} satisfies multer.Options['limits'] & { fieldNestingDepth: number };

/** The most characters of all fields together. */
const FIELDS_MOST = 2 * LIMITS.fieldSize;

/** The bytes that an upload holds until its file is stored: the buffers of its streams, and its fields. */
const [LEAST_HELD, MOST_HELD] = [256 * 1024, 2 * 1024 * 1024];

/** The time after which a sender who continues after a refusal is cut off. */
const PATIENCE_MS = 30_000;

/** Reads multipart bodies: fields into memory, within narrow limits, the one file directly into the store. */
@Injectable()
export class FileUploads {
  constructor(
    private readonly intake: BlobIntake,
    private readonly underWay: BytesUnderWay,
  ) {}

  /**
   * Receives a form. After an error nothing stays in the store, and the answer does not wait for the rest
   * of the body.
   * @throws FILE_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR, SERVICE_UNAVAILABLE; TOO_MUCH_UNDER_WAY when the
   * caller, or the process, receives too much already; REQUEST_TIMEOUT from senders below the least rate
   */
  async receive(request: Request, response: Response, maxBytes: number): Promise<ReceivedForm> {
    if (request.is('multipart/form-data') === false) {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be multipart/form-data');
    }
    const storage = new StoreEngine(this.intake, maxBytes);
    try {
      this.underWay.holdTransfer('received', response, { bytes: heldFor(request) });
      await Promise.race([parsed(storage, request, response), storage.failed]);
      const file = await storage.received();
      if (file === null) throw DomainError.validation('file', 'is required, as one part with a file name');
      return { fields: { ...(request.body as Record<string, unknown> | undefined) }, file };
    } catch (error) {
      cutOffLater(request);
      throw readable((await storage.discard()) ?? error);
    }
  }
}

/** Chunked bodies announce no length. */
function heldFor({ headers }: Request): number {
  const announced = Number(headers['content-length'] ?? MOST_HELD);
  return Math.min(Math.max(announced, LEAST_HELD), MOST_HELD);
}

function parsed(storage: StoreEngine, request: Request, response: Response): Promise<void> {
  const streamHandler = (_: unknown, parser: Writable): void => {
    const refuse = (error: DomainError): void => {
      if (response.headersSent) return;
      response.setHeader('Connection', 'close');
      request.unpipe(parser);
      storage.refuse(error);
      // Not while it parses: this may be called by one of its events.
      setImmediate(() => parser.destroy(error));
    };
    refuseManyFields(parser, refuse);
    requireLeastRateOfBody(response, refuse);
    request.pipe(parser);
  };
  // Names stay as they were sent, even if they look like paths: they are data and never become a path (rule
  // 6.6).
  const options = { storage, limits: LIMITS, preservePath: true, defParamCharset: 'utf8', streamHandler };
  return new Promise((resolve, reject) => {
    multer(options).single('file')(request, response, (error: Error | string | null | undefined) =>
      error ? reject(error instanceof Error ? error : new Error(error)) : resolve(),
    );
  });
}

/** Each field has a limit of its own, and many of them would hold many times as much. */
function refuseManyFields(parser: Writable, refuse: (error: DomainError) => void): void {
  let characters = 0;
  parser.on('field', (_name: string, value: string) => {
    characters += value.length;
    if (characters > FIELDS_MOST)
      refuse(DomainError.validation('body', `must have at most ${FIELDS_MOST} characters in its fields`));
  });
}

/** The storage engine of one request: at most one file, and its result. */
class StoreEngine implements StorageEngine {
  /** Never resolves; rejects when the file cannot be taken. */
  readonly failed: Promise<never>;
  private taking: Promise<ReceivedFile> | null = null;
  private fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly intake: BlobIntake,
    private readonly maxBytes: number,
  ) {
    this.failed = new Promise((_, reject) => (this.fail = reject));
    this.failed.catch(() => undefined);
  }

  _handleFile(
    _request: unknown,
    { originalname, mimetype, stream }: Express.Multer.File,
    done: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    this.taking = this.intake
      .take(stream, this.maxBytes)
      .then((blob) => ({ filename: originalname, claimed: mimetype, blob }));
    this.taking.then(
      () => done(null, {}),
      (error: unknown) => {
        this.fail(error);
        done(error);
      },
    );
  }

  /** Leaves the received bytes to {@link discard}, which runs when all of them are known. */
  _removeFile(_request: unknown, _file: unknown, done: (error: Error | null) => void): void {
    done(null);
  }

  /** Lets nobody wait for the rest of the form. */
  refuse(error: DomainError): void {
    this.fail(error);
  }

  received(): Promise<ReceivedFile | null> {
    return this.taking ?? Promise.resolve(null);
  }

  /**
   * @returns the reason why the file could not be taken, if there was one: other errors may only be
   * consequences
   */
  async discard(): Promise<DomainError | null> {
    try {
      const file = await this.received();
      if (file !== null) await this.intake.discard(file.blob);
      return null;
    } catch (error) {
      return error instanceof DomainError ? error : null;
    }
  }
}

function cutOffLater(request: Request): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.destroy(), PATIENCE_MS).unref();
  request.once('close', () => clearTimeout(timer));
}

const PROBLEMS: Partial<Record<MulterError['code'], string>> = {
  LIMIT_FILE_COUNT: 'must be one file',
  LIMIT_UNEXPECTED_FILE: 'must be one file, in the part `file`',
};

/** Turns errors of busboy and multer into errors of the body. */
function readable(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (!(error instanceof MulterError))
    return DomainError.validation('body', 'is not a complete multipart body');
  const field = error.field ?? (error.code in PROBLEMS ? 'file' : 'body');
  return DomainError.validation(field, PROBLEMS[error.code] ?? error.message.toLowerCase());
}
